// The index, the official parser and reading of values, with files that fast-check generates.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GGUFError, open } from "../index.js";
import { VALUE_TYPES } from "../types.js";
import { compare } from "./official.js";
import { build } from "./support.js";

const SCALARS = {
  uint8: fc.nat(255), int8: fc.integer({ min: -128, max: 127 }), uint16: fc.nat(65535),
  int16: fc.integer({ min: -32768, max: 32767 }), uint32: fc.nat({ max: 2 ** 32 - 1 }), int32: fc.integer(),
  float32: fc.float(), bool: fc.nat(1), string: fc.uint8Array({ maxLength: 30 }),
  uint64: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  float64: fc.double(),
};
const { arrays } = fc.letrec((tie) => ({
  arrays: fc.oneof(
    { maxDepth: 3 },
    ...Object.entries(SCALARS).map(([type, items]) => fc.record({ type: fc.constant(type), items: fc.array(items, { maxLength: 5 }) })),
    fc.record({ type: fc.constant("array"), items: fc.array(tie("arrays"), { maxLength: 3 }) }),
  ),
}));
const values = fc.oneof(
  ...Object.entries(SCALARS).map(([type, value]) => value.map((each) => [type, each])),
  arrays.map((each) => ["array", each]),
);
const models = fc.record({
  metadata: fc.array(values, { maxLength: 6 }).map((rows) => rows.map((row, number) => [`key.${number}`, ...row])),
  tensors: fc.array(fc.array(fc.nat(8), { maxLength: 4 }), { maxLength: 4 })
    .map((rows) => rows.map((dims, number) => ({ name: `t${number}`, dims, offset: number * 16384 }))),
  version: fc.constantFrom(1, 2, 3),
});
const files = models.chain((model) => fc.boolean().map((little) => build({ ...model, little: little || model.version < 3 })));
const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 8, 9, 12, 13, 0x40, 0x7f, 0x80, 0xff)), { minLength: 1, maxLength: 4 });
const broken = fc.tuple(files, changes, fc.option(fc.nat())).map(([bytes, places, end]) => {
  for (const [place, byte] of places) bytes[place % bytes.length] = byte;
  return end === null ? bytes : bytes.subarray(0, end % (bytes.length + 1));
});

test("the index finds the same in valid files as the official parser", () => {
  fc.assert(fc.property(files, (bytes) => assert.equal(compare(bytes), "accepted")), { numRuns: 300 });
});

test("the index finds and refuses the same in broken files as the official parser", () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(fc.property(broken, (bytes) => {
    const result = compare(bytes);
    assert.ok(result in seen, result);
    seen[result]++;
  }), { numRuns: 1000 });
  assert.ok(seen.accepted > 20 && seen.refused > 20, JSON.stringify(seen));
});

test("the values are those that were written", async () => {
  await fc.assert(fc.asyncProperty(models, async (model) => {
    const { metadata } = await open(build(model));
    for (const [key, type, value] of model.metadata) {
      assert.equal(metadata.entry(key).type, type);
      if (type === "array") {
        assert.equal(metadata.get(key).length, value.items.length);
        assert.equal(metadata.entry(key).elementType, value.type);
      } else if (type !== "string") assert.deepEqual(metadata.get(key), type === "bool" ? value === 1 : value);
    }
  }));
});

test("any file opens or is refused, and everything in an open file can be read", async () => {
  await fc.assert(fc.asyncProperty(broken, async (bytes) => {
    let model;
    try {
      model = await open(bytes);
    } catch (error) {
      assert.ok(error instanceof GGUFError, error.stack);
      return;
    }
    JSON.parse(model.canonicalJSON());
    for (let position = 0; position < model.headerNbytes; position += 7) {
      const fields = model.fieldsAt(position);
      assert.ok(fields.length > 0);
      for (const { start, end } of fields) assert.ok(start <= position && position < end);
    }
    for (const tensor of model.tensors.values()) await tensor.data().catch((error) => assert.ok(error instanceof GGUFError));
  }), { numRuns: 300 });
});

test("value types have the same numbers as in the schema", () => {
  assert.equal(VALUE_TYPES.indexOf("string"), 8);
});
