/** When two requests are the same request: idempotency keys and the hash of what they stand for. */

const printableAscii = /^[\x20-\x7e]{1,100}$/;

/** 1 to 100 printable ASCII characters. */
export function isIdempotencyKey(text: string): boolean {
  return printableAscii.test(text);
}

/** An array or object that is being written. */
interface OpenContainer {
  values: readonly unknown[];
  /** What stands before each value: its key and a colon. Null in an array. */
  labels: readonly string[] | null;
  written: number;
}

function openArray(values: readonly unknown[]): OpenContainer {
  return { values, labels: null, written: 0 };
}

function openObject(object: object): OpenContainer {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    values: entries.map(([, value]) => value),
    labels: entries.map(([key]) => `${JSON.stringify(key)}:`),
    written: 0,
  };
}

/**
 * JSON without spaces and with the keys of every object in the order of their UTF-16 units, so that equal values give
 * equal texts. It takes what `JSON.parse` gives. It does not recurse: a body may be nested deeper than the stack.
 */
export function canonicalJson(value: unknown): string {
  const open: OpenContainer[] = [];
  let json = "";
  const write = (next: unknown) => {
    if (typeof next !== "object" || next === null) {
      json += JSON.stringify(next) ?? "null";
      return;
    }
    const container = Array.isArray(next) ? openArray(next) : openObject(next);
    json += container.labels === null ? "[" : "{";
    open.push(container);
  };
  write(value);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.written === top.values.length) {
      json += top.labels === null ? "]" : "}";
      open.pop();
      continue;
    }
    if (top.written > 0) json += ",";
    json += top.labels?.[top.written] ?? "";
    const next = top.values[top.written];
    top.written += 1;
    write(next);
  }
  return json;
}

/** SHA-256 over the canonical JSON: 32 bytes. */
export function payloadHash(value: unknown): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(canonicalJson(value)).digest();
}
