/** Reads an SMPP route's file; the command line has already replaced the password's file by the password. */

import { JsonFileReader, type JsonFileResult, required } from "../../domain/json-file.ts";
import { senderLimitBounds, senderLimitKey } from "../../domain/sender-limit.ts";
import type { UncertainPolicy } from "../../domain/uncertain-policy.ts";
import { type Charsets, readCharsets } from "../../smpp/charset.ts";
import { type LongMessageMode, longMessageModes } from "../../smpp/parts.ts";
import type { TlsOptions } from "../carrier-network.ts";
import { readFailover } from "../failover-file.ts";
import { readUncertainPolicy } from "../uncertain-policy-file.ts";
import { type AddressRule, readAddressRules } from "./address-rules.ts";
import { type Host, readHosts } from "./host-order.ts";
import { type OptionalParameterSetting, readOptionalParameters } from "./optional-parameters.ts";
import { readTls } from "./tls-file.ts";
import { validityMinutesMax } from "./validity.ts";

export const bindForms = ["transceiver", "transmitter+receiver", "receiver"] as const;
export const throttleScopes = ["route", "bind"] as const;
export const receiptIdForms = ["auto", "exact", "hexToDec", "decToHex"] as const;

export type BindForm = (typeof bindForms)[number];
/**
/**
 * How a receipt spells the id from the submit's answer: unchanged, or in another base. `hexToDec`: hexadecimal in the
 * answer, decimal in the receipt; `decToHex`: the reverse; `auto`: learned from the first receipts.
 */
export type ReceiptIdForm = (typeof receiptIdForms)[number];

/** The policy is for the dispatcher. */
export interface SmppOptions extends UncertainPolicy {
  /** Each bind tries them in this order. */
  hosts: readonly [Host, ...Host[]];
  /** How often a bind on the second host checks whether the first one accepts connections again. */
  firstHostAfterSeconds: number;
  systemId: string;
  password: string;
  systemType: string;
  addressRange: string;
  /** addr_ton and addr_npi of the bind (§5.2.1). */
  bindTon: number;
  bindNpi: number;
  /** `receiver`: the route takes deliveries, and carries no message. */
  bind: BindForm;
  /** Concurrent binds (pairs of binds for `transmitter+receiver`). */
  binds: number;
  /** Unanswered parts per bind. */
  window: number;
  /** Over the whole route; null for no limit. The dispatcher enforces it. */
  partsPerSecond: number | null;
  /** Per bind, and enforced by it; null for no limit. */
  partsPerSecondPerBind: number | null;
  /** How long a throttling status pauses the bind or route. */
  throttlePauseMs: number;
  /** `bind`: the carrier throttles each bind separately, and the others continue. */
  throttleScope: (typeof throttleScopes)[number];
  responseTimeoutMs: number;
  enquireLinkSeconds: number;
  longMessages: LongMessageMode;
  /** What the SMSC means by data_coding 0. */
  charset: Charsets;
  receiptId: ReceiptIdForm;
  /**
   * The longest validity to ask the SMSC for; null: as long as the message itself is valid; 0: the SMSC's own.
   */
  validityMinutes: number | null;
  /** Null: chosen from the address. */
  sourceTon: number | null;
  sourceNpi: number | null;
  destinationTon: number | null;
  destinationNpi: number | null;
  sourceRules: readonly AddressRule[];
  destinationRules: readonly AddressRule[];
  /** registered_delivery of every part (§5.2.17). */
  registeredDelivery: number;
  /** When to query an overdue receipt with query_sm; null for never. */
  queryAfterMinutes: number | null;
  /** Over the whole route. */
  queriesPerSecond: number;
  serviceType: string;
  protocolId: number;
  /** priority_flag by class of service. */
  priority: { otp: number; single: number; bulk: number };
  tlvs: readonly OptionalParameterSetting[];
  tls: TlsOptions | null;
  /** Further statuses that are temporary or throttling at this carrier. */
  temporaryErrors: readonly number[];
  throttlingErrors: readonly number[];
}

const octet = { min: 0, max: 255 };
const printableAscii = { pattern: /^[\x20-\x7e]*$/, shape: "printable_ascii" as const };
const rate = { min: 0.1, max: 100_000, fractions: true };
const statuses = { min: 1, max: 0xffffffff, countMax: 100 };

/** Checks a parsed file. `passwordFile` is for the command line, which replaces it by `password`. */
export function parseSmppOptions(file: unknown): JsonFileResult<SmppOptions> {
  return JsonFileReader.read(file, readSmppOptions);
}

export const readSmppOptions = (reader: JsonFileReader): SmppOptions => ({
  hosts: readHosts(reader),
  ...readSmppTuning(reader),
  password: readPassword(reader),
  tls: readTls(reader),
});

/** The keys that affect neither where the password is sent nor how it is protected on the way. */
export const readSmppTuning = (reader: JsonFileReader) => ({
  ...readBind(reader),
  ...readLink(reader),
  ...readMessageOptions(reader),
});

function readBind(reader: JsonFileReader) {
  return {
    firstHostAfterSeconds: reader.number("firstHostAfterSeconds", 60, { min: 5, max: 86_400 }),
    systemId: reader.requiredText("systemId", { lengthMax: 64, ...printableAscii }),
    systemType: reader.text("systemType", "", { lengthMax: 32, ...printableAscii }),
    addressRange: reader.text("addressRange", "", { lengthMax: 40, ...printableAscii }),
    bindTon: reader.number("bindTon", 0, octet),
    bindNpi: reader.number("bindNpi", 0, octet),
  };
}

/** 3.4 allows 8 characters, but carriers issue longer passwords, and their SMSCs accept them. */
function readPassword(reader: JsonFileReader): string {
  const bounds = { lengthMax: 64, ...printableAscii };
  const passwordFile = reader.text("passwordFile", null, { lengthMin: 1, lengthMax: 4096 });
  const password = reader.text("password", null, bounds);
  if (reader.value("password") !== undefined) {
    if (reader.value("passwordFile") !== undefined)
      reader.problem("passwordFile", { code: "password_twice", values: {} });
  } else if (passwordFile === null) {
    if (reader.value("passwordFile") === undefined) reader.problem("passwordFile", required);
  } else {
    reader.problem("passwordFile", { code: "password_unread", values: {} });
  }
  return password ?? "";
}

function readLink(reader: JsonFileReader) {
  return {
    bind: reader.choice("bind", bindForms, "transceiver"),
    binds: reader.number("binds", 1, { min: 1, max: 32 }),
    window: reader.number("window", 10, { min: 1, max: 1000 }),
    partsPerSecond: reader.number("partsPerSecond", null, rate),
    partsPerSecondPerBind: reader.number("partsPerSecondPerBind", null, rate),
    throttlePauseMs: reader.number("throttlePauseMs", 1_000, { min: 50, max: 60_000 }),
    throttleScope: reader.choice("throttleScope", throttleScopes, "route"),
    responseTimeoutMs: reader.number("responseTimeoutMs", 10_000, { min: 100, max: 300_000 }),
    enquireLinkSeconds: reader.number("enquireLinkSeconds", 30, { min: 1, max: 3600 }),
  };
}

function readMessageOptions(reader: JsonFileReader) {
  return {
    longMessages: reader.choice("longMessages", longMessageModes, "udh8"),
    charset: readCharsets(reader),
    receiptId: reader.choice("receiptId", receiptIdForms, "auto"),
    ...readUncertainPolicy(reader),
    ...readFailover(reader),
    [senderLimitKey]: reader.number(senderLimitKey, null, senderLimitBounds),
    validityMinutes: reader.number("validityMinutes", null, { min: 0, max: validityMinutesMax }),
    sourceTon: reader.number("sourceTon", null, octet),
    sourceNpi: reader.number("sourceNpi", null, octet),
    destinationTon: reader.number("destinationTon", null, octet),
    destinationNpi: reader.number("destinationNpi", null, octet),
    sourceRules: readAddressRules(reader, "sourceRules"),
    destinationRules: readAddressRules(reader, "destinationRules"),
    registeredDelivery: reader.number("registeredDelivery", 1, { min: 0, max: 31 }),
    queryAfterMinutes: reader.number("queryAfterMinutes", null, { min: 1, max: 10_080 }),
    queriesPerSecond: reader.number("queriesPerSecond", 1, { min: 0.1, max: 100, fractions: true }),
    serviceType: reader.text("serviceType", "", { lengthMax: 5, ...printableAscii }),
    protocolId: reader.number("protocolId", 0, octet),
    priority: readPriority(reader),
    tlvs: readOptionalParameters(reader, "tlvs"),
    temporaryErrors: reader.numbers("temporaryErrors", statuses),
    throttlingErrors: reader.numbers("throttlingErrors", statuses),
  };
}

/** Some carriers refuse or charge for other levels (§5.2.14), so a file must ask for them. */
const priorityDefaults = { otp: 0, single: 0, bulk: 0 };

function readPriority(reader: JsonFileReader): SmppOptions["priority"] {
  const flag = { min: 0, max: 3 };
  const set = reader.section("priority", (section) => ({
    otp: section.number("otp", priorityDefaults.otp, flag),
    single: section.number("single", priorityDefaults.single, flag),
    bulk: section.number("bulk", priorityDefaults.bulk, flag),
  }));
  return set ?? priorityDefaults;
}
