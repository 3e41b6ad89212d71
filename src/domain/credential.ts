/** Credentials: what customers sign in with besides their API key, in protocols with their own names and passwords. */
import { type MessageClass, messageClasses } from "./message.ts";

export const credentialKinds = ["smpp", "kannel", "jasmin", "intake", "smtp"] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** Whether its messages are bulk (subject to suppression and quiet hours), single, or one-time passwords. */
export const trafficKinds = ["bulk", "single", "code"] as const;
export type TrafficKind = (typeof trafficKinds)[number];

export const trafficClasses = {
  bulk: messageClasses.bulk,
  single: messageClasses.single,
  code: messageClasses.otp,
} satisfies Record<TrafficKind, MessageClass>;

/** Only an intake knows which of its fields contains a code. */
export const trafficOf = (kind: CredentialKind): readonly TrafficKind[] =>
  kind === "intake" ? trafficKinds : ["bulk", "single"];

/** The alphabet of data_coding 0. */
export const smppCharsets = ["gsm7", "latin1", "ascii"] as const;
export type SmppCharset = (typeof smppCharsets)[number];

/** The alphabet of data_coding 1, IA5 by the specification: some clients send GSM's septets with it. */
export const ia5Charsets = ["latin1", "gsm7"] as const;
export type Ia5Charset = (typeof ia5Charsets)[number];

/** The format of the ids in submit responses: tracking codes, or numbers for clients that store numeric ids. */
export const smppMessageIds = ["code", "decimal"] as const;
export type SmppMessageIds = (typeof smppMessageIds)[number];

/**
 * How a repeated submit is recognised: not at all, by user_message_reference, or by a TLV with this tag as its
 * Idempotency-Key.
 */
export type SmppRepeats = "off" | "reference" | number;

/** The additional options of an `smpp` credential. */
export interface SmppCredentialOptions {
  /** Maximum number of bound connections. */
  binds: number;
  /** Submits that may be unanswered on one connection, and likewise receipts. */
  window: number;
  charset: SmppCharset;
  ia5: Ia5Charset;
  messageIds: SmppMessageIds;
  repeats: SmppRepeats;
}

export const defaultSmppOptions: SmppCredentialOptions = {
  binds: 4,
  window: 100,
  charset: "gsm7",
  ia5: "latin1",
  messageIds: "code",
  repeats: "off",
};

export const smppLimits = {
  bindsMax: 100,
  windowMax: 1_000,
  ratePerSecondMax: 100_000,
  /** Tags reserved for vendors (SMPP 3.4 §5.3.2). */
  vendorTagMin: 0x1400,
  vendorTagMax: 0x3fff,
} as const;

/** 3.4 §4.1: at most fifteen characters. */
export const isSystemId = (name: string): boolean => /^[!-~]{1,15}$/.test(name);

const isOneOf = <T extends string>(choices: readonly T[], value: unknown): value is T =>
  choices.some((choice) => choice === value);

const isWithin = (value: unknown, min: number, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;

export const isSmppRepeats = (value: unknown): value is SmppRepeats =>
  value === "off" || value === "reference" || isWithin(value, smppLimits.vendorTagMin, smppLimits.vendorTagMax);

/** Parses stored options; missing or malformed ones get their default. */
export function readSmppCredential(json: string): SmppCredentialOptions {
  const stored: unknown = JSON.parse(json);
  const at = (key: keyof SmppCredentialOptions): unknown =>
    typeof stored === "object" && stored !== null ? Reflect.get(stored, key) : undefined;
  const [binds, window, charset, ia5, messageIds, repeats] = [
    at("binds"),
    at("window"),
    at("charset"),
    at("ia5"),
    at("messageIds"),
    at("repeats"),
  ];
  return {
    binds: isWithin(binds, 1, smppLimits.bindsMax) ? binds : defaultSmppOptions.binds,
    window: isWithin(window, 1, smppLimits.windowMax) ? window : defaultSmppOptions.window,
    charset: isOneOf(smppCharsets, charset) ? charset : defaultSmppOptions.charset,
    ia5: isOneOf(ia5Charsets, ia5) ? ia5 : defaultSmppOptions.ia5,
    messageIds: isOneOf(smppMessageIds, messageIds) ? messageIds : defaultSmppOptions.messageIds,
    repeats: isSmppRepeats(repeats) ? repeats : defaultSmppOptions.repeats,
  };
}

/** Separates the hashes of these secrets from all others (see platform/keyed-hash.ts). */
export const credentialSecretsPurpose = "secrets of credentials";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const passwordLength = 8;

function base62Text(length: number, bytes: (count: number) => Uint8Array): string {
  let text = "";
  while (text.length < length) {
    for (const byte of bytes(length)) {
      // Above the last multiple of 62, some characters would be more likely than others.
      if (byte < 248 && text.length < length) text += base62.charAt(byte % base62.length);
    }
  }
  return text;
}

/** Used when no name is given. */
export const credentialNameFor = (kind: CredentialKind, bytes: (count: number) => Uint8Array): string =>
  `${kind}-${base62Text(6, bytes)}`;

const suffixCharacters = 4;
/** With its dash. */
export const suffixLength = suffixCharacters + 1;

/** One of 14 million for each name. */
export const suffixedName = (name: string, bytes: (count: number) => Uint8Array): string =>
  `${name}-${base62Text(suffixCharacters, bytes)}`;

/** Eight characters, the maximum in SMPP 3.4 (§4.1): 47 random bits. */
export const smppPassword = (bytes: (count: number) => Uint8Array): string => base62Text(passwordLength, bytes);

/** Sixteen characters, the maximum that Jasmin's clients can send: 95 random bits. */
export const dropInPassword = (bytes: (count: number) => Uint8Array): string => base62Text(2 * passwordLength, bytes);
