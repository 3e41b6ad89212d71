/** Two bodies with the same meaning have the same hash, in any order of keys; idempotency keys have their limits. */
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { canonicalJson, formerPayloadHash, isIdempotencyKey, payloadHash } from "../../src/domain/idempotency.ts";

/** The same value with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, reversed(field)]),
  );
}

const parsed: fc.Arbitrary<unknown> = fc.json({ maxDepth: 5 }).map((json) => JSON.parse(json));

describe("canonical JSON", () => {
  test("orders keys by UTF-16 units at every depth and writes no spaces", () => {
    expect(canonicalJson({ b: [{ z: 1, y: null }, []], a: "é\n", 10: true, 9: {} })).toBe(
      '{"10":true,"9":{},"a":"é\\n","b":[{"y":null,"z":1},[]]}',
    );
  });

  test("orders keys of an object without nested objects the same way, numeric keys included", () => {
    expect(canonicalJson({ b: "\n", a: "é", 10: true, 9: null })).toBe('{"10":true,"9":null,"a":"é","b":"\\n"}');
    expect(canonicalJson({ 1: "one", "-1": "less" })).toBe('{"-1":"less","1":"one"}');
    const keys = fc.constantFrom("__proto__", "toJSON", "-1", "0", "1", "9", "10", "4294967295", "a", "z", "é", "😀");
    const flat = fc.uniqueArray(fc.tuple(keys, fc.constantFrom(null, 1, "\ud800", "x")), { selector: ([key]) => key });
    fc.assert(
      fc.property(flat, (fields) => {
        const json = fields.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        const inOrder = fields.map(([key], index) => ({ key, index })).sort((a, b) => (a.key < b.key ? -1 : 1));
        const expected = `{${inOrder.map(({ index }) => json[index]).join(",")}}`;
        expect(canonicalJson(JSON.parse(`{${json.join(",")}}`))).toBe(expected);
      }),
    );
  });

  test("does not depend on the order of keys", () => {
    fc.assert(fc.property(parsed, (value) => expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))));
  });

  test("is JSON with the same value", () => {
    fc.assert(
      fc.property(parsed, (value) =>
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value))),
      ),
    );
  });

  test("differs for different values", () => {
    fc.assert(
      fc.property(parsed, parsed, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(
          Bun.deepEquals(JSON.parse(canonicalJson(a)), JSON.parse(canonicalJson(b))),
        );
      }),
    );
    const distinct = [
      null,
      "null",
      {},
      [],
      [[]],
      [null],
      { a: null },
      { a: 1 },
      { a: "1" },
      { a: [1] },
      ["a", 1],
      0,
      false,
      "",
    ];
    expect(new Set(distinct.map((value) => canonicalJson(value))).size).toBe(distinct.length);
  });

  test("keeps keys that have a meaning in JavaScript", () => {
    const hostile = '{"__proto__":{"a":1},"constructor":2,"toJSON":3}';
    expect(canonicalJson(JSON.parse(hostile))).toBe(hostile);
  });

  test("leaves out undefined values, as JSON does", () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson([undefined])).toBe("[null]");
  });

  test("accepts a body nested deeper than any stack", () => {
    const json = `${'{"a":['.repeat(200_000)}${"]}".repeat(200_000)}`;
    expect(canonicalJson(JSON.parse(json))).toBe(json);
  });
});

test("a payload hash is SHA-256 over its canonical JSON", () => {
  const payload = { sender: "30001234", message: "سلام" };
  const expected = createHash("sha256").update('{"message":"سلام","sender":"30001234"}').digest();
  expect(Buffer.from(payloadHash(payload)).equals(expected)).toBe(true);
  expect(payloadHash(payload)).toHaveLength(32);
});

test("an idempotency key is 1 to 100 printable ASCII characters", () => {
  for (const key of ["a", "a".repeat(100), "3f2b-11 ~!", " "]) expect(isIdempotencyKey(key)).toBe(true);
  for (const key of ["", "a".repeat(101), "a\n", "\u007f", "é", "کلید", "a\u0000", "\t"])
    expect(isIdempotencyKey(key)).toBe(false);
  for (let unit = 0; unit < 0x100; unit += 1) {
    expect(isIdempotencyKey(String.fromCharCode(unit))).toBe(unit >= 0x20 && unit <= 0x7e);
  }
});

describe("fields that are null", () => {
  test("are left out of the payload hash at every depth, but not out of lists", () => {
    const [bare, nulls] = [{ a: [{ b: 1 }, null] }, { a: [{ b: 1, c: null }, null], d: null }];
    expect(payloadHash(nulls)).toEqual(payloadHash(bare));
    expect(payloadHash({ a: [{ b: 1 }] })).not.toEqual(payloadHash(bare));
    expect(formerPayloadHash(nulls)).not.toEqual(formerPayloadHash(bare));
    expect(formerPayloadHash(bare)).toEqual(payloadHash(bare));
  });
});
