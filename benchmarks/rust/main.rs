//! The crate ggus, with the protocol of readers.py.

use std::{fs::File, hint::black_box, io, time::Instant};

use ggus::{GGuf, GGufMetaDataValueType as Type, GGufReadError, GGufReader};
use memmap2::Mmap;
use sha2::{Digest, Sha256};

fn map(path: &str) -> Mmap {
    let file = File::open(path).expect("the file can be opened");
    unsafe { Mmap::map(&file) }.expect("the file can be mapped")
}

fn read(map: &Mmap) -> GGuf<'_> {
    GGuf::new(map).expect("ggus can read the file")
}

/// Returns the best of five runs in a row in seconds, or fewer if they are slow.
fn warm(path: &str) -> f64 {
    let mut best = f64::INFINITY;
    for i in 0..5 {
        if i > 0 && best > 0.2 {
            break;
        }
        let start = Instant::now();
        let map = map(path);
        let model = black_box(read(&map));
        best = best.min(start.elapsed().as_secs_f64());
        drop(model);
    }
    best
}

/// Returns the same digests as readers.py.
fn output(path: &str) -> String {
    let map = map(path);
    let model = read(&map);
    let (mut metadata, mut tensors) = (Sha256::new(), Sha256::new());
    for (key, item) in &model.meta_kvs {
        add_text(&mut metadata, key);
        add(&mut metadata, &mut item.value_reader(), item.ty())
            .expect("ggus has checked the value");
    }
    for (name, tensor) in &model.tensors {
        let info = tensor.to_info();
        let mut dims = [1; 4];
        dims[..info.shape().len()].copy_from_slice(info.shape());
        tensors.update(format!(
            "('{name}', {dims:?}, {}, {})",
            info.ty() as u32,
            info.offset()
        ));
    }
    format!(
        r#"{{"metadata": "{:x}", "tensors": "{:x}"}}"#,
        metadata.finalize(),
        tensors.finalize()
    )
}

fn add(sha: &mut Sha256, reader: &mut GGufReader, of: Type) -> Result<(), GGufReadError> {
    let number = match of {
        Type::String => {
            add_text(sha, reader.read_str()?);
            return Ok(());
        }
        Type::Array => {
            let (of, count) = reader.read_arr_header()?;
            return (0..count).try_for_each(|_| add(sha, reader, of));
        }
        Type::U8 => reader.read::<u8>()? as f64,
        Type::I8 => reader.read::<i8>()? as f64,
        Type::U16 => reader.read::<u16>()? as f64,
        Type::I16 => reader.read::<i16>()? as f64,
        Type::U32 => reader.read::<u32>()? as f64,
        Type::I32 => reader.read::<i32>()? as f64,
        Type::F32 => reader.read::<f32>()? as f64,
        Type::Bool => u8::from(reader.read_bool()?) as f64,
        Type::U64 => reader.read::<u64>()? as f64,
        Type::I64 => reader.read::<i64>()? as f64,
        Type::F64 => reader.read::<f64>()?,
    };
    sha.update(number.to_le_bytes());
    Ok(())
}

fn add_text(sha: &mut Sha256, text: &str) {
    sha.update((text.len() as f64).to_le_bytes());
    sha.update(text);
}

fn main() {
    for line in io::stdin().lines() {
        let line = line.expect("a line of text");
        let (operation, path) = line.split_once(' ').expect("an operation and a path");
        match operation {
            "output" => println!("{}", output(path)),
            _ => println!("{}", warm(path)),
        }
    }
}
