/** Descriptions by first characters. The magic numbers of ggml's older formats are little-endian uint32. */
const SIGNATURES = [
  ["FUGG", "a GGUF file with its magic in the wrong byte order"],
  ["lmgg", "a GGML file (unversioned), a format that came before GGUF"],
  ["fmgg", "a GGMF file, a format that came before GGUF"],
  ["tjgg", "a GGJT file, a format that came before GGUF"],
  ["version https://git-lfs", "a git-lfs pointer, not the file itself"],
  ["PK\x03\x04", "a zip archive, as PyTorch saves models"],
  ["\x1f\x8b", "gzip-compressed: unpack it first"],
  ["\x28\xb5\x2f\xfd", "zstd-compressed: unpack it first"],
];

/**
 * Return a description of bytes that do not start with the GGUF magic, or undefined.
 *
 * @param {Uint8Array} start
 */
export function identify(start) {
  const text = String.fromCharCode(...start.subarray(0, 256));
  const known = SIGNATURES.find(([signature]) => text.startsWith(signature));
  if (known) return known[1];
  if (text[8] === "{" && text.slice(4, 8) === "\0\0\0\0") return "a safetensors file";
  if (text.trimStart().startsWith("<")) return "an HTML or XML page: the link gave a web page instead of the file";
  return /^\s*[{[]/.test(text) ? "JSON text" : undefined;
}
