import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { open } from "../index.js";
import { build, reset, serve, status, vocabulary } from "./support.js";

const LARGE = 8 << 20;
const bytes = vocabulary(150_000, LARGE);
const small = build({ metadata: [["k", "string", "v"]] });
let server;

// Make waits between attempts twenty times shorter.
const { setTimeout: wait } = globalThis;
globalThis.setTimeout = (call, delay, ...rest) => wait(call, delay / 20, ...rest);

beforeEach(async () => {
  server = await serve(bytes);
});

afterEach(() => server.stop());

const spans = () => server.requests.map(({ range }) => /bytes=(\d+)-(\d+)/.exec(range).slice(1).map(Number));

test("the header is read by ranges: no byte twice, and no more than needed", async () => {
  const model = await open(server.url);
  assert.equal(model.metadata.get("tokenizer.ggml.tokens").at(-1), "token-149999");
  assert.equal(model.nbytes, bytes.length);
  let end = 0;
  for (const [start, last] of spans()) {
    assert.equal(start, end);
    end = last + 1;
  }
  assert.ok(server.requests.length <= 4, String(spans()));
  assert.equal(model.bytesRead, end);
  assert.ok(end < 2 * model.headerNbytes);
  assert.equal(server.sent, end);
});

test("tensor data is one request", async () => {
  const model = await open(server.url);
  const count = server.requests.length;
  const { position } = model.tensors.get("weight");
  const found = await model.tensors.get("weight").read(LARGE - 5000, LARGE - 2000);
  assert.deepEqual(found, bytes.subarray(position + LARGE - 5000, position + LARGE - 2000));
  assert.equal(server.requests.length, count + 1);
});

test("a file smaller than the first request", async () => {
  server.bytes = small;
  const model = await open(server.url);
  assert.deepEqual([model.nbytes, model.bytesRead, server.requests.length], [small.length, small.length, 1]);
});

test("requests after the first are pinned by the ETag", async () => {
  await open(server.url);
  assert.equal(server.requests[0]["if-range"], undefined);
  assert.ok(server.requests.length > 1);
  for (const request of server.requests.slice(1)) assert.equal(request["if-range"], '"one"');
});

for (const [name, change] of Object.entries({
  "another ETag": (state) => (state.etag = '"two"'),
  "another ETag without support for If-Range": (state) => {
    state.etag = 'W/"two"';
  },
  "another size": (state) => (state.bytes = bytes.subarray(0, bytes.length - 1)),
})) {
  test(`a file that is replaced meanwhile: ${name}`, async () => {
    server.faults.push(() => true, (_request, _response, state) => Boolean(change(state)) || true);
    await assert.rejects(open(server.url), { name: "FileError", message: /was replaced by another one while it was read/ });
  });
}

test("a file that is replaced before its tensors are read", async () => {
  const model = await open(server.url);
  server.etag = '"two"';
  await assert.rejects(model.tensors.get("weight").data(), { name: "FileError", message: /was replaced/ });
});

test("a weak ETag is compared, with the date, and never sent", async () => {
  server.etag = 'W/"weak"';
  server.modified = "Sat, 01 Aug 2026 00:00:00 GMT";
  const model = await open(server.url);
  assert.ok(server.requests.every((request) => !("if-range" in request)));
  server.modified = "Sat, 01 Aug 2026 00:00:01 GMT";
  await assert.rejects(model.tensors.get("weight").data(), { name: "FileError", message: /was replaced/ });
});

test("temporary failures are retried, without requesting received bytes again", async () => {
  const cut = (request, response) => {
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(request.headers.range).map(Number);
    response.writeHead(206, { etag: '"one"', "content-range": `bytes ${start}-${end}/${bytes.length}`, "content-length": end + 1 - start });
    response.write(bytes.subarray(start, start + 1000));
    setTimeout(() => request.socket.destroy(), 50);
    return false;
  };
  server.faults.push(status(503), reset, cut, status(429, { "retry-after": "0" }));
  const model = await open(server.url);
  assert.equal(model.metadata.size, 3);
  assert.deepEqual(spans().slice(0, 5).map(([start]) => start), [0, 0, 0, 1000, 1000]);
  assert.equal(model.bytesRead, spans().at(-1)[1] + 1);
});

for (const [name, head] of [
  ["a range", [206, { "content-range": `bytes 0-${(1 << 20) - 1}/${bytes.length}` }]],
  ["the whole file", [200, { "content-length": bytes.length }]],
]) {
  test(`an answer is not left open if onProgress throws: ${name}`, async () => {
    const closed = new Promise((resolve) => {
      server.faults.push((_request, response) => {
        response.on("close", resolve);
        response.writeHead(...head).write(bytes.subarray(0, 1000));
        return false;
      });
    });
    const mine = new Error("mine");
    const onProgress = () => {
      throw mine;
    };
    await assert.rejects(open(server.url, { onProgress }), mine);
    await closed;
  });
}

test("a failure of the last retry is an error", async () => {
  server.faults.push(...Array(5).fill(status(503)));
  await assert.rejects(open(server.url), { name: "FileError", message: /model\.gguf: the server answered 503/ });
  assert.equal(server.requests.length, 5);
});

test("a long Retry-After is an error", async () => {
  server.faults.push(status(429, { "retry-after": "3600" }));
  await assert.rejects(open(server.url), { name: "FileError", message: /429/ });
  assert.equal(server.requests.length, 1);
});

for (const [code, words] of [[404, /no such file \(the server answered 404/], [403, /403.*a token is needed/], [500, /500/], [418, /418/]]) {
  test(`status ${code}`, async () => {
    server.faults.push(...Array(5).fill(status(code)));
    await assert.rejects(open(server.url), (error) => {
      assert.equal(error.name, "FileError");
      assert.match(error.message, words);
      if (code !== 500) assert.equal(error.status, code);
      return true;
    });
  });
}

for (const [name, header] of Object.entries({
  "another start": `bytes 1-1048576/${bytes.length}`,
  "an end beyond the file": "bytes 0-99/99",
  "no size": "bytes 0-99/*",
  "no sense": "bytes",
  nothing: undefined,
})) {
  test(`Content-Range with ${name} is refused`, async () => {
    server.faults.push((_request, response) => {
      response.writeHead(206, header ? { "content-range": header } : {});
      response.end(bytes.subarray(0, 100));
      return false;
    });
    await assert.rejects(open(server.url), { name: "FileError", message: /Content-Range/ });
  });
}

test("bytes beyond the announced length of a response are ignored", async () => {
  server.faults.push((_request, response) => {
    response.writeHead(206, { etag: '"one"', "content-range": `bytes 0-99/${bytes.length}` });
    response.end(Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(5000, 0xff)]));
    return false;
  });
  const model = await open(server.url);
  assert.equal(model.metadata.size, 3);
  assert.equal(spans()[1][0], 100);
});

test("a server without ranges: only the header is read", async () => {
  await server.stop();
  server = await serve(bytes, { ranges: false });
  const model = await open(server.url);
  assert.equal(model.metadata.get("tokenizer.ggml.tokens").at(-1), "token-149999");
  assert.equal(server.requests.length, 1);
  assert.ok(model.bytesRead < 2 * model.headerNbytes);
  await assert.rejects(model.tensors.get("weight").data(), { name: "FileError", message: /does not send ranges/ });
});

test("a response without a size is refused", async () => {
  server.faults.push((_request, response) => {
    response.writeHead(200, { "transfer-encoding": "chunked" });
    response.end(small);
    return false;
  });
  await assert.rejects(open(server.url), { name: "FileError", message: /neither the size/ });
});

test("an encoded response is refused", async () => {
  server.faults.push((_request, response) => {
    response.writeHead(206, { "content-encoding": "x-other", "content-range": `bytes 0-99/${bytes.length}` });
    response.end(bytes.subarray(0, 100));
    return false;
  });
  await assert.rejects(open(server.url), { name: "FileError", message: /encodes the file as "x-other"/ });
});

test("an empty file", async () => {
  server.bytes = new Uint8Array(0);
  await assert.rejects(open(server.url), { name: "TruncatedError", message: /empty/ });
});

test("headers, users and passwords", async () => {
  await open(server.url, { headers: { Authorization: "Bearer abc", "X-Own": "1" } });
  assert.ok(server.requests.every((request) => request.authorization === "Bearer abc" && request["x-own"] === "1"));
  server.requests.length = 0;
  const model = await open(server.url.replace("http://", "http://user:p%C3%A4ss@"));
  assert.equal(server.requests[0].authorization, `Basic ${Buffer.from("user:päss").toString("base64")}`);
  assert.equal(model.name, server.url);
  server.requests.length = 0;
  await open(server.url.replace("http://", "http://100%:a@"));
  assert.equal(server.requests[0].authorization, `Basic ${Buffer.from("100%:a").toString("base64")}`);
});

test("messages and names contain no secrets", async () => {
  server.faults.push(status(404));
  await assert.rejects(open(`${server.url.replace("http://", "http://me:secret@")}?token=secret#secret`), (error) => {
    assert.ok(error.message.includes(server.url));
    assert.ok(!error.message.includes("secret"));
    return true;
  });
});

test("a redirect is followed once; its target is then requested directly, without the headers if the origin differs", async () => {
  const other = await serve(bytes);
  try {
    server.faults.push(status(302, { location: `${other.url}?signed=1` }));
    const model = await open(server.url, { headers: { "X-Own": "1" } });
    assert.equal(model.metadata.size, 3);
    assert.equal(server.requests.length, 1);
    assert.ok(other.requests.length > 1);
    assert.ok(other.requests.slice(1).every((request) => !("x-own" in request)));
    // When the target of the redirect has expired, the original address is requested again.
    other.faults.push(status(403));
    server.faults.push(status(302, { location: `${other.url}?signed=2` }));
    assert.equal((await model.tensors.get("weight").data()).length, LARGE);
    assert.ok(other.requests.at(-1).url.endsWith("signed=2"));
  } finally {
    await other.stop();
  }
});

test("a request that was aborted", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  server.faults.push(() => {
    controller.abort(reason);
    return false;
  });
  await assert.rejects(open(server.url, { signal: controller.signal }), reason);
  const again = new AbortController();
  server.faults.push(status(503));
  setTimeout(() => again.abort(reason), 30);
  await assert.rejects(open(server.url, { signal: again.signal }), reason);
});

test("fetch can be replaced", async () => {
  const asked = [];
  const fetch = (url, init) => {
    asked.push(String(url));
    return globalThis.fetch(url, init);
  };
  await open(new URL(server.url), { fetch });
  assert.ok(asked.length > 0);
  await assert.rejects(open(server.url, { fetch: "no" }), { name: "TypeError", message: /fetch/ });
});

test("no server is running", async () => {
  await server.stop();
  const fetch = async () => {
    throw new TypeError("fetch failed");
  };
  await assert.rejects(open(server.url, { fetch }), (error) => {
    assert.equal(error.name, "FileError");
    assert.match(error.message, /no connection/);
    assert.equal(error.cause.message, "fetch failed");
    return true;
  });
});

test("a header that claims more than the file has causes no requests beyond the file", async () => {
  const claims = build({ metadata: [["k", "array", { type: "uint8", items: [] }]] });
  new DataView(claims.buffer).setUint32(claims.length - (claims.length % 32 || 32) + 17, 0, true);
  const position = 24 + 8 + 1 + 4 + 4;
  new DataView(claims.buffer).setBigUint64(position, 1n << 29n, true);
  server.bytes = Buffer.concat([claims, Buffer.alloc(3 << 20)]);
  await assert.rejects(open(server.url), { name: "TruncatedError" });
  assert.equal(server.requests.length, 1);
});
