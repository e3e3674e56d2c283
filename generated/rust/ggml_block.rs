// This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

#![allow(unused_imports)]
#![allow(non_snake_case)]
#![allow(non_camel_case_types)]
#![allow(irrefutable_let_patterns)]
#![allow(unused_comparisons)]

extern crate kaitai;
use kaitai::*;
use std::convert::{TryFrom, TryInto};
use std::cell::{Ref, Cell, RefCell};
use std::rc::{Rc, Weak};

/**
 * A GGML tensor is a sequence of rows, and a row is a sequence of blocks of one
 * type. Plain types have one element per block. A quantized type packs 32 to 256
 * elements into a block: small integers together with the scale (and minimum or
 * offset) that turns them back into numbers. Blocks have no padding.
 * 
 * Each type here is named after a value of the enum `ggml_type` in `gguf.ksy`,
 * and describes one block. Fields of 16 and 32 bits are in the byte order of the
 * file; these types read little-endian files.
 * 
 * Three extra keys hold facts that Kaitai Struct can't express: `-num-elements`
 * is the number of elements in a block, `-float` the floating-point format of
 * the bits that `type` reads as an integer, and `-removed-types` lists the
 * numbers of types that ggml has removed, but that old files still use.
 * 
 * Field names are those of GGML: `d` is the scale of the block, `dmin` and `m`
 * belong to its minimum, `s` is d times the sum of `qs`, `qs` are the low bits
 * of the quants, and `qh` the high ones.
 * \sa https://github.com/ggml-org/ggml/blob/d99724f2/src/ggml-common.h Source
 * \sa https://github.com/ggml-org/ggml/blob/d99724f2/include/ggml.h Source
 */

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<GgmlBlock>,
    pub _self: SharedType<Self>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock {
    type Root = GgmlBlock;
    type Parent = GgmlBlock;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        Ok(())
    }
}
impl GgmlBlock {
}
impl GgmlBlock {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Bf16 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value: RefCell<u16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Bf16 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.value.borrow_mut() = _io.read_u2le()?.into();
        Ok(())
    }
}
impl GgmlBlock_Bf16 {
}
impl GgmlBlock_Bf16 {
    pub fn value(&self) -> Ref<'_, u16> {
        self.value.borrow()
    }
}
impl GgmlBlock_Bf16 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_F16 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value: RefCell<u16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_F16 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.value.borrow_mut() = _io.read_u2le()?.into();
        Ok(())
    }
}
impl GgmlBlock_F16 {
}
impl GgmlBlock_F16 {
    pub fn value(&self) -> Ref<'_, u16> {
        self.value.borrow()
    }
}
impl GgmlBlock_F16 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_F32 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value: RefCell<f32>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_F32 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.value.borrow_mut() = _io.read_f4le()?.into();
        Ok(())
    }
}
impl GgmlBlock_F32 {
}
impl GgmlBlock_F32 {
    pub fn value(&self) -> Ref<'_, f32> {
        self.value.borrow()
    }
}
impl GgmlBlock_F32 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_F64 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value: RefCell<f64>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_F64 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.value.borrow_mut() = _io.read_f8le()?.into();
        Ok(())
    }
}
impl GgmlBlock_F64 {
}
impl GgmlBlock_F64 {
    pub fn value(&self) -> Ref<'_, f64> {
        self.value.borrow()
    }
}
impl GgmlBlock_F64 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_I16 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value: RefCell<i16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_I16 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.value.borrow_mut() = _io.read_s2le()?.into();
        Ok(())
    }
}
impl GgmlBlock_I16 {
}
impl GgmlBlock_I16 {
    pub fn value(&self) -> Ref<'_, i16> {
        self.value.borrow()
    }
}
impl GgmlBlock_I16 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_I32 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value: RefCell<i32>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_I32 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.value.borrow_mut() = _io.read_s4le()?.into();
        Ok(())
    }
}
impl GgmlBlock_I32 {
}
impl GgmlBlock_I32 {
    pub fn value(&self) -> Ref<'_, i32> {
        self.value.borrow()
    }
}
impl GgmlBlock_I32 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_I64 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value: RefCell<i64>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_I64 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.value.borrow_mut() = _io.read_s8le()?.into();
        Ok(())
    }
}
impl GgmlBlock_I64 {
}
impl GgmlBlock_I64 {
    pub fn value(&self) -> Ref<'_, i64> {
        self.value.borrow()
    }
}
impl GgmlBlock_I64 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_I8 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value: RefCell<i8>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_I8 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.value.borrow_mut() = _io.read_s1()?.into();
        Ok(())
    }
}
impl GgmlBlock_I8 {
}
impl GgmlBlock_I8 {
    pub fn value(&self) -> Ref<'_, i8> {
        self.value.borrow()
    }
}
impl GgmlBlock_I8 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq1M {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    qs: RefCell<Vec<u8>>,
    qh: RefCell<Vec<u8>>,
    scales: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq1M {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 32;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 16;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 8;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq1M {
}
impl GgmlBlock_Iq1M {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq1M {
    pub fn qh(&self) -> Ref<'_, Vec<u8>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Iq1M {
    pub fn scales(&self) -> Ref<'_, Vec<u8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Iq1M {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq1S {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    qh: RefCell<Vec<u16>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq1S {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 32;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 8;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u2le()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq1S {
}
impl GgmlBlock_Iq1S {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Iq1S {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq1S {
    pub fn qh(&self) -> Ref<'_, Vec<u16>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Iq1S {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq2S {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    qh: RefCell<Vec<u8>>,
    scales: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq2S {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 64;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 8;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 8;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq2S {
}
impl GgmlBlock_Iq2S {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Iq2S {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq2S {
    pub fn qh(&self) -> Ref<'_, Vec<u8>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Iq2S {
    pub fn scales(&self) -> Ref<'_, Vec<u8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Iq2S {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq2Xs {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u16>>,
    scales: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq2Xs {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 32;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u2le()?.into());
        }
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 8;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq2Xs {
}
impl GgmlBlock_Iq2Xs {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Iq2Xs {
    pub fn qs(&self) -> Ref<'_, Vec<u16>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq2Xs {
    pub fn scales(&self) -> Ref<'_, Vec<u8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Iq2Xs {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq2Xxs {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u16>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq2Xxs {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 32;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u2le()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq2Xxs {
}
impl GgmlBlock_Iq2Xxs {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Iq2Xxs {
    pub fn qs(&self) -> Ref<'_, Vec<u16>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq2Xxs {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq3S {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    qh: RefCell<Vec<u8>>,
    signs: RefCell<Vec<u8>>,
    scales: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq3S {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 64;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 8;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.signs.borrow_mut() = Vec::new();
        let l_signs = 32;
        for _i in 0..l_signs {
            self_rc.signs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 4;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq3S {
}
impl GgmlBlock_Iq3S {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Iq3S {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq3S {
    pub fn qh(&self) -> Ref<'_, Vec<u8>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Iq3S {
    pub fn signs(&self) -> Ref<'_, Vec<u8>> {
        self.signs.borrow()
    }
}
impl GgmlBlock_Iq3S {
    pub fn scales(&self) -> Ref<'_, Vec<u8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Iq3S {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq3Xxs {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq3Xxs {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 96;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq3Xxs {
}
impl GgmlBlock_Iq3Xxs {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Iq3Xxs {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq3Xxs {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq4Nl {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq4Nl {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 16;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq4Nl {
}
impl GgmlBlock_Iq4Nl {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Iq4Nl {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq4Nl {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Iq4Xs {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    scales_h: RefCell<u16>,
    scales_l: RefCell<Vec<u8>>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Iq4Xs {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.scales_h.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.scales_l.borrow_mut() = Vec::new();
        let l_scales_l = 4;
        for _i in 0..l_scales_l {
            self_rc.scales_l.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 128;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Iq4Xs {
}
impl GgmlBlock_Iq4Xs {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Iq4Xs {
    pub fn scales_h(&self) -> Ref<'_, u16> {
        self.scales_h.borrow()
    }
}
impl GgmlBlock_Iq4Xs {
    pub fn scales_l(&self) -> Ref<'_, Vec<u8>> {
        self.scales_l.borrow()
    }
}
impl GgmlBlock_Iq4Xs {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Iq4Xs {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Mxfp4 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    e: RefCell<u8>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Mxfp4 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.e.borrow_mut() = _io.read_u1()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 16;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Mxfp4 {
}
impl GgmlBlock_Mxfp4 {
    pub fn e(&self) -> Ref<'_, u8> {
        self.e.borrow()
    }
}
impl GgmlBlock_Mxfp4 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Mxfp4 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Nvfp4 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<Vec<u8>>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Nvfp4 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = Vec::new();
        let l_d = 4;
        for _i in 0..l_d {
            self_rc.d.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 32;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Nvfp4 {
}
impl GgmlBlock_Nvfp4 {
    pub fn d(&self) -> Ref<'_, Vec<u8>> {
        self.d.borrow()
    }
}
impl GgmlBlock_Nvfp4 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Nvfp4 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q10 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q10 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 16;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q10 {
}
impl GgmlBlock_Q10 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q10 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q10 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q20 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q20 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 16;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q20 {
}
impl GgmlBlock_Q20 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q20 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q20 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q2K {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    scales: RefCell<Vec<u8>>,
    qs: RefCell<Vec<u8>>,
    d: RefCell<u16>,
    dmin: RefCell<u16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q2K {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 16;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 64;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.dmin.borrow_mut() = _io.read_u2le()?.into();
        Ok(())
    }
}
impl GgmlBlock_Q2K {
}
impl GgmlBlock_Q2K {
    pub fn scales(&self) -> Ref<'_, Vec<u8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Q2K {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q2K {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q2K {
    pub fn dmin(&self) -> Ref<'_, u16> {
        self.dmin.borrow()
    }
}
impl GgmlBlock_Q2K {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q3K {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    hmask: RefCell<Vec<u8>>,
    qs: RefCell<Vec<u8>>,
    scales: RefCell<Vec<u8>>,
    d: RefCell<u16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q3K {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.hmask.borrow_mut() = Vec::new();
        let l_hmask = 32;
        for _i in 0..l_hmask {
            self_rc.hmask.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 64;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 12;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        Ok(())
    }
}
impl GgmlBlock_Q3K {
}
impl GgmlBlock_Q3K {
    pub fn hmask(&self) -> Ref<'_, Vec<u8>> {
        self.hmask.borrow()
    }
}
impl GgmlBlock_Q3K {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q3K {
    pub fn scales(&self) -> Ref<'_, Vec<u8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Q3K {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q3K {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q40 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q40 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 16;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q40 {
}
impl GgmlBlock_Q40 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q40 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q40 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q41 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    m: RefCell<u16>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q41 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.m.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 16;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q41 {
}
impl GgmlBlock_Q41 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q41 {
    pub fn m(&self) -> Ref<'_, u16> {
        self.m.borrow()
    }
}
impl GgmlBlock_Q41 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q41 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q4K {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    dmin: RefCell<u16>,
    scales: RefCell<Vec<u8>>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q4K {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.dmin.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 12;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 128;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q4K {
}
impl GgmlBlock_Q4K {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q4K {
    pub fn dmin(&self) -> Ref<'_, u16> {
        self.dmin.borrow()
    }
}
impl GgmlBlock_Q4K {
    pub fn scales(&self) -> Ref<'_, Vec<u8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Q4K {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q4K {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q50 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qh: RefCell<Vec<u8>>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q50 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 4;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 16;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q50 {
}
impl GgmlBlock_Q50 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q50 {
    pub fn qh(&self) -> Ref<'_, Vec<u8>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Q50 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q50 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q51 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    m: RefCell<u16>,
    qh: RefCell<Vec<u8>>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q51 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.m.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 4;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 16;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q51 {
}
impl GgmlBlock_Q51 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q51 {
    pub fn m(&self) -> Ref<'_, u16> {
        self.m.borrow()
    }
}
impl GgmlBlock_Q51 {
    pub fn qh(&self) -> Ref<'_, Vec<u8>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Q51 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q51 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q5K {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    dmin: RefCell<u16>,
    scales: RefCell<Vec<u8>>,
    qh: RefCell<Vec<u8>>,
    qs: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q5K {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.dmin.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 12;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 32;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 128;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q5K {
}
impl GgmlBlock_Q5K {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q5K {
    pub fn dmin(&self) -> Ref<'_, u16> {
        self.dmin.borrow()
    }
}
impl GgmlBlock_Q5K {
    pub fn scales(&self) -> Ref<'_, Vec<u8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Q5K {
    pub fn qh(&self) -> Ref<'_, Vec<u8>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Q5K {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q5K {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q6K {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    ql: RefCell<Vec<u8>>,
    qh: RefCell<Vec<u8>>,
    scales: RefCell<Vec<i8>>,
    d: RefCell<u16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q6K {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.ql.borrow_mut() = Vec::new();
        let l_ql = 128;
        for _i in 0..l_ql {
            self_rc.ql.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 64;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.scales.borrow_mut() = Vec::new();
        let l_scales = 16;
        for _i in 0..l_scales {
            self_rc.scales.borrow_mut().push(_io.read_s1()?.into());
        }
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        Ok(())
    }
}
impl GgmlBlock_Q6K {
}
impl GgmlBlock_Q6K {
    pub fn ql(&self) -> Ref<'_, Vec<u8>> {
        self.ql.borrow()
    }
}
impl GgmlBlock_Q6K {
    pub fn qh(&self) -> Ref<'_, Vec<u8>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Q6K {
    pub fn scales(&self) -> Ref<'_, Vec<i8>> {
        self.scales.borrow()
    }
}
impl GgmlBlock_Q6K {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q6K {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q80 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    qs: RefCell<Vec<i8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q80 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 32;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_s1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q80 {
}
impl GgmlBlock_Q80 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q80 {
    pub fn qs(&self) -> Ref<'_, Vec<i8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q80 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q81 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<u16>,
    s: RefCell<u16>,
    qs: RefCell<Vec<i8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q81 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.s.borrow_mut() = _io.read_u2le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 32;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_s1()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q81 {
}
impl GgmlBlock_Q81 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q81 {
    pub fn s(&self) -> Ref<'_, u16> {
        self.s.borrow()
    }
}
impl GgmlBlock_Q81 {
    pub fn qs(&self) -> Ref<'_, Vec<i8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q81 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Q8K {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    d: RefCell<f32>,
    qs: RefCell<Vec<i8>>,
    bsums: RefCell<Vec<i16>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Q8K {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.d.borrow_mut() = _io.read_f4le()?.into();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 256;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_s1()?.into());
        }
        *self_rc.bsums.borrow_mut() = Vec::new();
        let l_bsums = 16;
        for _i in 0..l_bsums {
            self_rc.bsums.borrow_mut().push(_io.read_s2le()?.into());
        }
        Ok(())
    }
}
impl GgmlBlock_Q8K {
}
impl GgmlBlock_Q8K {
    pub fn d(&self) -> Ref<'_, f32> {
        self.d.borrow()
    }
}
impl GgmlBlock_Q8K {
    pub fn qs(&self) -> Ref<'_, Vec<i8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Q8K {
    pub fn bsums(&self) -> Ref<'_, Vec<i16>> {
        self.bsums.borrow()
    }
}
impl GgmlBlock_Q8K {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Tq10 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    qs: RefCell<Vec<u8>>,
    qh: RefCell<Vec<u8>>,
    d: RefCell<u16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Tq10 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 48;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.qh.borrow_mut() = Vec::new();
        let l_qh = 4;
        for _i in 0..l_qh {
            self_rc.qh.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        Ok(())
    }
}
impl GgmlBlock_Tq10 {
}
impl GgmlBlock_Tq10 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Tq10 {
    pub fn qh(&self) -> Ref<'_, Vec<u8>> {
        self.qh.borrow()
    }
}
impl GgmlBlock_Tq10 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Tq10 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct GgmlBlock_Tq20 {
    pub _root: SharedType<GgmlBlock>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    qs: RefCell<Vec<u8>>,
    d: RefCell<u16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for GgmlBlock_Tq20 {
    type Root = GgmlBlock;
    type Parent = KStructUnit;

    fn read<S: KStream>(
        self_rc: &OptRc<Self>,
        _io: &S,
        _root: SharedType<Self::Root>,
        _parent: SharedType<Self::Parent>,
    ) -> KResult<()> {
        *self_rc._io.borrow_mut() = _io.clone();
        self_rc._root.set(_root.get());
        self_rc._parent.set(_parent.get());
        self_rc._self.set(Ok(self_rc.clone()));
        let _rrc = self_rc._root.get_value().borrow().upgrade();
        let _prc = self_rc._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        *self_rc.qs.borrow_mut() = Vec::new();
        let l_qs = 64;
        for _i in 0..l_qs {
            self_rc.qs.borrow_mut().push(_io.read_u1()?.into());
        }
        *self_rc.d.borrow_mut() = _io.read_u2le()?.into();
        Ok(())
    }
}
impl GgmlBlock_Tq20 {
}
impl GgmlBlock_Tq20 {
    pub fn qs(&self) -> Ref<'_, Vec<u8>> {
        self.qs.borrow()
    }
}
impl GgmlBlock_Tq20 {
    pub fn d(&self) -> Ref<'_, u16> {
        self.d.borrow()
    }
}
impl GgmlBlock_Tq20 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}
