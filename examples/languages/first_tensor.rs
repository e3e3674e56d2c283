mod gguf;

use gguf::Gguf;
use kaitai::{BytesReader, KResult, KStream, KStruct, OptRc};
use serde_json::Value;

fn main() -> KResult<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let io = BytesReader::open(&arguments[1])?;
    let types: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&arguments[2]).unwrap()).unwrap();
    let gguf: OptRc<Gguf> = Gguf::read_into(&io, None, None)?;
    let body = gguf.body();
    let Some(tensor) = body.tensors().first().cloned() else {
        println!("no tensors");
        return Ok(());
    };
    let kind = types.iter().find(|each| each["id"] == *tensor.type_id()).expect("a known type");
    let dims = tensor.dims().iter().map(|dim| dim.value().map(|value| *value)).collect::<KResult<Vec<u64>>>()?;
    let size = dims.iter().product::<u64>() / kind["num_elements"].as_u64().unwrap() * kind["size"].as_u64().unwrap();
    io.seek(*body.ofs_tensor_data()? as usize + *tensor.ofs_data() as usize)?;
    let data = io.read_bytes(size as usize)?;
    let shape: Vec<u64> = dims.into_iter().rev().collect();
    let start: String = data[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{} {} {:?} {} {}", *tensor.name().value()?, kind["name"].as_str().unwrap(), shape, data.len(), start);
    Ok(())
}
