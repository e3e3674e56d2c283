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
 * GGUF holds the weights of a machine learning model together with everything
 * needed to run it: a list of typed key-values (architecture, hyperparameters,
 * the tokenizer's vocabulary), a list of tensor descriptions and, aligned, the
 * tensor data.
 * 
 * This specification covers the header: everything before the tensor data. It
 * reads versions 1 to 3 in little-endian byte order. The tensor data starts at
 * `body.ofs_tensor_data`: at the end of the header, rounded up to a multiple of
 * the value of the key `general.alignment` (uint32), or of 32 if there is no
 * such key. Each tensor starts at `ofs_data` from there. Its size follows from
 * its type and dimensions: see `ggml_block.ksy`.
 * 
 * No field states the byte order. The version number reveals it: read in the
 * wrong byte order, its low 16 bits are zero.
 * 
 * Strings are not always valid UTF-8 (tokens of a vocabulary can be parts of
 * characters), so they are kept as bytes, and decoded on request.
 * \sa https://github.com/ggml-org/ggml/blob/d99724f2/docs/gguf.md Source
 * \sa https://github.com/ggml-org/ggml/blob/d99724f2/src/gguf.cpp Source
 */

#[derive(Default, Debug, Clone)]
pub struct Gguf {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf>,
    pub _self: SharedType<Self>,
    magic: RefCell<Vec<u8>>,
    body: RefCell<OptRc<Gguf_GgufBody>>,
    _io: RefCell<BytesReader>,
    f_is_be: Cell<bool>,
    is_be: RefCell<bool>,
    f_version: Cell<bool>,
    version: RefCell<i32>,
    f_version_be: Cell<bool>,
    version_be: RefCell<u32>,
    f_version_le: Cell<bool>,
    version_le: RefCell<u32>,
}
impl KStruct for Gguf {
    type Root = Gguf;
    type Parent = Gguf;

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
        *self_rc.magic.borrow_mut() = _io.read_bytes(4 as usize)?.into();
        if !(*self_rc.magic() == vec![0x47u8, 0x47u8, 0x55u8, 0x46u8]) {
            return Err(KError::ValidationFailed(ValidationFailedError { kind: ValidationKind::NotEqual, src_path: "/seq/0".to_string() }));
        }
        let t = Self::read_into::<_, Gguf_GgufBody>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
        *self_rc.body.borrow_mut() = t;
        Ok(())
    }
}
impl Gguf {

    /**
     * Whether all of the file, tensor data included, is big-endian.
     */
    pub fn is_be(
        &self
    ) -> KResult<Ref<'_, bool>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_is_be.get() {
            return Ok(self.is_be.borrow());
        }
        self.f_is_be.set(true);
        *self.is_be.borrow_mut() = (((((*self.version_le()? as i32) & (65535 as i32)) as i32) == (0 as i32))) as bool;
        Ok(self.is_be.borrow())
    }
    pub fn version(
        &self
    ) -> KResult<Ref<'_, i32>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_version.get() {
            return Ok(self.version.borrow());
        }
        self.f_version.set(true);
        *self.version.borrow_mut() = (if *self.is_be()? { *self.version_be()? } else { *self.version_le()? }) as i32;
        Ok(self.version.borrow())
    }
    pub fn version_be(
        &self
    ) -> KResult<Ref<'_, u32>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_version_be.get() {
            return Ok(self.version_be.borrow());
        }
        self.f_version_be.set(true);
        let _pos = _io.pos();
        _io.seek(4 as usize)?;
        *self.version_be.borrow_mut() = _io.read_u4be()?.into();
        _io.seek(_pos)?;
        Ok(self.version_be.borrow())
    }
    pub fn version_le(
        &self
    ) -> KResult<Ref<'_, u32>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_version_le.get() {
            return Ok(self.version_le.borrow());
        }
        self.f_version_le.set(true);
        let _pos = _io.pos();
        _io.seek(4 as usize)?;
        *self.version_le.borrow_mut() = _io.read_u4le()?.into();
        _io.seek(_pos)?;
        Ok(self.version_le.borrow())
    }
}

/**
 * The same bytes in both byte orders.
 */
impl Gguf {
    pub fn magic(&self) -> Ref<'_, Vec<u8>> {
        self.magic.borrow()
    }
}
impl Gguf {
    pub fn body(&self) -> Ref<'_, OptRc<Gguf_GgufBody>> {
        self.body.borrow()
    }
}
impl Gguf {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}
#[derive(Debug, PartialEq, Clone)]
pub enum Gguf_GgmlType {
    F32,
    F16,
    Q40,
    Q41,
    Q50,
    Q51,
    Q80,
    Q81,
    Q2K,
    Q3K,
    Q4K,
    Q5K,
    Q6K,
    Q8K,
    Iq2Xxs,
    Iq2Xs,
    Iq3Xxs,
    Iq1S,
    Iq4Nl,
    Iq3S,
    Iq2S,
    Iq4Xs,
    I8,
    I16,
    I32,
    I64,
    F64,
    Iq1M,
    Bf16,
    Tq10,
    Tq20,
    Mxfp4,
    Nvfp4,
    Q10,
    Q20,
    Unknown(i64),
}

impl TryFrom<i64> for Gguf_GgmlType {
    type Error = KError;
    fn try_from(flag: i64) -> KResult<Gguf_GgmlType> {
        match flag {
            0 => Ok(Gguf_GgmlType::F32),
            1 => Ok(Gguf_GgmlType::F16),
            2 => Ok(Gguf_GgmlType::Q40),
            3 => Ok(Gguf_GgmlType::Q41),
            6 => Ok(Gguf_GgmlType::Q50),
            7 => Ok(Gguf_GgmlType::Q51),
            8 => Ok(Gguf_GgmlType::Q80),
            9 => Ok(Gguf_GgmlType::Q81),
            10 => Ok(Gguf_GgmlType::Q2K),
            11 => Ok(Gguf_GgmlType::Q3K),
            12 => Ok(Gguf_GgmlType::Q4K),
            13 => Ok(Gguf_GgmlType::Q5K),
            14 => Ok(Gguf_GgmlType::Q6K),
            15 => Ok(Gguf_GgmlType::Q8K),
            16 => Ok(Gguf_GgmlType::Iq2Xxs),
            17 => Ok(Gguf_GgmlType::Iq2Xs),
            18 => Ok(Gguf_GgmlType::Iq3Xxs),
            19 => Ok(Gguf_GgmlType::Iq1S),
            20 => Ok(Gguf_GgmlType::Iq4Nl),
            21 => Ok(Gguf_GgmlType::Iq3S),
            22 => Ok(Gguf_GgmlType::Iq2S),
            23 => Ok(Gguf_GgmlType::Iq4Xs),
            24 => Ok(Gguf_GgmlType::I8),
            25 => Ok(Gguf_GgmlType::I16),
            26 => Ok(Gguf_GgmlType::I32),
            27 => Ok(Gguf_GgmlType::I64),
            28 => Ok(Gguf_GgmlType::F64),
            29 => Ok(Gguf_GgmlType::Iq1M),
            30 => Ok(Gguf_GgmlType::Bf16),
            34 => Ok(Gguf_GgmlType::Tq10),
            35 => Ok(Gguf_GgmlType::Tq20),
            39 => Ok(Gguf_GgmlType::Mxfp4),
            40 => Ok(Gguf_GgmlType::Nvfp4),
            41 => Ok(Gguf_GgmlType::Q10),
            42 => Ok(Gguf_GgmlType::Q20),
            _ => Ok(Gguf_GgmlType::Unknown(flag)),
        }
    }
}

impl From<&Gguf_GgmlType> for i64 {
    fn from(v: &Gguf_GgmlType) -> Self {
        match *v {
            Gguf_GgmlType::F32 => 0,
            Gguf_GgmlType::F16 => 1,
            Gguf_GgmlType::Q40 => 2,
            Gguf_GgmlType::Q41 => 3,
            Gguf_GgmlType::Q50 => 6,
            Gguf_GgmlType::Q51 => 7,
            Gguf_GgmlType::Q80 => 8,
            Gguf_GgmlType::Q81 => 9,
            Gguf_GgmlType::Q2K => 10,
            Gguf_GgmlType::Q3K => 11,
            Gguf_GgmlType::Q4K => 12,
            Gguf_GgmlType::Q5K => 13,
            Gguf_GgmlType::Q6K => 14,
            Gguf_GgmlType::Q8K => 15,
            Gguf_GgmlType::Iq2Xxs => 16,
            Gguf_GgmlType::Iq2Xs => 17,
            Gguf_GgmlType::Iq3Xxs => 18,
            Gguf_GgmlType::Iq1S => 19,
            Gguf_GgmlType::Iq4Nl => 20,
            Gguf_GgmlType::Iq3S => 21,
            Gguf_GgmlType::Iq2S => 22,
            Gguf_GgmlType::Iq4Xs => 23,
            Gguf_GgmlType::I8 => 24,
            Gguf_GgmlType::I16 => 25,
            Gguf_GgmlType::I32 => 26,
            Gguf_GgmlType::I64 => 27,
            Gguf_GgmlType::F64 => 28,
            Gguf_GgmlType::Iq1M => 29,
            Gguf_GgmlType::Bf16 => 30,
            Gguf_GgmlType::Tq10 => 34,
            Gguf_GgmlType::Tq20 => 35,
            Gguf_GgmlType::Mxfp4 => 39,
            Gguf_GgmlType::Nvfp4 => 40,
            Gguf_GgmlType::Q10 => 41,
            Gguf_GgmlType::Q20 => 42,
            Gguf_GgmlType::Unknown(v) => v
        }
    }
}

impl Default for Gguf_GgmlType {
    fn default() -> Self { Gguf_GgmlType::Unknown(0) }
}

#[derive(Debug, PartialEq, Clone)]
pub enum Gguf_ValueType {
    Uint8,
    Int8,
    Uint16,
    Int16,
    Uint32,
    Int32,
    Float32,

    /**
     * One byte, 0 or 1.
     */
    Bool,
    String,
    Array,
    Uint64,
    Int64,
    Float64,
    Unknown(i64),
}

impl TryFrom<i64> for Gguf_ValueType {
    type Error = KError;
    fn try_from(flag: i64) -> KResult<Gguf_ValueType> {
        match flag {
            0 => Ok(Gguf_ValueType::Uint8),
            1 => Ok(Gguf_ValueType::Int8),
            2 => Ok(Gguf_ValueType::Uint16),
            3 => Ok(Gguf_ValueType::Int16),
            4 => Ok(Gguf_ValueType::Uint32),
            5 => Ok(Gguf_ValueType::Int32),
            6 => Ok(Gguf_ValueType::Float32),
            7 => Ok(Gguf_ValueType::Bool),
            8 => Ok(Gguf_ValueType::String),
            9 => Ok(Gguf_ValueType::Array),
            10 => Ok(Gguf_ValueType::Uint64),
            11 => Ok(Gguf_ValueType::Int64),
            12 => Ok(Gguf_ValueType::Float64),
            _ => Ok(Gguf_ValueType::Unknown(flag)),
        }
    }
}

impl From<&Gguf_ValueType> for i64 {
    fn from(v: &Gguf_ValueType) -> Self {
        match *v {
            Gguf_ValueType::Uint8 => 0,
            Gguf_ValueType::Int8 => 1,
            Gguf_ValueType::Uint16 => 2,
            Gguf_ValueType::Int16 => 3,
            Gguf_ValueType::Uint32 => 4,
            Gguf_ValueType::Int32 => 5,
            Gguf_ValueType::Float32 => 6,
            Gguf_ValueType::Bool => 7,
            Gguf_ValueType::String => 8,
            Gguf_ValueType::Array => 9,
            Gguf_ValueType::Uint64 => 10,
            Gguf_ValueType::Int64 => 11,
            Gguf_ValueType::Float64 => 12,
            Gguf_ValueType::Unknown(v) => v
        }
    }
}

impl Default for Gguf_ValueType {
    fn default() -> Self { Gguf_ValueType::Unknown(0) }
}


#[derive(Default, Debug, Clone)]
pub struct Gguf_ArrayElements {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufArray>,
    pub _self: SharedType<Self>,
    items: RefCell<Vec<OptRc<Gguf_GgufArray>>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ArrayElements {
    type Root = Gguf;
    type Parent = Gguf_GgufArray;

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
        *self_rc.items.borrow_mut() = Vec::new();
        let l_items = *_prc.as_ref().unwrap().num_elements().as_int()?;
        for _i in 0..l_items {
            let t = Self::read_into::<_, Gguf_GgufArray>(&*_io, Some(self_rc._root.clone()), None)?.into();
            self_rc.items.borrow_mut().push(t);
        }
        Ok(())
    }
}
impl Gguf_ArrayElements {
}
impl Gguf_ArrayElements {
    pub fn items(&self) -> Ref<'_, Vec<OptRc<Gguf_GgufArray>>> {
        self.items.borrow()
    }
}
impl Gguf_ArrayElements {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

/**
 * A size in elements. 32 bits wide in version 1, 64 bits since version 2.
 */

#[derive(Default, Debug, Clone)]
pub struct Gguf_Dim {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_TensorInfo>,
    pub _self: SharedType<Self>,
    value_u4: RefCell<u32>,
    value_u8: RefCell<u64>,
    _io: RefCell<BytesReader>,
    f_value: Cell<bool>,
    value: RefCell<u64>,
}
impl KStruct for Gguf_Dim {
    type Root = Gguf;
    type Parent = Gguf_TensorInfo;

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
        if ((*_r.version()? as i32) == (1 as i32)) {
            *self_rc.value_u4.borrow_mut() = _io.read_u4le()?.into();
        }
        if ((*_r.version()? as i32) != (1 as i32)) {
            *self_rc.value_u8.borrow_mut() = _io.read_u8le()?.into();
        }
        Ok(())
    }
}
impl Gguf_Dim {
    pub fn value(
        &self
    ) -> KResult<Ref<'_, u64>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_value.get() {
            return Ok(self.value.borrow());
        }
        self.f_value.set(true);
        *self.value.borrow_mut() = (if ((*_r.version()? as i32) == (1 as i32)) { (*self.value_u4() as u64) } else { (*self.value_u8() as u64) }) as u64;
        Ok(self.value.borrow())
    }
}
impl Gguf_Dim {
    pub fn value_u4(&self) -> Ref<'_, u32> {
        self.value_u4.borrow()
    }
}
impl Gguf_Dim {
    pub fn value_u8(&self) -> Ref<'_, u64> {
        self.value_u8.borrow()
    }
}
impl Gguf_Dim {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

/**
 * Numbers of 1 byte each, in the file's byte order.
 */

#[derive(Default, Debug, Clone)]
pub struct Gguf_Elements1 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufArray>,
    pub _self: SharedType<Self>,
    data: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_Elements1 {
    type Root = Gguf;
    type Parent = Gguf_GgufArray;

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
        *self_rc.data.borrow_mut() = _io.read_bytes(*_prc.as_ref().unwrap().num_elements().value()? as usize)?.into();
        Ok(())
    }
}
impl Gguf_Elements1 {
}
impl Gguf_Elements1 {
    pub fn data(&self) -> Ref<'_, Vec<u8>> {
        self.data.borrow()
    }
}
impl Gguf_Elements1 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

/**
 * Numbers of 2 bytes each, in the file's byte order.
 */

#[derive(Default, Debug, Clone)]
pub struct Gguf_Elements2 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufArray>,
    pub _self: SharedType<Self>,
    data: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_Elements2 {
    type Root = Gguf;
    type Parent = Gguf_GgufArray;

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
        *self_rc.data.borrow_mut() = _io.read_bytes(((*_prc.as_ref().unwrap().num_elements().value()? as u64) * (2 as u64)) as usize)?.into();
        Ok(())
    }
}
impl Gguf_Elements2 {
}
impl Gguf_Elements2 {
    pub fn data(&self) -> Ref<'_, Vec<u8>> {
        self.data.borrow()
    }
}
impl Gguf_Elements2 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

/**
 * Numbers of 4 bytes each, in the file's byte order.
 */

#[derive(Default, Debug, Clone)]
pub struct Gguf_Elements4 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufArray>,
    pub _self: SharedType<Self>,
    data: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_Elements4 {
    type Root = Gguf;
    type Parent = Gguf_GgufArray;

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
        *self_rc.data.borrow_mut() = _io.read_bytes(((*_prc.as_ref().unwrap().num_elements().value()? as u64) * (4 as u64)) as usize)?.into();
        Ok(())
    }
}
impl Gguf_Elements4 {
}
impl Gguf_Elements4 {
    pub fn data(&self) -> Ref<'_, Vec<u8>> {
        self.data.borrow()
    }
}
impl Gguf_Elements4 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

/**
 * Numbers of 8 bytes each, in the file's byte order.
 */

#[derive(Default, Debug, Clone)]
pub struct Gguf_Elements8 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufArray>,
    pub _self: SharedType<Self>,
    data: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_Elements8 {
    type Root = Gguf;
    type Parent = Gguf_GgufArray;

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
        *self_rc.data.borrow_mut() = _io.read_bytes(((*_prc.as_ref().unwrap().num_elements().value()? as u64) * (8 as u64)) as usize)?.into();
        Ok(())
    }
}
impl Gguf_Elements8 {
}
impl Gguf_Elements8 {
    pub fn data(&self) -> Ref<'_, Vec<u8>> {
        self.data.borrow()
    }
}
impl Gguf_Elements8 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

/**
 * Elements of one type, without padding. They can be arrays themselves,
 * each with its own element type and count.
 */

#[derive(Default, Debug, Clone)]
pub struct Gguf_GgufArray {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    element_type: RefCell<Gguf_ValueType>,
    num_elements: RefCell<OptRc<Gguf_Length>>,
    elements: RefCell<Option<Gguf_GgufArray_Elements>>,
    _io: RefCell<BytesReader>,
}
#[derive(Debug, Clone)]
pub enum Gguf_GgufArray_Elements {
    Gguf_Elements4(OptRc<Gguf_Elements4>),
    Gguf_StringElements(OptRc<Gguf_StringElements>),
    Gguf_Elements8(OptRc<Gguf_Elements8>),
    Gguf_ArrayElements(OptRc<Gguf_ArrayElements>),
    Gguf_Elements2(OptRc<Gguf_Elements2>),
    Gguf_Elements1(OptRc<Gguf_Elements1>),
}
impl From<&Gguf_GgufArray_Elements> for OptRc<Gguf_Elements4> {
    fn from(v: &Gguf_GgufArray_Elements) -> Self {
        if let Gguf_GgufArray_Elements::Gguf_Elements4(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_GgufArray_Elements::Gguf_Elements4, got {:?}", v)
    }
}
impl From<OptRc<Gguf_Elements4>> for Gguf_GgufArray_Elements {
    fn from(v: OptRc<Gguf_Elements4>) -> Self {
        Self::Gguf_Elements4(v)
    }
}
impl From<&Gguf_GgufArray_Elements> for OptRc<Gguf_StringElements> {
    fn from(v: &Gguf_GgufArray_Elements) -> Self {
        if let Gguf_GgufArray_Elements::Gguf_StringElements(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_GgufArray_Elements::Gguf_StringElements, got {:?}", v)
    }
}
impl From<OptRc<Gguf_StringElements>> for Gguf_GgufArray_Elements {
    fn from(v: OptRc<Gguf_StringElements>) -> Self {
        Self::Gguf_StringElements(v)
    }
}
impl From<&Gguf_GgufArray_Elements> for OptRc<Gguf_Elements8> {
    fn from(v: &Gguf_GgufArray_Elements) -> Self {
        if let Gguf_GgufArray_Elements::Gguf_Elements8(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_GgufArray_Elements::Gguf_Elements8, got {:?}", v)
    }
}
impl From<OptRc<Gguf_Elements8>> for Gguf_GgufArray_Elements {
    fn from(v: OptRc<Gguf_Elements8>) -> Self {
        Self::Gguf_Elements8(v)
    }
}
impl From<&Gguf_GgufArray_Elements> for OptRc<Gguf_ArrayElements> {
    fn from(v: &Gguf_GgufArray_Elements) -> Self {
        if let Gguf_GgufArray_Elements::Gguf_ArrayElements(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_GgufArray_Elements::Gguf_ArrayElements, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ArrayElements>> for Gguf_GgufArray_Elements {
    fn from(v: OptRc<Gguf_ArrayElements>) -> Self {
        Self::Gguf_ArrayElements(v)
    }
}
impl From<&Gguf_GgufArray_Elements> for OptRc<Gguf_Elements2> {
    fn from(v: &Gguf_GgufArray_Elements) -> Self {
        if let Gguf_GgufArray_Elements::Gguf_Elements2(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_GgufArray_Elements::Gguf_Elements2, got {:?}", v)
    }
}
impl From<OptRc<Gguf_Elements2>> for Gguf_GgufArray_Elements {
    fn from(v: OptRc<Gguf_Elements2>) -> Self {
        Self::Gguf_Elements2(v)
    }
}
impl From<&Gguf_GgufArray_Elements> for OptRc<Gguf_Elements1> {
    fn from(v: &Gguf_GgufArray_Elements) -> Self {
        if let Gguf_GgufArray_Elements::Gguf_Elements1(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_GgufArray_Elements::Gguf_Elements1, got {:?}", v)
    }
}
impl From<OptRc<Gguf_Elements1>> for Gguf_GgufArray_Elements {
    fn from(v: OptRc<Gguf_Elements1>) -> Self {
        Self::Gguf_Elements1(v)
    }
}
impl KStruct for Gguf_GgufArray {
    type Root = Gguf;
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
        *self_rc.element_type.borrow_mut() = (_io.read_u4le()? as i64).try_into()?;
        let t = Self::read_into::<_, Gguf_Length>(&*_io, Some(self_rc._root.clone()), None)?.into();
        *self_rc.num_elements.borrow_mut() = t;
        match *self_rc.element_type() {
            Gguf_ValueType::Array => {
                let t = Self::read_into::<_, Gguf_ArrayElements>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Bool => {
                let t = Self::read_into::<_, Gguf_Elements1>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Float32 => {
                let t = Self::read_into::<_, Gguf_Elements4>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Float64 => {
                let t = Self::read_into::<_, Gguf_Elements8>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Int16 => {
                let t = Self::read_into::<_, Gguf_Elements2>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Int32 => {
                let t = Self::read_into::<_, Gguf_Elements4>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Int64 => {
                let t = Self::read_into::<_, Gguf_Elements8>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Int8 => {
                let t = Self::read_into::<_, Gguf_Elements1>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::String => {
                let t = Self::read_into::<_, Gguf_StringElements>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Uint16 => {
                let t = Self::read_into::<_, Gguf_Elements2>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Uint32 => {
                let t = Self::read_into::<_, Gguf_Elements4>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Uint64 => {
                let t = Self::read_into::<_, Gguf_Elements8>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Uint8 => {
                let t = Self::read_into::<_, Gguf_Elements1>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.elements.borrow_mut() = Some(t);
            }
            _ => {}
        }
        Ok(())
    }
}
impl Gguf_GgufArray {
}
impl Gguf_GgufArray {
    pub fn element_type(&self) -> Ref<'_, Gguf_ValueType> {
        self.element_type.borrow()
    }
}
impl Gguf_GgufArray {
    pub fn num_elements(&self) -> Ref<'_, OptRc<Gguf_Length>> {
        self.num_elements.borrow()
    }
}
impl Gguf_GgufArray {
    pub fn elements(&self) -> Ref<'_, Option<Gguf_GgufArray_Elements>> {
        self.elements.borrow()
    }
}
impl Gguf_GgufArray {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_GgufBody {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf>,
    pub _self: SharedType<Self>,
    version: RefCell<u32>,
    num_tensors: RefCell<OptRc<Gguf_Length>>,
    num_metadata: RefCell<OptRc<Gguf_Length>>,
    metadata: RefCell<Vec<OptRc<Gguf_KeyValue>>>,
    tensors: RefCell<Vec<OptRc<Gguf_TensorInfo>>>,
    header_end: RefCell<OptRc<Gguf_Position>>,
    _io: RefCell<BytesReader>,
    f_alignment: Cell<bool>,
    alignment: RefCell<i64>,
    f_alignment_search: Cell<bool>,
    alignment_search: RefCell<Vec<Vec<u8>>>,
    f_len_header: Cell<bool>,
    len_header: RefCell<i64>,
    f_ofs_tensor_data: Cell<bool>,
    ofs_tensor_data: RefCell<i64>,
}
impl KStruct for Gguf_GgufBody {
    type Root = Gguf;
    type Parent = Gguf;

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
        *self_rc.version.borrow_mut() = _io.read_u4le()?.into();
        if !( ((((*self_rc.version() as u32) == (1 as u32))) || (((*self_rc.version() as u32) == (2 as u32))) || (((*self_rc.version() as u32) == (3 as u32)))) ) {
            return Err(KError::ValidationFailed(ValidationFailedError { kind: ValidationKind::NotAnyOf, src_path: "/types/gguf_body/seq/0".to_string() }));
        }
        let t = Self::read_into::<_, Gguf_Length>(&*_io, Some(self_rc._root.clone()), None)?.into();
        *self_rc.num_tensors.borrow_mut() = t;
        let t = Self::read_into::<_, Gguf_Length>(&*_io, Some(self_rc._root.clone()), None)?.into();
        *self_rc.num_metadata.borrow_mut() = t;
        *self_rc.metadata.borrow_mut() = Vec::new();
        let l_metadata = *self_rc.num_metadata().as_int()?;
        for _i in 0..l_metadata {
            let t = Self::read_into::<_, Gguf_KeyValue>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
            self_rc.metadata.borrow_mut().push(t);
        }
        *self_rc.tensors.borrow_mut() = Vec::new();
        let l_tensors = *self_rc.num_tensors().as_int()?;
        for _i in 0..l_tensors {
            let t = Self::read_into::<_, Gguf_TensorInfo>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
            self_rc.tensors.borrow_mut().push(t);
        }
        let t = Self::read_into::<_, Gguf_Position>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
        *self_rc.header_end.borrow_mut() = t;
        Ok(())
    }
}
impl Gguf_GgufBody {

    /**
     * Offsets of tensors are multiples of this power of two.
     */
    pub fn alignment(
        &self
    ) -> KResult<Ref<'_, i64>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_alignment.get() {
            return Ok(self.alignment.borrow());
        }
        self.f_alignment.set(true);
        *self.alignment.borrow_mut() = (if ((self.metadata().len() as i32) > (0 as i32)) { *self.metadata()[((self.alignment_search()?.len() as i32) - (1 as i32)) as usize].alignment()? } else { (32 as i64) }) as i64;
        Ok(self.alignment.borrow())
    }

    /**
     * Reads nothing. Has one item for each key-value up to and including the
     * first alignment, or for all of them if there is none.
     */
    pub fn alignment_search(
        &self
    ) -> KResult<Ref<'_, Vec<Vec<u8>>>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_alignment_search.get() {
            return Ok(self.alignment_search.borrow());
        }
        self.f_alignment_search.set(true);
        if ((self.metadata().len() as i32) > (0 as i32)) {
            *self.alignment_search.borrow_mut() = Vec::new();
            {
                let mut _i = 0;
                while {
                    self.alignment_search.borrow_mut().push(_io.read_bytes(0 as usize)?.into());
                    let _t_alignment_search = self.alignment_search.borrow();
                    let _tmpa = _t_alignment_search.last().unwrap();
                    _i += 1;
                    let x = !( ((*self.metadata()[((self.alignment_search()?.len() as i32) - (1 as i32)) as usize].is_alignment()?) || (self.alignment_search()?.len() == self.metadata().len())) );
                    x
                } {}
            }
        }
        Ok(self.alignment_search.borrow())
    }

    /**
     * From the start of the file to the end of the last tensor info.
     */
    pub fn len_header(
        &self
    ) -> KResult<Ref<'_, i64>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_len_header.get() {
            return Ok(self.len_header.borrow());
        }
        self.f_len_header.set(true);
        *self.len_header.borrow_mut() = (*self.header_end().value()?) as i64;
        Ok(self.len_header.borrow())
    }

    /**
     * From the start of the file. A file without tensors may end before.
     */
    pub fn ofs_tensor_data(
        &self
    ) -> KResult<Ref<'_, i64>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_ofs_tensor_data.get() {
            return Ok(self.ofs_tensor_data.borrow());
        }
        self.f_ofs_tensor_data.set(true);
        *self.ofs_tensor_data.borrow_mut() = ((((*self.len_header()? as i32) + (modulo(-(*self.len_header()?) as i64, *self.alignment()? as i64) as i32)) as i64)) as i64;
        Ok(self.ofs_tensor_data.borrow())
    }
}

/**
 * Lengths and counts have 32 bits in version 1, 64 bits in versions 2
 * and 3. Big-endian files are allowed since version 3.
 */
impl Gguf_GgufBody {
    pub fn version(&self) -> Ref<'_, u32> {
        self.version.borrow()
    }
}
impl Gguf_GgufBody {
    pub fn num_tensors(&self) -> Ref<'_, OptRc<Gguf_Length>> {
        self.num_tensors.borrow()
    }
}
impl Gguf_GgufBody {
    pub fn num_metadata(&self) -> Ref<'_, OptRc<Gguf_Length>> {
        self.num_metadata.borrow()
    }
}
impl Gguf_GgufBody {
    pub fn metadata(&self) -> Ref<'_, Vec<OptRc<Gguf_KeyValue>>> {
        self.metadata.borrow()
    }
}
impl Gguf_GgufBody {
    pub fn tensors(&self) -> Ref<'_, Vec<OptRc<Gguf_TensorInfo>>> {
        self.tensors.borrow()
    }
}
impl Gguf_GgufBody {
    pub fn header_end(&self) -> Ref<'_, OptRc<Gguf_Position>> {
        self.header_end.borrow()
    }
}
impl Gguf_GgufBody {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_GgufString {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    len_data: RefCell<OptRc<Gguf_Length>>,
    data: RefCell<Vec<u8>>,
    _io: RefCell<BytesReader>,
    f_value: Cell<bool>,
    value: RefCell<String>,
}
impl KStruct for Gguf_GgufString {
    type Root = Gguf;
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
        let t = Self::read_into::<_, Gguf_Length>(&*_io, Some(self_rc._root.clone()), None)?.into();
        *self_rc.len_data.borrow_mut() = t;
        *self_rc.data.borrow_mut() = _io.read_bytes(*self_rc.len_data().value()? as usize)?.into();
        Ok(())
    }
}
impl Gguf_GgufString {

    /**
     * Bytes that are not UTF-8 are an error or replaced, by language.
     */
    pub fn value(
        &self
    ) -> KResult<Ref<'_, String>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_value.get() {
            return Ok(self.value.borrow());
        }
        self.f_value.set(true);
        *self.value.borrow_mut() = bytes_to_str(&*self.data(), "UTF-8")?.to_string();
        Ok(self.value.borrow())
    }
}
impl Gguf_GgufString {
    pub fn len_data(&self) -> Ref<'_, OptRc<Gguf_Length>> {
        self.len_data.borrow()
    }
}

/**
 * UTF-8 in most cases, with no terminator.
 */
impl Gguf_GgufString {
    pub fn data(&self) -> Ref<'_, Vec<u8>> {
        self.data.borrow()
    }
}
impl Gguf_GgufString {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_KeyValue {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufBody>,
    pub _self: SharedType<Self>,
    key: RefCell<OptRc<Gguf_GgufString>>,
    value_type: RefCell<Gguf_ValueType>,
    value: RefCell<Option<Gguf_KeyValue_Value>>,
    _io: RefCell<BytesReader>,
    f_alignment: Cell<bool>,
    alignment: RefCell<i64>,
    f_is_alignment: Cell<bool>,
    is_alignment: RefCell<bool>,
}
#[derive(Debug, Clone)]
pub enum Gguf_KeyValue_Value {
    Gguf_ValueF4(OptRc<Gguf_ValueF4>),
    Gguf_ValueS2(OptRc<Gguf_ValueS2>),
    Gguf_GgufArray(OptRc<Gguf_GgufArray>),
    Gguf_ValueU8(OptRc<Gguf_ValueU8>),
    Gguf_ValueS1(OptRc<Gguf_ValueS1>),
    Gguf_ValueF8(OptRc<Gguf_ValueF8>),
    Gguf_ValueS4(OptRc<Gguf_ValueS4>),
    Gguf_GgufString(OptRc<Gguf_GgufString>),
    Gguf_ValueU4(OptRc<Gguf_ValueU4>),
    Gguf_ValueS8(OptRc<Gguf_ValueS8>),
    Gguf_ValueU1(OptRc<Gguf_ValueU1>),
    Gguf_ValueU2(OptRc<Gguf_ValueU2>),
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueF4> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueF4(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueF4, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueF4>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueF4>) -> Self {
        Self::Gguf_ValueF4(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueS2> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueS2(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueS2, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueS2>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueS2>) -> Self {
        Self::Gguf_ValueS2(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_GgufArray> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_GgufArray(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_GgufArray, got {:?}", v)
    }
}
impl From<OptRc<Gguf_GgufArray>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_GgufArray>) -> Self {
        Self::Gguf_GgufArray(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueU8> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueU8(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueU8, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueU8>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueU8>) -> Self {
        Self::Gguf_ValueU8(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueS1> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueS1(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueS1, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueS1>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueS1>) -> Self {
        Self::Gguf_ValueS1(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueF8> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueF8(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueF8, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueF8>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueF8>) -> Self {
        Self::Gguf_ValueF8(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueS4> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueS4(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueS4, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueS4>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueS4>) -> Self {
        Self::Gguf_ValueS4(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_GgufString> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_GgufString(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_GgufString, got {:?}", v)
    }
}
impl From<OptRc<Gguf_GgufString>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_GgufString>) -> Self {
        Self::Gguf_GgufString(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueU4> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueU4(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueU4, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueU4>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueU4>) -> Self {
        Self::Gguf_ValueU4(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueS8> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueS8(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueS8, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueS8>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueS8>) -> Self {
        Self::Gguf_ValueS8(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueU1> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueU1(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueU1, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueU1>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueU1>) -> Self {
        Self::Gguf_ValueU1(v)
    }
}
impl From<&Gguf_KeyValue_Value> for OptRc<Gguf_ValueU2> {
    fn from(v: &Gguf_KeyValue_Value) -> Self {
        if let Gguf_KeyValue_Value::Gguf_ValueU2(x) = v {
            return x.clone();
        }
        panic!("expected Gguf_KeyValue_Value::Gguf_ValueU2, got {:?}", v)
    }
}
impl From<OptRc<Gguf_ValueU2>> for Gguf_KeyValue_Value {
    fn from(v: OptRc<Gguf_ValueU2>) -> Self {
        Self::Gguf_ValueU2(v)
    }
}
impl KStruct for Gguf_KeyValue {
    type Root = Gguf;
    type Parent = Gguf_GgufBody;

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
        let t = Self::read_into::<_, Gguf_GgufString>(&*_io, Some(self_rc._root.clone()), None)?.into();
        *self_rc.key.borrow_mut() = t;
        *self_rc.value_type.borrow_mut() = (_io.read_u4le()? as i64).try_into()?;
        match *self_rc.value_type() {
            Gguf_ValueType::Array => {
                let t = Self::read_into::<_, Gguf_GgufArray>(&*_io, Some(self_rc._root.clone()), None)?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Bool => {
                let t = Self::read_into::<_, Gguf_ValueU1>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Float32 => {
                let t = Self::read_into::<_, Gguf_ValueF4>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Float64 => {
                let t = Self::read_into::<_, Gguf_ValueF8>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Int16 => {
                let t = Self::read_into::<_, Gguf_ValueS2>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Int32 => {
                let t = Self::read_into::<_, Gguf_ValueS4>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Int64 => {
                let t = Self::read_into::<_, Gguf_ValueS8>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Int8 => {
                let t = Self::read_into::<_, Gguf_ValueS1>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::String => {
                let t = Self::read_into::<_, Gguf_GgufString>(&*_io, Some(self_rc._root.clone()), None)?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Uint16 => {
                let t = Self::read_into::<_, Gguf_ValueU2>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Uint32 => {
                let t = Self::read_into::<_, Gguf_ValueU4>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Uint64 => {
                let t = Self::read_into::<_, Gguf_ValueU8>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            Gguf_ValueType::Uint8 => {
                let t = Self::read_into::<_, Gguf_ValueU1>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
                *self_rc.value.borrow_mut() = Some(t);
            }
            _ => {}
        }
        Ok(())
    }
}
impl Gguf_KeyValue {

    /**
     * The value if this is the alignment, otherwise the default.
     */
    pub fn alignment(
        &self
    ) -> KResult<Ref<'_, i64>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_alignment.get() {
            return Ok(self.alignment.borrow());
        }
        self.f_alignment.set(true);
        *self.alignment.borrow_mut() = (if *self.is_alignment()? { *Into::<OptRc<Gguf_ValueU4>>::into(&*self.value().as_ref().unwrap()).as_s8()? } else { (32 as i64) }) as i64;
        Ok(self.alignment.borrow())
    }

    /**
     * Whether the key is `general.alignment`, with the required type.
     */
    pub fn is_alignment(
        &self
    ) -> KResult<Ref<'_, bool>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_is_alignment.get() {
            return Ok(self.is_alignment.borrow());
        }
        self.f_is_alignment.set(true);
        *self.is_alignment.borrow_mut() = ( ((*self.value_type() == Gguf_ValueType::Uint32) && (*self.key().data() == vec![0x67u8, 0x65u8, 0x6eu8, 0x65u8, 0x72u8, 0x61u8, 0x6cu8, 0x2eu8, 0x61u8, 0x6cu8, 0x69u8, 0x67u8, 0x6eu8, 0x6du8, 0x65u8, 0x6eu8, 0x74u8])) ) as bool;
        Ok(self.is_alignment.borrow())
    }
}

/**
 * Unique in the file. By the specification at most 65535 bytes of ASCII,
 * `lower_snake_case` segments joined by `.`; not all writers comply.
 */
impl Gguf_KeyValue {
    pub fn key(&self) -> Ref<'_, OptRc<Gguf_GgufString>> {
        self.key.borrow()
    }
}
impl Gguf_KeyValue {
    pub fn value_type(&self) -> Ref<'_, Gguf_ValueType> {
        self.value_type.borrow()
    }
}
impl Gguf_KeyValue {
    pub fn value(&self) -> Ref<'_, Option<Gguf_KeyValue_Value>> {
        self.value.borrow()
    }
}
impl Gguf_KeyValue {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

/**
 * A count of bytes or items. 32 bits wide in version 1, 64 bits since
 * version 2. At most 2^30, which is ggml's limit for strings and arrays.
 */

#[derive(Default, Debug, Clone)]
pub struct Gguf_Length {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<KStructUnit>,
    pub _self: SharedType<Self>,
    value_u4: RefCell<u32>,
    value_u8: RefCell<u64>,
    _io: RefCell<BytesReader>,
    f_as_int: Cell<bool>,
    as_int: RefCell<i32>,
    f_value: Cell<bool>,
    value: RefCell<u64>,
}
impl KStruct for Gguf_Length {
    type Root = Gguf;
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
        if ((*_r.version()? as i32) == (1 as i32)) {
            *self_rc.value_u4.borrow_mut() = _io.read_u4le()?.into();
            if !(((*self_rc.value_u4() as i32) <= (1073741824 as i32))) {
                return Err(KError::ValidationFailed(ValidationFailedError { kind: ValidationKind::GreaterThan, src_path: "/types/length/seq/0".to_string() }));
            }
        }
        if ((*_r.version()? as i32) != (1 as i32)) {
            *self_rc.value_u8.borrow_mut() = _io.read_u8le()?.into();
            if !(((*self_rc.value_u8() as u64) >= (0 as u64))) {
                return Err(KError::ValidationFailed(ValidationFailedError { kind: ValidationKind::LessThan, src_path: "/types/length/seq/1".to_string() }));
            }
            if !(((*self_rc.value_u8() as i32) <= (1073741824 as i32))) {
                return Err(KError::ValidationFailed(ValidationFailedError { kind: ValidationKind::GreaterThan, src_path: "/types/length/seq/1".to_string() }));
            }
        }
        Ok(())
    }
}
impl Gguf_Length {

    /**
     * The same as `value`, in a type that all languages can repeat by.
     */
    pub fn as_int(
        &self
    ) -> KResult<Ref<'_, i32>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_as_int.get() {
            return Ok(self.as_int.borrow());
        }
        self.f_as_int.set(true);
        *self.as_int.borrow_mut() = (if ((*_r.version()? as i32) == (1 as i32)) { (*self.value_u4() as i32) } else { (*self.value_u8() as i32) }) as i32;
        Ok(self.as_int.borrow())
    }
    pub fn value(
        &self
    ) -> KResult<Ref<'_, u64>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_value.get() {
            return Ok(self.value.borrow());
        }
        self.f_value.set(true);
        *self.value.borrow_mut() = (if ((*_r.version()? as i32) == (1 as i32)) { (*self.value_u4() as u64) } else { (*self.value_u8() as u64) }) as u64;
        Ok(self.value.borrow())
    }
}
impl Gguf_Length {
    pub fn value_u4(&self) -> Ref<'_, u32> {
        self.value_u4.borrow()
    }
}
impl Gguf_Length {
    pub fn value_u8(&self) -> Ref<'_, u64> {
        self.value_u8.borrow()
    }
}
impl Gguf_Length {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_Position {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufBody>,
    pub _self: SharedType<Self>,
    _io: RefCell<BytesReader>,
    f_value: Cell<bool>,
    value: RefCell<i64>,
}
impl KStruct for Gguf_Position {
    type Root = Gguf;
    type Parent = Gguf_GgufBody;

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
impl Gguf_Position {
    pub fn value(
        &self
    ) -> KResult<Ref<'_, i64>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_value.get() {
            return Ok(self.value.borrow());
        }
        self.f_value.set(true);
        *self.value.borrow_mut() = ((_io.pos() as i64)) as i64;
        Ok(self.value.borrow())
    }
}
impl Gguf_Position {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_StringElements {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufArray>,
    pub _self: SharedType<Self>,
    items: RefCell<Vec<OptRc<Gguf_GgufString>>>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_StringElements {
    type Root = Gguf;
    type Parent = Gguf_GgufArray;

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
        *self_rc.items.borrow_mut() = Vec::new();
        let l_items = *_prc.as_ref().unwrap().num_elements().as_int()?;
        for _i in 0..l_items {
            let t = Self::read_into::<_, Gguf_GgufString>(&*_io, Some(self_rc._root.clone()), None)?.into();
            self_rc.items.borrow_mut().push(t);
        }
        Ok(())
    }
}
impl Gguf_StringElements {
}
impl Gguf_StringElements {
    pub fn items(&self) -> Ref<'_, Vec<OptRc<Gguf_GgufString>>> {
        self.items.borrow()
    }
}
impl Gguf_StringElements {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_TensorInfo {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_GgufBody>,
    pub _self: SharedType<Self>,
    name: RefCell<OptRc<Gguf_GgufString>>,
    num_dims: RefCell<u32>,
    dims: RefCell<Vec<OptRc<Gguf_Dim>>>,
    type_id: RefCell<u32>,
    ofs_data: RefCell<u64>,
    _io: RefCell<BytesReader>,
    f_ggml_type: Cell<bool>,
    ggml_type: RefCell<Gguf_GgmlType>,
}
impl KStruct for Gguf_TensorInfo {
    type Root = Gguf;
    type Parent = Gguf_GgufBody;

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
        let t = Self::read_into::<_, Gguf_GgufString>(&*_io, Some(self_rc._root.clone()), None)?.into();
        *self_rc.name.borrow_mut() = t;
        *self_rc.num_dims.borrow_mut() = _io.read_u4le()?.into();
        if !(((*self_rc.num_dims() as u32) <= (4 as u32))) {
            return Err(KError::ValidationFailed(ValidationFailedError { kind: ValidationKind::GreaterThan, src_path: "/types/tensor_info/seq/1".to_string() }));
        }
        *self_rc.dims.borrow_mut() = Vec::new();
        let l_dims = *self_rc.num_dims();
        for _i in 0..l_dims {
            let t = Self::read_into::<_, Gguf_Dim>(&*_io, Some(self_rc._root.clone()), Some(self_rc._self.clone()))?.into();
            self_rc.dims.borrow_mut().push(t);
        }
        *self_rc.type_id.borrow_mut() = _io.read_u4le()?.into();
        *self_rc.ofs_data.borrow_mut() = _io.read_u8le()?.into();
        Ok(())
    }
}
impl Gguf_TensorInfo {
    pub fn ggml_type(
        &self
    ) -> KResult<Ref<'_, Gguf_GgmlType>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_ggml_type.get() {
            return Ok(self.ggml_type.borrow());
        }
        self.f_ggml_type.set(true);
        *self.ggml_type.borrow_mut() = (*self.type_id() as i64).try_into()?;
        Ok(self.ggml_type.borrow())
    }
}

/**
 * Unique in the file. By the specification at most 64 bytes; ggml
 * accepts at most 63, and some writers exceed both.
 */
impl Gguf_TensorInfo {
    pub fn name(&self) -> Ref<'_, OptRc<Gguf_GgufString>> {
        self.name.borrow()
    }
}

/**
 * A tensor without dimensions holds one element.
 */
impl Gguf_TensorInfo {
    pub fn num_dims(&self) -> Ref<'_, u32> {
        self.num_dims.borrow()
    }
}

/**
 * In elements. The first is the row length, which varies fastest: numpy
 * and most others use the reverse order.
 */
impl Gguf_TensorInfo {
    pub fn dims(&self) -> Ref<'_, Vec<OptRc<Gguf_Dim>>> {
        self.dims.borrow()
    }
}

/**
 * New types come with most releases of ggml, so a number that is not in
 * the enum does not make a file invalid.
 */
impl Gguf_TensorInfo {
    pub fn type_id(&self) -> Ref<'_, u32> {
        self.type_id.borrow()
    }
}

/**
 * In bytes, from the start of the tensor data. A multiple of the
 * alignment.
 */
impl Gguf_TensorInfo {
    pub fn ofs_data(&self) -> Ref<'_, u64> {
        self.ofs_data.borrow()
    }
}
impl Gguf_TensorInfo {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueF4 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<f32>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueF4 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
impl Gguf_ValueF4 {
}
impl Gguf_ValueF4 {
    pub fn value(&self) -> Ref<'_, f32> {
        self.value.borrow()
    }
}
impl Gguf_ValueF4 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueF8 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<f64>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueF8 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
impl Gguf_ValueF8 {
}
impl Gguf_ValueF8 {
    pub fn value(&self) -> Ref<'_, f64> {
        self.value.borrow()
    }
}
impl Gguf_ValueF8 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueS1 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<i8>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueS1 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
impl Gguf_ValueS1 {
}
impl Gguf_ValueS1 {
    pub fn value(&self) -> Ref<'_, i8> {
        self.value.borrow()
    }
}
impl Gguf_ValueS1 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueS2 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<i16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueS2 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
impl Gguf_ValueS2 {
}
impl Gguf_ValueS2 {
    pub fn value(&self) -> Ref<'_, i16> {
        self.value.borrow()
    }
}
impl Gguf_ValueS2 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueS4 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<i32>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueS4 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
impl Gguf_ValueS4 {
}
impl Gguf_ValueS4 {
    pub fn value(&self) -> Ref<'_, i32> {
        self.value.borrow()
    }
}
impl Gguf_ValueS4 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueS8 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<i64>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueS8 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
impl Gguf_ValueS8 {
}
impl Gguf_ValueS8 {
    pub fn value(&self) -> Ref<'_, i64> {
        self.value.borrow()
    }
}
impl Gguf_ValueS8 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueU1 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<u8>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueU1 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
        *self_rc.value.borrow_mut() = _io.read_u1()?.into();
        Ok(())
    }
}
impl Gguf_ValueU1 {
}
impl Gguf_ValueU1 {
    pub fn value(&self) -> Ref<'_, u8> {
        self.value.borrow()
    }
}
impl Gguf_ValueU1 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueU2 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<u16>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueU2 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
impl Gguf_ValueU2 {
}
impl Gguf_ValueU2 {
    pub fn value(&self) -> Ref<'_, u16> {
        self.value.borrow()
    }
}
impl Gguf_ValueU2 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueU4 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<u32>,
    _io: RefCell<BytesReader>,
    f_as_s8: Cell<bool>,
    as_s8: RefCell<i64>,
}
impl KStruct for Gguf_ValueU4 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
        *self_rc.value.borrow_mut() = _io.read_u4le()?.into();
        Ok(())
    }
}
impl Gguf_ValueU4 {
    pub fn as_s8(
        &self
    ) -> KResult<Ref<'_, i64>> {
        let _io = self._io.borrow();
        let _rrc = self._root.get_value().borrow().upgrade();
        let _prc = self._parent.get_value().borrow().upgrade();
        let _r = _rrc.as_ref().unwrap();
        if self.f_as_s8.get() {
            return Ok(self.as_s8.borrow());
        }
        self.f_as_s8.set(true);
        *self.as_s8.borrow_mut() = ((*self.value() as i64)) as i64;
        Ok(self.as_s8.borrow())
    }
}
impl Gguf_ValueU4 {
    pub fn value(&self) -> Ref<'_, u32> {
        self.value.borrow()
    }
}
impl Gguf_ValueU4 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}

#[derive(Default, Debug, Clone)]
pub struct Gguf_ValueU8 {
    pub _root: SharedType<Gguf>,
    pub _parent: SharedType<Gguf_KeyValue>,
    pub _self: SharedType<Self>,
    value: RefCell<u64>,
    _io: RefCell<BytesReader>,
}
impl KStruct for Gguf_ValueU8 {
    type Root = Gguf;
    type Parent = Gguf_KeyValue;

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
        *self_rc.value.borrow_mut() = _io.read_u8le()?.into();
        Ok(())
    }
}
impl Gguf_ValueU8 {
}
impl Gguf_ValueU8 {
    pub fn value(&self) -> Ref<'_, u64> {
        self.value.borrow()
    }
}
impl Gguf_ValueU8 {
    pub fn _io(&self) -> Ref<'_, BytesReader> {
        self._io.borrow()
    }
}
