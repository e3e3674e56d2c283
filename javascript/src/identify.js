/** Descriptions by first characters. The magic numbers of ggml's older formats are little-endian uint32. */
const SIGNATURES = [
  ["FUGG", "the magic is reversed: FUGG instead of GGUF"],
  ["lmgg", "it is a GGML file (unversioned), a format that came before GGUF"],
  ["fmgg", "it is a GGMF file, a format that came before GGUF"],
  ["tjgg", "it is a GGJT file, a format that came before GGUF"],
  ["version https://git-lfs", "it is a git-lfs pointer, not the file itself"],
  ["PK\x03\x04", "it is a zip archive, as PyTorch saves models"],
  ["\x1f\x8b", "it is gzip-compressed: unpack it first"],
  ["\x28\xb5\x2f\xfd", "it is zstd-compressed: unpack it first"],
];

/**
 * Return a clause that describes bytes that do not start with the GGUF magic, or undefined.
 *
 * @param {Uint8Array} start
 */
export function identify(start) {
  const text = String.fromCharCode(...start.subarray(0, 256));
  const known = SIGNATURES.find(([signature]) => text.startsWith(signature));
  if (known) return known[1];
  if (text[8] === "{" && text.slice(4, 8) === "\0\0\0\0") return "it is a safetensors file";
  const trimmed = text.replace(/^\xef\xbb\xbf/, "").trimStart();
  if (trimmed.startsWith("<") && /<(!doctype\s+html|html|head|body)[\s>]/i.test(trimmed)) {
    return "it is an HTML page: the link gave a web page instead of the file";
  }
  if (/^<\?xml/i.test(trimmed)) return "it is an XML document: the link may have given a server's error message";
  return /^\s*[{[]/.test(text) ? "it is JSON text" : undefined;
}
