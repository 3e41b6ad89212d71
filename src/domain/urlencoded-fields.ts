/** Fields of a query or urlencoded form, counted before any of them is built. */

const ampersand = "&";

/** Null if there are more than `fieldsMax`; an empty field between two ampersands counts too. */
export function urlencodedFields(encoded: string, fieldsMax: number): URLSearchParams | null {
  let count = 1;
  for (let at = encoded.indexOf(ampersand); at !== -1; at = encoded.indexOf(ampersand, at + 1)) {
    count += 1;
    if (count > fieldsMax) return null;
  }
  // Without the ampersand, a leading question mark would be treated as that of a URL.
  return new URLSearchParams(ampersand + encoded);
}
