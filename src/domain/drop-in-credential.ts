/** Additional options of credentials for drop-in protocols (Kannel, Jasmin, intakes, mail). */
import { defaultMail } from "./mail-text.ts";

/** The places where a request may carry its Idempotency-Key. */
export const requestKeyPlaces = ["header", "query", "form", "json"] as const;
export type RequestKeyPlace = (typeof requestKeyPlaces)[number];

export interface RequestKeyRule {
  from: RequestKeyPlace;
  /** The field's name; in JSON a path such as `metadata.uuid`. */
  name: string;
}

export interface DropInOptions {
  /** The secret has fewer than twelve characters: it is valid only from the addresses of its key. */
  hasShortSecret: boolean;
  /** Where callbacks that came with a message may go besides public HTTPS, such as `http://10.0.0.5:8000`. */
  callbackOrigins: readonly string[];
  /** Null: a request without an Idempotency-Key header is a new message. */
  key: RequestKeyRule | null;
  /** How long a key is remembered. */
  keySeconds: number;
  /** A key can be reused if all its messages failed. */
  keyFreeAfterFailure: boolean;
  /** Of Kannel: the charset of texts whose request names none; null: as Kannel reads them. */
  textCharset: string | null;
  /** Of Kannel: a path that it may call besides `/cgi-bin/sendsms`. */
  path: string | null;
  /** Of mail: the sender of its messages; null: the account's default. */
  sender: string | null;
  /** Of mail: how a message is made of it; null: `defaultMail`. */
  mailText: string | null;
  /** Of mail: how many parts a message may have. */
  parts: number;
}

const daySeconds = 86_400;

export const dropInLimits = {
  /** Shorter secrets are valid only together with addresses. */
  secretCharactersMin: 12,
  /** Room for two signing secrets, while one replaces the other. */
  secretCharactersMax: 512,
  nameCharactersMax: 64,
  originsMax: 100,
  originCharactersMax: 300,
  keyNameCharactersMax: 100,
  keySecondsMax: 30 * daySeconds,
  messagesMax: 500,
  charsetCharactersMax: 40,
  pathCharactersMax: 100,
} as const;

export const defaultDropInOptions: DropInOptions = {
  hasShortSecret: false,
  callbackOrigins: [],
  key: null,
  keySeconds: daySeconds,
  keyFreeAfterFailure: false,
  textCharset: null,
  path: null,
  sender: null,
  mailText: null,
  parts: defaultMail.parts,
};

/** Other services of the drop-in listener have these. */
const servedPaths = /^\/(?:(?:send|rate|balance|ping)$|(?:in|secure|cgi-bin)\/)/;

export const isOwnPath = (path: string): boolean => /^\/[\w.~/-]+$/.test(path) && !servedPaths.test(path);

export const isShort = (secret: string): boolean => secret.length < dropInLimits.secretCharactersMin;

const shortSecretMark = '"hasShortSecret":true';

/** Reads the stored options without parsing them, because it runs at every request. */
export const isShortSecret = (options: string): boolean => options.includes(shortSecretMark);

const isPlace = (value: unknown): value is RequestKeyPlace => requestKeyPlaces.some((place) => place === value);

function fieldOf(source: unknown, name: string): unknown {
  return typeof source === "object" && source !== null ? Reflect.get(source, name) : undefined;
}

function textOrNull(source: unknown, name: string): string | null {
  const text = fieldOf(source, name);
  return typeof text === "string" ? text : null;
}

/** Parses stored options; missing or malformed ones get their default. */
export function readDropInOptions(json: string): DropInOptions {
  const stored: unknown = JSON.parse(json);
  const [origins, key, seconds, parts] = [
    fieldOf(stored, "callbackOrigins"),
    fieldOf(stored, "key"),
    fieldOf(stored, "keySeconds"),
    fieldOf(stored, "parts"),
  ];
  const [from, name] = [fieldOf(key, "from"), fieldOf(key, "name")];
  return {
    hasShortSecret: fieldOf(stored, "hasShortSecret") === true,
    callbackOrigins: Array.isArray(origins) ? origins.filter((origin) => typeof origin === "string") : [],
    key: isPlace(from) && typeof name === "string" ? { from, name } : null,
    keySeconds: typeof seconds === "number" ? seconds : defaultDropInOptions.keySeconds,
    keyFreeAfterFailure: fieldOf(stored, "keyFreeAfterFailure") === true,
    textCharset: textOrNull(stored, "textCharset"),
    path: textOrNull(stored, "path"),
    sender: textOrNull(stored, "sender"),
    mailText: textOrNull(stored, "mailText"),
    parts: typeof parts === "number" ? parts : defaultMail.parts,
  };
}
