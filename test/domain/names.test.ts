/** The small vocabularies: which correlation ids a client may choose, which permissions there are. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isCorrelationId } from "../../src/domain/correlation-id.ts";
import { isPermission, permissions } from "../../src/domain/permissions.ts";

test("a correlation id is 1 to 64 letters, digits, hyphens, underscores and dots", () => {
  for (const id of ["a", "A".repeat(64), "req-1_2.3", "..."]) expect(isCorrelationId(id)).toBe(true);
  for (const id of ["", "a".repeat(65), "a b", "a\n", "é", "۱", "a/b", "a\u0000"])
    expect(isCorrelationId(id)).toBe(false);
  const allowed = fc.string({ unit: fc.constantFrom(..."azAZ09_.-"), minLength: 1, maxLength: 64 });
  fc.assert(fc.property(allowed, (id) => expect(isCorrelationId(id)).toBe(true)));
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (id) => {
      expect(isCorrelationId(id)).toBe(id.length <= 64 && id !== "" && [...id].every((c) => /[A-Za-z0-9_.-]/.test(c)));
    }),
  );
});

test("there are eight permissions, and no other name is one", () => {
  expect(permissions).toHaveLength(8);
  for (const permission of permissions) expect(isPermission(permission)).toBe(true);
  for (const other of ["", "messages", "messages:Send", "messages:send ", "*", "constructor"]) {
    expect(isPermission(other)).toBe(false);
  }
});
