/** What a form posted: every field is a text, a missing one an empty text. */

/** With files, or without. */
export type FormEntries = FormData | URLSearchParams;

export class FormFields {
  readonly #data: FormEntries;

  constructor(data: FormEntries = new URLSearchParams()) {
    this.#data = data;
  }

  /** Without the space around it. */
  text(name: string): string {
    return this.raw(name).trim();
  }

  /** As it was typed: for passwords and messages. */
  raw(name: string): string {
    const value = this.#data.get(name);
    return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  }

  /** Of a field that may stand several times in the form. */
  all(name: string): string[] {
    return this.#data.getAll(name).flatMap((value) => (typeof value === "string" ? value : []));
  }

  /** The same for the same fields; of a file its name and size count. Not for secrets to be told by. */
  fingerprint(): string {
    const entries = [...this.#data].map(([name, value]) => [
      name,
      // As JSON, two million characters take 30 ms.
      typeof value === "string" ? Bun.hash(value).toString(36) : [value.name, value.size],
    ]);
    return Bun.hash(JSON.stringify(entries)).toString(36);
  }

  /** Without files and `secretFields`. */
  typed(secretFields: readonly string[]): [name: string, value: string][] {
    return [...this.#data].flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && !secretFields.includes(name) ? [[name, value]] : [],
    );
  }

  names(): string[] {
    return [...this.#data.keys()];
  }

  has(name: string): boolean {
    return this.#data.has(name);
  }

  /** Null where no file was chosen. */
  file(name: string): File | null {
    const value = this.#data.get(name);
    return value instanceof File && (value.size > 0 || value.name !== "") ? value : null;
  }
}
