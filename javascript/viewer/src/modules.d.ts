// The class that Kaitai Struct's compiler generates, and its runtime. Neither declares its types.

declare module "ggml-block" {
  const generated: { GgmlBlock: Record<string, any> };
  export default generated;
}

declare module "kaitai-struct/KaitaiStream" {
  const KaitaiStream: new (buffer: ArrayBuffer) => any;
  export default KaitaiStream;
}
