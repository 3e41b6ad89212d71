/**
 * The last calls of each intake, in memory: the names, types and lengths of their fields, and the outcome; no values.
 */

/** A field of a call: its path and type. */
export interface CallField {
  path: string;
  type: "text" | "number" | "truth" | "list" | "object" | "nothing";
  /** Characters of a string, elements of an array; otherwise null. */
  length: number | null;
}

export interface RecordedCall {
  /** Epoch milliseconds. */
  at: number;
  contentType: string;
  bytes: number;
  fields: readonly CallField[];
  /** There were more fields. */
  hasMoreFields: boolean;
  /** `accepted`, `nothing`, `repeated`, or the reason for the refusal. */
  outcome: string;
  words: string;
  messages: number;
}

const callsMax = 20;
/** 20 calls of each take about 200 KB. */
const intakesMax = 200;
const fieldsMax = 60;
const depthMax = 6;
const pathMax = 120;
/** Elements recorded per array; the others are mostly alike. */
const elementsMax = 2;

export class IntakeCalls {
  readonly #calls = new Map<number, RecordedCall[]>();

  record(credentialId: number, call: RecordedCall): void {
    const calls = this.#calls.get(credentialId) ?? [];
    // Moves the intake to the end: the least recently called is dropped first.
    this.#calls.delete(credentialId);
    this.#calls.set(credentialId, [call, ...calls].slice(0, callsMax));
    if (this.#calls.size <= intakesMax) return;
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined) this.#calls.delete(oldest);
  }

  /** Newest first. */
  of(credentialId: number): readonly RecordedCall[] {
    return this.#calls.get(credentialId) ?? [];
  }
}

/** A name that the caller chose may itself be a value, as in a map of numbers: such names are not shown. */
const plainName = /^[A-Za-z_$][\w$ -]{0,39}$/;

/** The fields of a body, without their values. */
export function fieldsOfBody(body: unknown): Pick<RecordedCall, "fields" | "hasMoreFields"> {
  const fields: CallField[] = [];
  let hasMoreFields = false;
  const walk = (value: unknown, path: string, depth: number): void => {
    if (fields.length >= fieldsMax) {
      hasMoreFields = true;
      return;
    }
    fields.push({ path: path.slice(0, pathMax), ...shapeOf(value) });
    if (depth === 0 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (let index = 0; index < Math.min(value.length, elementsMax); index += 1)
        walk(value[index], `${path}.${index}`, depth - 1);
      return;
    }
    for (const name of Object.keys(value).slice(0, fieldsMax + 1))
      walk(Reflect.get(value, name), joined(path, plainName.test(name) ? name : "(name)"), depth - 1);
  };
  walk(body, "", depthMax);
  return { fields, hasMoreFields };
}

const joined = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

function shapeOf(value: unknown): Pick<CallField, "type" | "length"> {
  if (typeof value === "string") return { type: "text", length: value.length };
  if (typeof value === "number") return { type: "number", length: null };
  if (typeof value === "boolean") return { type: "truth", length: null };
  if (Array.isArray(value)) return { type: "list", length: value.length };
  return { type: typeof value === "object" && value !== null ? "object" : "nothing", length: null };
}
