/** The form of each carrier: its fields, and their conversion to and from a route file. */
import { type CarrierPresetName, carrierPresetNames } from "../../../domain/carrier-preset.ts";
import { isObject } from "../../../domain/json-file.ts";
import type { Field, FieldTable } from "../../../fields/field.ts";
import { httpCarrierFields, httpCarrierTables } from "../../../fields/http-carrier.ts";
import { smppCarrierFields } from "../../../fields/smpp-carrier.ts";
import { cleanInput, listEntries, parseNumber } from "../../format/input.ts";

export const carrierNames = [
  "smpp",
  "kavenegar",
  "smsir",
  "twilio",
  "infobip",
  "kannel",
  "smsgate",
  "telegram",
  "twilio-call",
  "other",
  "simulator",
] as const;
export type CarrierName = (typeof carrierNames)[number];

export const carrierFields = { ...httpCarrierFields, ...smppCarrierFields };

export const isPreset = (carrier: string): carrier is CarrierPresetName =>
  carrierPresetNames.some((name) => name === carrier);

/** Empty for the simulator and for a carrier whose file is written as JSON. */
export const carrierTable = (carrier: CarrierName): FieldTable =>
  carrier === "smpp" ? smppCarrierFields : isPreset(carrier) ? httpCarrierTables[carrier] : {};

export const keysOf = (carrier: CarrierName): string[] => Object.keys(carrierTable(carrier));

export interface CarrierGroup {
  name: string;
  rows: string[][];
  /** Rarely needed: collapsed behind a line that says what it is about. */
  isFolded: boolean;
}

const openOfSmpp = ["connection", "traffic"];

export function carrierGroups(carrier: CarrierName): readonly CarrierGroup[] {
  const groups: CarrierGroup[] = [];
  for (const [key, { group: name = "", beside }] of Object.entries(carrierTable(carrier))) {
    let group = groups.find((one) => one.name === name);
    if (group === undefined) {
      const isFolded = carrier === "smpp" ? !openOfSmpp.includes(name) : name === "security";
      group = { name, rows: [], isFolded };
      groups.push(group);
    }
    const row = group.rows.at(-1);
    if (beside && row !== undefined) row.push(key);
    else group.rows.push([key]);
  }
  return groups;
}

/** A field's name in a form: an id with a dot could not be the target of a link. */
export const controlName = (key: string): string => key.replace(".", "-");

/** The value of each control. */
export type CarrierTexts = Record<string, string>;

export interface CarrierForm {
  texts: CarrierTexts;
  /** Keys of the file without a control, or with a value that their control cannot represent. */
  rest: Readonly<Record<string, unknown>>;
}

type RouteFile = Readonly<Record<string, unknown>>;

export function carrierOf(kind: string, options: RouteFile): CarrierName {
  if (kind === "smpp" || kind === "simulator") return kind;
  return typeof options.preset === "string" && isPreset(options.preset) ? options.preset : "other";
}

/** An object and its key for the name of a field; null if there is another value in the object's place. */
function placeOf(file: Record<string, unknown>, name: string): readonly [object: object, key: string] | null {
  const [outer = "", inner] = name.split(".");
  if (inner === undefined) return [file, outer];
  const within = file[outer];
  return isObject(within) ? [within, inner] : null;
}

/** A file as its form shows it. */
export function formOf(carrier: CarrierName, options: RouteFile): CarrierForm {
  const { preset: _, ...rest }: Record<string, unknown> = structuredClone(options);
  const texts: CarrierTexts = {};
  const { tls } = rest;
  for (const [name, field] of Object.entries(carrierTable(carrier))) {
    if (name === "tls") continue;
    const place = placeOf(rest, name);
    const shown = shownText(field, place === null ? undefined : Reflect.get(...place));
    if (shown === null) continue;
    texts[name] = shown;
    if (place !== null) Reflect.deleteProperty(...place);
  }
  if (carrier === "smpp") {
    texts.tls = tls === true || isObject(tls) ? "yes" : "no";
    if (!isObject(tls)) delete rest.tls;
  }
  for (const [key, value] of Object.entries(rest))
    if (isObject(value) && Object.keys(value).length === 0) delete rest[key];
  return { texts, rest };
}

/** Null if its control cannot represent it. */
function shownText(field: Field, value: unknown): string | null {
  if (value === undefined || value === null) return "";
  switch (field.kind) {
    case "json":
      return JSON.stringify(value);
    case "truth":
      return typeof value === "boolean" ? (value ? "yes" : "") : null;
    case "list":
    case "numbers": {
      const [type, separator] = field.kind === "list" ? ["string", "\n"] : ["number", ", "];
      return Array.isArray(value) && value.every((one) => typeof one === type) ? value.join(separator) : null;
    }
    case "choice":
      return field.words.some((word) => word === value) ? String(value) : null;
    default:
      return typeof value === "string" || typeof value === "number" ? String(value) : null;
  }
}

/** A value that cannot be parsed is passed on as typed, and refused together with all other problems. */
export function fileOf(carrier: CarrierName, { texts, rest }: CarrierForm): Record<string, unknown> {
  const file: Record<string, unknown> = { ...(isPreset(carrier) && { preset: carrier }), ...structuredClone(rest) };
  if (carrier === "smpp" && texts.tls !== "yes") delete file.tls;
  for (const [name, field] of Object.entries(carrierTable(carrier))) {
    const value = name === "tls" ? undefined : typedValue(field, texts[name] ?? "");
    if (value === undefined) continue;
    const [outer = ""] = name.split(".");
    if (outer !== name && !isObject(file[outer])) file[outer] = {};
    Reflect.set(...(placeOf(file, name) ?? [file, name]), value);
  }
  return texts.tls === "yes" && file.tls === undefined ? { ...file, tls: true } : file;
}

/** Undefined if the file omits it. */
function typedValue(field: Field, text: string): unknown {
  if (text.trim() === "") return undefined;
  switch (field.kind) {
    case "json":
      return jsonIn(text);
    case "number":
      return parseNumber(text) ?? text;
    case "numbers":
      return listEntries(text).map((one) => parseNumber(one) ?? one);
    case "truth":
      return text === "yes";
    case "list":
      return listEntries(text);
    case "choice":
      return text === field.words[0] ? undefined : text;
    default:
      return text;
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A secret or JSON exactly as typed; everything else trimmed, with Latin digits. */
export const isRaw = ({ kind }: Field): boolean => kind === "secret" || kind === "json";

export const postedText = (field: Field, text: string): string => (isRaw(field) ? text : cleanInput(text));

export const secretKeysOf = (carrier: CarrierName): string[] =>
  Object.entries(carrierTable(carrier)).flatMap(([key, { kind }]) => (kind === "secret" ? [key] : []));
