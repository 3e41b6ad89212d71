/** What the service needs from a large body: the fields that its operation knows, and a hash of everything. */
import { formerPayloadHash, noPayload, payloadHash } from "../domain/idempotency.ts";
import { parseRequestJson } from "./request-json.ts";

/** The part of a JSON schema that is passed to the thread. */
export interface PlainSchema {
  type?: unknown;
  properties?: Readonly<Record<string, PlainSchema>>;
  additionalProperties?: unknown;
  items?: PlainSchema;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  [keyword: string]: unknown;
}

export interface ReducedBody {
  /** JSON of the known fields: an operation accepts or refuses it exactly like the whole body. */
  json: string;
  /** Of the whole body; `noPayload` if its lists or objects are refused anyway. */
  payloadHash: Uint8Array;
  formerHash: Uint8Array;
}

/** Throws as `parseRequestJson`. */
export function reduceBody(bytes: Uint8Array, schema: PlainSchema): ReducedBody {
  const whole = parseRequestJson(bytes);
  const json = JSON.stringify(known(whole, schema));
  if (!hasShape(whole, schema)) return { json, payloadHash: noPayload, formerHash: noPayload };
  return { json, payloadHash: payloadHash(whole), formerHash: formerPayloadHash(whole) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** True if the value is a list or object wherever the schema wants one, and no list is too long. */
function hasShape(value: unknown, { properties, items, minItems = 0, maxItems = Infinity }: PlainSchema): boolean {
  if (properties !== undefined) {
    if (!isObject(value)) return false;
    return Object.entries(properties).every(
      ([name, child]) => !Object.hasOwn(value, name) || value[name] === null || hasShape(value[name], child),
    );
  }
  if (items === undefined) return true;
  if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false;
  return value.every((entry) => hasShape(entry, items));
}

/** The value without fields that nobody reads; an invalid value is truncated as far as its refusal stays the same. */
function known(value: unknown, schema: PlainSchema): unknown {
  const { properties, items, maxItems = Infinity, maxLength } = schema;
  if (Array.isArray(value)) {
    if (items === undefined) return [];
    return value.length > maxItems
      ? value.slice(0, maxItems + 1).map(() => null)
      : value.map((entry) => known(entry, items));
  }
  if (isObject(value)) {
    if (schema.additionalProperties !== undefined) return value;
    const names = Object.keys(properties ?? {}).filter((name) => Object.hasOwn(value, name));
    return Object.fromEntries(names.map((name) => [name, known(value[name], properties?.[name] ?? {})]));
  }
  // A character has at most two UTF-16 units.
  return typeof value === "string" && maxLength !== undefined ? value.slice(0, 2 * maxLength + 1) : value;
}
