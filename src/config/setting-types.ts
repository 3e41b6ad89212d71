/** The types of settings: how each is read from a file or the environment, and validated. */

import { isIpOrCidr } from "../domain/address-ranges.ts";
import { mailAddressForm } from "../domain/alert-receiver.ts";
import { contrastMin, isColour, readableInstead } from "../domain/brand-colours.ts";
import { messageLimits } from "../domain/message.ts";
import { isRegion } from "../domain/phone-number.ts";
import { leavesTime, parseQuietWindow } from "../domain/quiet-hours.ts";
import { keywordOf } from "../domain/suppression.ts";
import { codePointLength, isCleanText } from "../domain/text.ts";
import { isTimeZone } from "../domain/time-zone.ts";
import { isSecureUrl } from "../platform/secure-url.ts";
import { isHost, parseHostPort } from "./host-port.ts";

/** The result of reading one raw value. `why` completes the sentence "<key> must be …". */
export type Reading<T> = { ok: true; value: T } | { ok: false; why: string };

/** Inclusive limits of a number, or of a list's or text's length. */
export interface Bounds {
  min: number;
  max: number;
}

/** A setting's entry in the registry. */
export interface SettingNotes<T> {
  default: T;
  /** Its purpose, in one line. */
  help: string;
  /** Singular or plural as read after a number: "seconds", "days". */
  unit?: string;
  /** It may contain a secret or a person's address: readers elsewhere only see that it is set. */
  confidential?: true;
}

/** Of a setting whose default is none. */
type OptionalNotes = Omit<SettingNotes<string | null>, "default">;
/** Of a list; it is empty by default. */
type ListNotes = Omit<SettingNotes<readonly string[]>, "default"> & { default?: readonly string[] };

/** A setting: its default, its documentation, and how a raw value is read. */
export class Setting<T> {
  readonly default: T;
  readonly help: string;
  readonly unit: string | null;
  /** Limits of a numeric setting; null for every other kind. */
  readonly bounds: Bounds | null;
  readonly isConfidential: boolean;

  constructor(
    notes: SettingNotes<T>,
    /** The type of a value in the reference: `integer`, `HOST:PORT`. */
    readonly shape: string,
    /** Takes a value of a TOML type (or null), never text that still has to be parsed. */
    readonly read: (value: unknown) => Reading<T>,
    /** Turns the text of a flag or an environment variable into such a value. */
    readonly parse: (text: string) => unknown = (text) => text,
    bounds: Bounds | null = null,
  ) {
    this.default = notes.default;
    this.help = notes.help;
    this.unit = notes.unit ?? null;
    this.bounds = bounds;
    this.isConfidential = notes.confidential === true;
  }
}

/** Null by default, and for an empty value; anything else is read by `read`. */
function orNone(notes: OptionalNotes, shape: string, read: (value: unknown) => Reading<string | null>) {
  const isNone = (value: unknown) => value === null || value === "";
  return new Setting<string | null>({ ...notes, default: null }, shape, (value) =>
    isNone(value) ? good(null) : read(value),
  );
}

const good = <T>(value: T): Reading<T> => ({ ok: true, value });
const bad = (why: string): { ok: false; why: string } => ({ ok: false, why });

/** Digits with an optional sign become a number; anything else stays text, which `read` then refuses. */
function parseInteger(text: string): unknown {
  return /^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) : text;
}

/** Both inclusive. */
export const range = (min: number, max: number): Bounds => ({ min, max });

export function integerSetting(bounds: Bounds, notes: SettingNotes<number>): Setting<number> {
  const why = `a whole number from ${bounds.min} to ${bounds.max}`;
  const read = (value: unknown): Reading<number> =>
    typeof value === "number" && Number.isInteger(value) && value >= bounds.min && value <= bounds.max
      ? good(value)
      : bad(why);
  return new Setting(notes, "integer", read, parseInteger, bounds);
}

export function booleanSetting(notes: SettingNotes<boolean>): Setting<boolean> {
  const read = (value: unknown): Reading<boolean> => (typeof value === "boolean" ? good(value) : bad("true or false"));
  const words = new Map([
    ["true", true],
    ["false", false],
  ]);
  return new Setting(notes, "true | false", read, (text) => words.get(text.trim().toLowerCase()) ?? text);
}

export function choiceSetting<T extends string>(options: readonly T[], notes: SettingNotes<T>): Setting<T> {
  const read = (value: unknown): Reading<T> => {
    const chosen = options.find((option) => option === value);
    return chosen === undefined ? bad(`one of ${options.join(", ")}`) : good(chosen);
  };
  return new Setting(notes, options.join(" | "), read, (text) => text.trim());
}

/** A text that passes `test`; `why` describes what passes. */
export function textSetting(
  shape: string,
  why: string,
  test: (value: string) => boolean,
  notes: SettingNotes<string>,
): Setting<string> {
  const read = (value: unknown): Reading<string> => (typeof value === "string" && test(value) ? good(value) : bad(why));
  return new Setting(notes, shape, read);
}

const textOf = (shape: string, why: string, test: (value: string) => boolean) => (notes: SettingNotes<string>) =>
  textSetting(shape, why, test, notes);

export const folderSetting = textOf("path", "the path of a folder", isPath);

/** The path of a file, or null if the feature is off. */
export const optionalFileSetting = (notes: OptionalNotes) =>
  orNone(notes, "path", (value) =>
    typeof value === "string" && isPath(value) ? good(value) : bad("the path of a file"),
  );

/** `https://HOST[:PORT]` or `http://…` without a path, or null. An empty value means null. */
export function optionalUrlSetting(notes: OptionalNotes): Setting<string | null> {
  const read = (value: unknown): Reading<string | null> => {
    const origin = typeof value === "string" ? originIn(value) : null;
    return origin === null ? bad("a URL without a path, such as https://console.example.com") : good(origin);
  };
  return orNone(notes, "URL", read);
}

function originIn(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  return url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "" ? url.origin : null;
}

/** `https://HOST/PATH`, or `http://` of this machine, or null. An empty value means null. */
export function optionalIssuerSetting(notes: OptionalNotes): Setting<string | null> {
  const read = (value: unknown): Reading<string | null> => {
    const url = typeof value === "string" ? URL.parse(value) : null;
    const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "";
    if (typeof value !== "string" || !isPlain || !isSecureUrl(url)) return bad("an https URL, or http of this machine");
    return good(value);
  };
  return orNone(notes, "URL", read);
}

/** An address to listen on. Port 0 lets the system choose one. */
export const listenAddressSetting = textOf(
  "HOST:PORT",
  "HOST:PORT, with an IPv6 host in brackets and a port from 0 to 65535",
  (value) => parseHostPort(value) !== null,
);

/** Like `listenAddressSetting`, or null if there is no such listener. */
export const optionalListenAddressSetting = (notes: OptionalNotes) =>
  orNone(notes, "HOST:PORT", listenAddressSetting({ ...notes, default: "" }).read);

export const regionSetting = textOf(
  "ISO 3166-1 alpha-2",
  "a two-letter country code in capitals, such as IR",
  isRegion,
);

/** An IANA time zone name. */
export const timeZoneSetting = textOf("IANA time zone", "the name of a time zone, such as Asia/Tehran", isTimeZone);

/** A text that the API accepts as a message, or none. */
export const messageTextSetting = textOf(
  "text",
  `a text of at most ${messageLimits.textMax} characters, or empty`,
  (value) => codePointLength(value) <= messageLimits.textMax && isCleanText(value),
);

const isMailAddress = (text: string) => mailAddressForm.test(text);

/** An e-mail address; empty for none. */
export const mailAddressSetting = textOf(
  "address",
  "an e-mail address",
  (value) => value === "" || isMailAddress(value),
);

/** A list whose entries all pass `test`; as text, entries are separated by commas and may be surrounded by spaces. */
function list(
  shape: string,
  why: string,
  test: (entry: string) => boolean,
  notes: ListNotes,
): Setting<readonly string[]> {
  const read = (value: unknown): Reading<readonly string[]> => {
    if (!Array.isArray(value)) return bad(`a list of ${why}`);
    const entries = value.filter((entry): entry is string => typeof entry === "string" && test(entry));
    const wrong: unknown = value.find((entry) => typeof entry !== "string" || !test(entry));
    return entries.length === value.length ? good(entries) : bad(`a list of ${why}; ${JSON.stringify(wrong)} is none`);
  };
  const parse = (joined: string) =>
    joined
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  return new Setting({ default: [], ...notes }, `list of ${shape}`, read, parse);
}

const listOf = (shape: string, why: string, test: (entry: string) => boolean) => (notes: ListNotes) =>
  list(shape, why, test, notes);

/** Two-letter country codes. */
export const regionListSetting = listOf(
  "ISO 3166-1 alpha-2",
  "two-letter country codes in capitals, such as IR",
  isRegion,
);

/** Words that phones send; each contains more than spaces and symbols. */
export const keywordListSetting = listOf("word", "words of letters and digits", (entry) => keywordOf(entry) !== "");

/** Prefixes of E.164 numbers. */
export const numberRangeListSetting = listOf("+DIGITS", "a plus with 2 to 15 digits, such as +98999", (entry) =>
  /^\+[1-9]\d{1,14}$/.test(entry),
);

/** Phone numbers in E.164. */
export const phoneNumberListSetting = listOf(
  "+NUMBER",
  "numbers with a plus and the country, such as +989121234567",
  (entry) => /^\+[1-9]\d{6,14}$/.test(entry),
);

export const mailAddressListSetting = listOf("address", "e-mail addresses", isMailAddress);

/** Names of routes. */
export const routeListSetting = listOf("route", "names of routes", (entry) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(entry),
);

/** HOST:PORT pairs with a port from 1 to 65535. */
export const destinationListSetting = listOf(
  "HOST:PORT",
  "HOST:PORT entries",
  (entry) => (parseHostPort(entry)?.port ?? 0) > 0,
);

/** Names of hosts, without a port. */
export const hostListSetting = listOf("HOST", "names of hosts without a port, such as peyk.lan", isHost);

/** IP addresses and CIDR ranges of either version. */
export const networkListSetting = listOf("IP or CIDR", "IP addresses or CIDR ranges", isIpOrCidr);

/** `VALUE=ROLE`; the value may contain equals signs itself. */
export function roleListSetting(roles: readonly string[], notes: ListNotes): Setting<readonly string[]> {
  const why = `VALUE=ROLE, where the role is ${roles.join(", ")}`;
  return list(
    "VALUE=ROLE",
    why,
    (entry) => /^[^\p{Cc}]+=/u.test(entry) && roles.some((role) => entry.endsWith(`=${role}`)),
    notes,
  );
}

/** Weekly windows that leave some time for sending. */
export function quietWindowListSetting(notes: ListNotes): Setting<readonly string[]> {
  const why = "windows such as 22:00-08:00 or 13:00-16:00 Thu Fri that leave some time of the week";
  const leaves = ({ value }: { value: readonly string[] }) =>
    leavesTime(value.flatMap((text) => parseQuietWindow(text) ?? []));
  const each = list("HH:MM-HH:MM [days]", why, (entry) => parseQuietWindow(entry) !== null, notes);
  const read = (value: unknown) => {
    const reading = each.read(value);
    return !reading.ok || leaves(reading) ? reading : bad(`a list of ${why}`);
  };
  return new Setting({ default: [], ...notes }, each.shape, read, each.parse);
}

/** A colour as `#rrggbb` that text can have on light pages, or null. An empty value means null. */
export function optionalAccentSetting(notes: OptionalNotes): Setting<string | null> {
  const read = (value: unknown): Reading<string | null> => {
    if (typeof value !== "string" || !isColour(value)) return bad("a colour such as #0a5f73");
    const instead = readableInstead(value);
    if (instead === null) return good(value.toLowerCase());
    return bad(
      `a colour with a contrast of at least ${contrastMin}:1 against light pages, such as the darker ${instead}`,
    );
  };
  return orNone(notes, "#RRGGBB", read);
}

function isPath(value: string): boolean {
  return value.trim() !== "" && !value.includes("\0");
}
