// Files for tests, and a web server that fails on request.

import { createServer } from "node:http";
import { VALUE_TYPES } from "../types.js";

const encoder = new TextEncoder();
const SETTERS = {
  uint8: ["setUint8", 1], int8: ["setInt8", 1], uint16: ["setUint16", 2], int16: ["setInt16", 2], uint32: ["setUint32", 4],
  int32: ["setInt32", 4], float32: ["setFloat32", 4], bool: ["setUint8", 1], uint64: ["setBigUint64", 8],
  int64: ["setBigInt64", 8], float64: ["setFloat64", 8],
};

/** The elements of an array value and their type. */
export const array = (type, items) => ({ type, items });

/**
 * Returns the bytes of a file. `metadata` has rows of key, type and value; `tensors` has objects with name, dims,
 * typeId and offset.
 */
export function build({ metadata = [], tensors = [], data = new Uint8Array(0), version = 3, little = true, alignment = 32 } = {}) {
  const parts = [encoder.encode("GGUF"), u4(version), length(tensors.length), length(metadata.length)];
  for (const [key, type, value] of metadata) {
    parts.push(string(key), u4(VALUE_TYPES.indexOf(type)));
    for (const part of encoded(type, value)) parts.push(part);
  }
  for (const { name, dims, typeId = 0, offset = 0 } of tensors) {
    parts.push(string(name), u4(dims.length), ...dims.map(length), u4(typeId), scalar("uint64", BigInt(offset)));
  }
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  parts.push(new Uint8Array((alignment - (size % alignment)) % alignment), data);
  return new Uint8Array(Buffer.concat(parts));

  function scalar(type, value) {
    const [setter, width] = SETTERS[type];
    const view = new DataView(new ArrayBuffer(width));
    view[setter](0, value, little);
    return new Uint8Array(view.buffer);
  }

  function u4(value) {
    return scalar("uint32", value);
  }

  function length(value) {
    return version === 1 ? u4(value) : scalar("uint64", BigInt(value));
  }

  function string(value) {
    const bytes = typeof value === "string" ? encoder.encode(value) : value;
    return Buffer.concat([length(bytes.length), bytes]);
  }

  function encoded(type, value) {
    if (type === "string") return [string(value)];
    if (type !== "array") return [scalar(type, value)];
    const items = value.items.flatMap((item) => encoded(value.type, item));
    return [u4(VALUE_TYPES.indexOf(value.type)), length(value.items.length), ...items];
  }
}

/** Returns a file with a vocabulary that takes several requests. */
export function vocabulary(count = 200_000, tensorBytes = 4096) {
  const tokens = Array.from({ length: count }, (_, index) => `token-${index}`);
  return build({
    metadata: [
      ["general.architecture", "string", "llama"],
      ["tokenizer.ggml.tokens", "array", array("string", tokens)],
      ["tokenizer.ggml.scores", "array", array("float32", tokens.map((_, index) => index))],
    ],
    tensors: [{ name: "weight", dims: [tensorBytes / 4] }],
    data: Uint8Array.from({ length: tensorBytes }, (_, index) => index % 251),
  });
}

/**
 * Starts a server of one file. Each request takes the next of `faults`, a function of the request, the response and the
 * server that returns whether the request must still be answered. `requests` has the headers of all requests.
 */
export async function serve(bytes, { etag = '"one"', ranges = true } = {}) {
  const state = { bytes, etag, modified: undefined, faults: [], requests: [], sent: 0 };
  const server = createServer((request, response) => {
    state.requests.push({ url: request.url, ...request.headers });
    const fault = state.faults.shift();
    if (fault && !fault(request, response, state)) return;
    const headers = { ...(state.etag && { etag: state.etag }), ...(state.modified && { "last-modified": state.modified }) };
    const match = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    const isOther = request.headers["if-range"] !== undefined && request.headers["if-range"] !== state.etag;
    if (!ranges || !match || isOther) {
      response.writeHead(200, { ...headers, "content-length": state.bytes.length });
      response.on("close", () => (state.sent += response.socket?.bytesWritten ?? 0));
      response.end(state.bytes);
      return;
    }
    const [start, end] = [Number(match[1]), Math.min(Number(match[2]) + 1, state.bytes.length)];
    if (start >= state.bytes.length) {
      response.writeHead(416, { "content-range": `bytes */${state.bytes.length}` });
      response.end();
      return;
    }
    state.sent += end - start;
    response.writeHead(206, {
      ...headers,
      "content-range": `bytes ${start}-${end - 1}/${state.bytes.length}`,
      "content-length": end - start,
    });
    response.end(state.bytes.subarray(start, end));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/model.gguf`,
    async [Symbol.asyncDispose]() {
      await this.stop();
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Answers with a status. */
export const status = (code, headers = {}) => (_request, response) => {
  response.writeHead(code, headers);
  response.end();
  return false;
};

/** Breaks the connection. */
export const reset = (request) => {
  request.socket.destroy();
  return false;
};
