/** Fields of a query or form as octets; they are counted before any is built. */
import { percentDecoded } from "./percent-decoding.ts";
import { charsetText } from "./text-charset.ts";

interface EncodedField {
  name: string;
  /** One character per octet, percent-encoded. */
  value: string;
}

/** Stands for itself: ASCII without escapes. */
const isPlain = (encoded: string): boolean => !/[%+\u0080-\u00ff]/.test(encoded);

export class RawFields {
  /** The first value of each name. A request asks for far more names than it has fields. */
  readonly #values = new Map<string, string>();

  constructor(private readonly fields: readonly EncodedField[]) {
    for (const { name, value } of fields) if (!this.#values.has(name)) this.#values.set(name, value);
  }

  static readonly none = new RawFields([]);

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The first field with this name; null if there is none. */
  octets(name: string): Buffer | null {
    const value = this.#values.get(name);
    return value === undefined ? null : percentDecoded(Buffer.from(value, "latin1"));
  }

  /** The same as text; null as well if the octets are malformed. */
  text(name: string, charset = "utf-8"): string | null {
    const value = this.#values.get(name);
    if (value === undefined) return null;
    return isPlain(value) ? value : charsetText(percentDecoded(Buffer.from(value, "latin1")), charset);
  }

  /** The first of these names whose value is not UTF-8; null if there is none. */
  malformed(names: Iterable<string> = this.#values.keys()): string | null {
    for (const name of names) if (this.has(name) && this.text(name) === null) return name;
    return null;
  }

  count(name: string): number {
    return this.fields.filter((one) => one.name === name).length;
  }

  names(): string[] {
    return this.fields.map(({ name }) => name);
  }

  /** These fields, followed by the others. */
  and(others: RawFields): RawFields {
    return new RawFields([...this.fields, ...others.fields]);
  }
}

/** Null for more than `fieldsMax`. `encoded`: a query, or the octets of a form with one character each. */
export function readRawFields(encoded: string, fieldsMax: number): RawFields | null {
  const fields: EncodedField[] = [];
  let count = 0;
  for (let from = 0; from <= encoded.length; ) {
    const ampersand = encoded.indexOf("&", from);
    const end = ampersand === -1 ? encoded.length : ampersand;
    count += 1;
    if (count > fieldsMax) return null;
    if (end > from) fields.push(fieldOf(encoded, from, end));
    from = end + 1;
  }
  return new RawFields(fields);
}

function fieldOf(encoded: string, from: number, end: number): EncodedField {
  const equals = encoded.indexOf("=", from);
  const nameEnd = equals === -1 || equals > end ? end : equals;
  const name = encoded.slice(from, nameEnd);
  return {
    name: isPlain(name) ? name : percentDecoded(Buffer.from(name, "latin1")).toString("utf8"),
    value: nameEnd === end ? "" : encoded.slice(nameEnd + 1, end),
  };
}

/** The octets of a form. */
export const encodedForm = (octets: Uint8Array): string =>
  Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("latin1");
