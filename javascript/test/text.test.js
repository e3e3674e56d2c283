import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { decode, encode } from "../index.js";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xff), { maxLength: 60 })
    .map((items) => Uint8Array.from(items)),
);

test("encoding restores the decoded bytes", () => {
  fc.assert(fc.property(bytes, (data) => assert.deepEqual(encode(decode(data)), data)), { numRuns: 2000 });
});

test("UTF-8 is decoded as UTF-8, and only that is well-formed", () => {
  fc.assert(fc.property(bytes, (data) => {
    let expected;
    try {
      expected = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
    } catch {
      assert.ok(!decode(data).isWellFormed());
      return;
    }
    assert.equal(decode(data), expected);
  }), { numRuns: 2000 });
});

test("texts of any characters", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 50 }), (text) => assert.equal(decode(encode(text)), text)));
});

test("a surrogate pair is not an escape, even after one", () => {
  assert.deepEqual([...encode("\udcff\u{1f480}\udc80")], [0xff, 0xf0, 0x9f, 0x92, 0x80, 0x80]);
  assert.equal(decode(encode("\udcff\u{1f480}\udc80")), "\udcff\u{1f480}\udc80");
});

test("texts that are not UTF-8 take little memory", () => {
  const code = `
    const { decode, encode } = await import(${JSON.stringify(new URL("../index.js", import.meta.url).href)});
    const bytes = new Uint8Array(3 << 20).fill(0x61).map((byte, index) => (index % 2 ? byte : 0xff));
    if (Buffer.compare(encode(decode(bytes)), bytes)) process.exit(3);`;
  execFileSync(process.execPath, ["--max-old-space-size=40", "--input-type=module", "--eval", code], { stdio: "pipe" });
});

test("a byte order mark is a character like any other", () => {
  assert.equal(decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)), "\ufeffA");
});

test("a million bytes that are not UTF-8 do not take quadratic time", () => {
  const text = decode(new Uint8Array(1 << 20).fill(0xff));
  assert.equal(text.length, 1 << 20);
  assert.equal(text.at(-1), "\udcff");
});
