/** Reads an SMPP route's file; the command line has already replaced the password's file by the password. */

import { JsonFileReader, type JsonFileResult, required } from "../../domain/json-file.ts";
import type { UncertainPolicy } from "../../domain/uncertain-policy.ts";
import { pick } from "../../fields/field.ts";
import { type FileValueOf, readFileField, readFileFields } from "../../fields/file.ts";
import { smppCarrierFields } from "../../fields/smpp-carrier.ts";
import { readCharsets } from "../../smpp/charset.ts";
import type { TlsOptions } from "../carrier-network.ts";
import { readFailover } from "../failover-file.ts";
import { readUncertainPolicy } from "../uncertain-policy-file.ts";
import { readAddressRules } from "./address-rules.ts";
import { type Host, readHosts } from "./host-order.ts";
import { readOptionalParameters, readPassedTags } from "./optional-parameters.ts";
import { readTls } from "./tls-file.ts";

const fields = smppCarrierFields;

/** The keys that are read as they are declared. */
const bindFields = pick(
  fields,
  "firstHostAfterSeconds",
  "systemId",
  "systemType",
  "addressRange",
  "bindTon",
  "bindNpi",
);
const linkFields = pick(
  fields,
  "bind",
  "binds",
  "window",
  "partsPerSecond",
  "partsPerSecondPerBind",
  "throttlePauseMs",
  "throttleScope",
  "responseTimeoutMs",
  "enquireLinkSeconds",
);
const addressFields = pick(
  fields,
  "alphanumericSenderMax",
  "validityMinutes",
  "sourceTon",
  "sourceNpi",
  "destinationTon",
  "destinationNpi",
);
const submitFields = pick(
  fields,
  "registeredDelivery",
  "queryAfterMinutes",
  "queriesPerSecond",
  "serviceType",
  "protocolId",
);
const statusFields = pick(fields, "temporaryErrors", "throttlingErrors");

export type BindForm = FileValueOf<typeof fields.bind>;
/**
 * How a receipt spells the id from the submit's answer: unchanged, or in another base. `hexToDec`: hexadecimal in the
 * answer, decimal in the receipt; `decToHex`: the reverse; `auto`: learned from the first receipts.
 */
export type ReceiptIdForm = FileValueOf<typeof fields.receiptId>;

/** The policy is for the dispatcher. */
export interface SmppOptions extends UncertainPolicy, ReturnType<typeof readSmppTuning> {
  /** Each bind tries them in this order. */
  hosts: readonly [Host, ...Host[]];
  password: string;
  tls: TlsOptions | null;
}

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
  ...readFileFields(reader, bindFields),
  ...readFileFields(reader, linkFields),
  longMessages: readFileField(reader, "longMessages", fields.longMessages),
  charset: readCharsets(reader),
  receiptId: readFileField(reader, "receiptId", fields.receiptId),
  ...readUncertainPolicy(reader),
  ...readFailover(reader),
  ...readFileFields(reader, addressFields),
  sourceRules: readAddressRules(reader, "sourceRules"),
  destinationRules: readAddressRules(reader, "destinationRules"),
  ...readFileFields(reader, submitFields),
  priority: readPriority(reader),
  tlvs: readOptionalParameters(reader, "tlvs"),
  passTlvs: readPassedTags(reader, "passTlvs"),
  ...readFileFields(reader, statusFields),
});

/** 3.4 allows 8 characters, but carriers issue longer passwords, and their SMSCs accept them. */
function readPassword(reader: JsonFileReader): string {
  const { pattern, shape } = fields.systemId;
  const bounds = { lengthMax: fields.password.max, pattern, shape };
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

function readPriority(reader: JsonFileReader) {
  const set = reader.section("priority", (section) => ({
    otp: readFileField(section, "otp", fields["priority.otp"]),
    single: readFileField(section, "single", fields["priority.single"]),
    bulk: readFileField(section, "bulk", fields["priority.bulk"]),
  }));
  return set ?? { otp: 0, single: 0, bulk: 0 };
}
