/** Fields of a query or form as octets; they are counted before any is built. */
import { percentDecoded } from "../domain/percent-decoding.ts";

interface EncodedField {
  name: string;
  /** One character per octet, percent-encoded. */
  value: string;
}

export class RawFields {
  readonly #fields: readonly EncodedField[];

  constructor(fields: readonly EncodedField[]) {
    this.#fields = fields;
  }

  static readonly none = new RawFields([]);

  /** The first field with this name; null if there is none. */
  octets(name: string): Buffer | null {
    const field = this.#fields.find((one) => one.name === name);
    return field === undefined ? null : percentDecoded(Buffer.from(field.value, "latin1"));
  }

  /** The same as text; octets that are not UTF-8 become U+FFFD. */
  text(name: string): string | null {
    return this.octets(name)?.toString("utf8") ?? null;
  }

  count(name: string): number {
    return this.#fields.filter((one) => one.name === name).length;
  }

  names(): string[] {
    return this.#fields.map(({ name }) => name);
  }

  /** These fields, followed by the others. */
  and(others: RawFields): RawFields {
    return new RawFields([...this.#fields, ...others.#fields]);
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
  const isPlain = !name.includes("%") && !name.includes("+");
  return {
    name: isPlain ? name : percentDecoded(Buffer.from(name, "latin1")).toString("utf8"),
    value: nameEnd === end ? "" : encoded.slice(nameEnd + 1, end),
  };
}

/** The octets of a form. */
export const encodedForm = (octets: Uint8Array): string =>
  Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString("latin1");
