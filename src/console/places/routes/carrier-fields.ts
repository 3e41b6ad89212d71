/** The fields of each carrier's form, and their conversion to and from a route file. */
import { type CarrierPresetName, carrierPresetNames } from "../../../domain/carrier-preset.ts";
import { parseWholeNumber } from "../../format/input.ts";

export const carrierNames = [
  "smpp",
  "kavenegar",
  "smsir",
  "twilio",
  "infobip",
  "kannel",
  "smsgate",
  "other",
  "simulator",
] as const;
export type CarrierName = (typeof carrierNames)[number];

export type CarrierFieldKey =
  | "host"
  | "port"
  | "tls"
  | "systemId"
  | "password"
  | "systemType"
  | "bind"
  | "partsPerSecond"
  | "binds"
  | "window"
  | "charset"
  | "longMessages"
  | "sourceTon"
  | "sourceNpi"
  | "destinationTon"
  | "destinationNpi"
  | "receiptId"
  | "queryAfterMinutes"
  | "onUncertain"
  | "addressRange"
  | "tls.caFile"
  | "tls.serverName"
  | "url"
  | "username"
  | "token"
  | "lines"
  | "pollInbound"
  | "messagingService"
  | "smsc"
  | "callbackUrl"
  | "callbackSecret"
  | "number"
  | "sim"
  | "callbackKey"
  | "caFile";

interface FieldShape {
  kind: "text" | "secret" | "number" | "choice" | "flag" | "list";
  /** For a choice; the first one is the default if the file omits it. */
  words?: readonly string[];
  /** For SMPP only, where other carriers may leave it out. */
  required?: true;
}

export const carrierFields: Readonly<Record<CarrierFieldKey, FieldShape>> = {
  host: { kind: "text", required: true },
  port: { kind: "number", required: true },
  tls: { kind: "choice", words: ["no", "yes"] },
  systemId: { kind: "text", required: true },
  password: { kind: "secret", required: true },
  systemType: { kind: "text" },
  bind: { kind: "choice", words: ["transceiver", "transmitter+receiver", "receiver"] },
  partsPerSecond: { kind: "number" },
  binds: { kind: "number" },
  window: { kind: "number" },
  charset: { kind: "choice", words: ["gsm7", "gsm7-packed", "latin1", "ascii"] },
  longMessages: { kind: "choice", words: ["udh8", "udh16", "sar", "payload"] },
  sourceTon: { kind: "number" },
  sourceNpi: { kind: "number" },
  destinationTon: { kind: "number" },
  destinationNpi: { kind: "number" },
  receiptId: { kind: "choice", words: ["auto", "exact", "hexToDec", "decToHex"] },
  queryAfterMinutes: { kind: "number" },
  onUncertain: { kind: "choice", words: ["resend", "fail"] },
  addressRange: { kind: "text" },
  "tls.caFile": { kind: "text" },
  "tls.serverName": { kind: "text" },
  url: { kind: "text" },
  username: { kind: "text", required: true },
  token: { kind: "secret", required: true },
  lines: { kind: "list" },
  pollInbound: { kind: "flag" },
  messagingService: { kind: "text" },
  smsc: { kind: "text" },
  callbackUrl: { kind: "text" },
  callbackSecret: { kind: "secret" },
  number: { kind: "text" },
  sim: { kind: "number" },
  callbackKey: { kind: "secret" },
  caFile: { kind: "text" },
};

export type GroupName =
  | "connection"
  | "account"
  | "traffic"
  | "texts"
  | "numbers"
  | "receipts"
  | "inbound"
  | "security";

export interface CarrierGroup {
  name: GroupName;
  rows: readonly (readonly CarrierFieldKey[])[];
  /** Rarely needed: collapsed behind a line that says what it is about. */
  isFolded?: true;
}

const smppGroups: readonly CarrierGroup[] = [
  {
    name: "connection",
    rows: [
      ["host", "port", "tls"],
      ["systemId", "password"],
      ["systemType", "bind"],
    ],
  },
  { name: "traffic", rows: [["partsPerSecond", "binds", "window"]] },
  { name: "texts", rows: [["charset", "longMessages"]], isFolded: true },
  {
    name: "numbers",
    rows: [
      ["sourceTon", "sourceNpi"],
      ["destinationTon", "destinationNpi"],
    ],
    isFolded: true,
  },
  { name: "receipts", rows: [["receiptId", "queryAfterMinutes"], ["onUncertain"]], isFolded: true },
  { name: "inbound", rows: [["addressRange"]], isFolded: true },
  { name: "security", rows: [["tls.caFile"], ["tls.serverName"]], isFolded: true },
];

const accounts: Readonly<Record<CarrierPresetName, CarrierGroup["rows"]>> = {
  kavenegar: [["token"], ["lines"]],
  smsir: [["token"], ["pollInbound"]],
  twilio: [["username", "password"], ["messagingService"]],
  infobip: [["url"], ["token"]],
  kannel: [["url"], ["username", "password"], ["smsc"]],
  smsgate: [
    ["username", "password"],
    ["number", "sim"],
  ],
};
const hasOwnAddress: readonly CarrierName[] = ["infobip", "kannel"];

export const isPreset = (carrier: string): carrier is CarrierPresetName =>
  carrierPresetNames.some((name) => name === carrier);

/** None for the simulator and for a carrier whose file is written as JSON. */
export function carrierGroups(carrier: CarrierName): readonly CarrierGroup[] {
  if (carrier === "smpp") return smppGroups;
  if (!isPreset(carrier)) return [];
  const address: CarrierGroup["rows"] = hasOwnAddress.includes(carrier) ? [["caFile"]] : [["url"], ["caFile"]];
  return [
    { name: "account", rows: accounts[carrier] },
    ...(carrier === "smsir" ? [] : [{ name: "receipts", rows: receiptRows(carrier) } as const]),
    { name: "traffic", rows: [["partsPerSecond", "window"]] },
    { name: "security", rows: address, isFolded: true },
  ];
}

const receiptRows = (carrier: CarrierName): CarrierGroup["rows"] =>
  carrier === "smsgate" ? [["callbackUrl"], ["callbackSecret", "callbackKey"]] : [["callbackUrl"], ["callbackSecret"]];

const keysOf = (carrier: CarrierName): CarrierFieldKey[] => carrierGroups(carrier).flatMap(({ rows }) => rows.flat());

export const isRequired = (carrier: CarrierName, key: CarrierFieldKey): boolean =>
  carrierFields[key].required === true || (key === "url" && hasOwnAddress.includes(carrier));

/** A field's name in a form: an id with a dot could not be the target of a link. */
export const controlName = (key: CarrierFieldKey): string => key.replace(".", "-");

/** The value of each control. */
export type CarrierTexts = Partial<Record<CarrierFieldKey, string>>;

export interface CarrierForm {
  texts: CarrierTexts;
  /** Keys of the file without a control. */
  rest: Readonly<Record<string, unknown>>;
}

type RouteFile = Readonly<Record<string, unknown>>;

export function carrierOf(kind: string, options: RouteFile): CarrierName {
  if (kind === "smpp" || kind === "simulator") return kind;
  return typeof options.preset === "string" && isPreset(options.preset) ? options.preset : "other";
}

/** A file as its form shows it; whatever has no control stays in `rest`. */
export function formOf(carrier: CarrierName, options: RouteFile): CarrierForm {
  const { preset: _, tls, ...others } = options;
  const rest: Record<string, unknown> = { ...others };
  const texts: CarrierTexts = {};
  for (const key of keysOf(carrier)) {
    const shown = shownText(key, others[key]);
    if (shown === null) continue;
    texts[key] = shown;
    delete rest[key];
  }
  if (carrier !== "smpp") return { texts, rest: tls === undefined ? rest : { ...rest, tls } };
  return { texts: { ...texts, ...textsOfTls(tls) }, rest: { ...rest, ...restOfTls(tls) } };
}

/** Null if its control cannot represent it. */
function shownText(key: CarrierFieldKey, value: unknown): string | null {
  const { kind, words = [] } = carrierFields[key];
  if (value === undefined || value === null) return "";
  if (kind === "flag") return typeof value === "boolean" ? (value ? "yes" : "") : null;
  if (kind === "list")
    return Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join("\n") : null;
  if (kind === "choice") return words.some((word) => word === value) ? String(value) : null;
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

const isObject = (value: unknown): value is RouteFile =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function textsOfTls(tls: unknown): CarrierTexts {
  if (!isObject(tls)) return { tls: tls === true ? "yes" : "no", "tls.caFile": "", "tls.serverName": "" };
  return { tls: "yes", "tls.caFile": String(tls.caFile ?? ""), "tls.serverName": String(tls.serverName ?? "") };
}

/** There is no control for a client certificate. */
function restOfTls(tls: unknown): RouteFile {
  if (!isObject(tls)) return {};
  const { caFile: _, serverName: __, ...others } = tls;
  return Object.keys(others).length === 0 ? {} : { tls: others };
}

/** A value that cannot be parsed is passed on as typed, and refused together with all other problems. */
export function fileOf(carrier: CarrierName, { texts, rest }: CarrierForm): Record<string, unknown> {
  const { tls: restTls, ...others } = rest;
  const file: Record<string, unknown> = isPreset(carrier) ? { preset: carrier, ...others } : { ...others };
  for (const key of keysOf(carrier)) {
    if (key === "tls" || key.startsWith("tls.")) continue;
    const value = typedValue(carrierFields[key], texts[key] ?? "");
    if (value !== undefined) file[key] = value;
  }
  if (carrier !== "smpp") return restTls === undefined ? file : { ...file, tls: restTls };
  const names = (["caFile", "serverName"] as const).flatMap((name) => {
    const text = texts[`tls.${name}`] ?? "";
    return text === "" ? [] : [[name, text] as const];
  });
  if (texts.tls !== "yes" && names.length === 0) return file;
  const parts = { ...(isObject(restTls) ? restTls : {}), ...Object.fromEntries(names) };
  return { ...file, tls: Object.keys(parts).length === 0 ? true : parts };
}

/** Undefined if the file omits it. */
function typedValue({ kind, words = [] }: FieldShape, text: string): unknown {
  if (text === "") return undefined;
  switch (kind) {
    case "number":
      return parseWholeNumber(text) ?? text;
    case "flag":
      return text === "yes";
    case "list":
      return text.split(/[\s,،]+/).filter((one) => one !== "");
    case "choice":
      return text === words[0] ? undefined : text;
    default:
      return text;
  }
}

export const secretKeysOf = (carrier: CarrierName): CarrierFieldKey[] =>
  keysOf(carrier).filter((key) => carrierFields[key].kind === "secret");
