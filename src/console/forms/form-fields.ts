/** The fields of a posted form: every field is text, a missing one an empty text. */

/** With or without files. */
export type FormEntries = FormData | URLSearchParams;

/** The names of fields for passwords, on whatever page: what is typed into them is never kept or shown again. */
export const passwordFields: readonly string[] = [
  "password",
  "again",
  "current",
  "token",
  "callbackSecret",
  "callbackKey",
];

export class FormFields {
  readonly #data: FormEntries;

  constructor(data: FormEntries = new URLSearchParams()) {
    this.#data = data;
  }

  /** With surrounding whitespace removed. */
  text(name: string): string {
    return this.raw(name).trim();
  }

  /** Exactly as typed: for passwords and messages. */
  raw(name: string): string {
    const value = this.#data.get(name);
    return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  }

  /** All values of a field that may occur several times in the form. */
  all(name: string): string[] {
    return this.#data.getAll(name).flatMap((value) => (typeof value === "string" ? value : []));
  }

  /**
   * A digest that is equal for equal fields; a file contributes its name and size. It must not be used to tell secrets
   * apart.
   */
  fingerprint(): string {
    const entries = [...this.#data].map(([name, value]) => [
      name,
      // Encoding two million characters as JSON takes 30 ms.
      typeof value === "string" ? Bun.hash(value).toString(36) : [value.name, value.size],
    ]);
    return Bun.hash(JSON.stringify(entries)).toString(36);
  }

  /** Without files, passwords and `secretFields`. */
  typed(secretFields: readonly string[]): [name: string, value: string][] {
    const omitted = new Set([...passwordFields, ...secretFields]);
    return [...this.#data].flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && !omitted.has(name) ? [[name, value]] : [],
    );
  }

  names(): string[] {
    return [...this.#data.keys()];
  }

  has(name: string): boolean {
    return this.#data.has(name);
  }

  /** Null if no file was chosen. */
  file(name: string): File | null {
    const value = this.#data.get(name);
    return value instanceof File && (value.size > 0 || value.name !== "") ? value : null;
  }
}
