/** Fields of a query or an urlencoded form, counted before any of them is built. */

const ampersand = "&";

/** Null for more than `fieldsMax`; an empty field between two ampersands counts too. */
export function urlencodedFields(encoded: string, fieldsMax: number): URLSearchParams | null {
  let count = 1;
  for (let at = encoded.indexOf(ampersand); at !== -1; at = encoded.indexOf(ampersand, at + 1)) {
    count += 1;
    if (count > fieldsMax) return null;
  }
  // Without one before it, a question mark at the beginning would be taken for that of a URL.
  return new URLSearchParams(ampersand + encoded);
}
