/** Fields of a query or form are counted before they are built. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { urlencodedFields } from "../../src/domain/urlencoded-fields.ts";

test("form fields are read as a browser reads them, up to the allowed number", () => {
  const text = fc.array(fc.constantFrom("a", "=", "&", "%41", "%", "+", "س", "%D8", "?", "#"), { maxLength: 30 });
  fc.assert(
    fc.property(text, (pieces) => {
      const encoded = pieces.join("");
      const url = new URL("http://localhost/");
      url.search = `?${encoded.replaceAll("#", "%23")}`;
      expect([...(urlencodedFields(encoded, 31) ?? [])]).toEqual([...url.searchParams]);
    }),
  );
  expect([...(urlencodedFields("a&b&c", 3) ?? [])]).toHaveLength(3);
  expect(urlencodedFields("a&b&c", 2)).toBeNull();
  expect(urlencodedFields("&&", 2)).toBeNull();
  expect([...(urlencodedFields("", 1) ?? [])]).toEqual([]);
});
