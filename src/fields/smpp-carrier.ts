/** Every key of an SMPP route's file, in the order of its form. A name with a dot is a key of an object. */
import type { FieldTable } from "./field.ts";
import { routeFields } from "./route.ts";

const octet = { kind: "number", min: 0, max: 255 } as const;
const ascii = { kind: "text", pattern: /^[\x20-\x7e]*$/, shape: "printable_ascii" } as const;
const hostName = { kind: "text", max: 253, pattern: /^[A-Za-z0-9._:-]+$/, shape: "host_name" } as const;
const port = { kind: "number", min: 1, max: 65_535 } as const;
const path = { kind: "text", min: 1, max: 4_096 } as const;
const rate = { kind: "number", min: 0.1, max: 100_000, fractions: true } as const;
const priority = { kind: "number", min: 0, max: 3, otherwise: 0, group: "submit" } as const;
const statuses = { kind: "numbers", min: 1, max: 0xffffffff, countMax: 100, group: "limits" } as const;

const { alphanumericSenderMax, ...ofEveryRoute } = routeFields;

const connection = {
  host: { ...hostName, isRequired: true, group: "connection", label: "Host", examples: ["smsc.example.com"] },
  port: { ...port, isRequired: true, group: "connection", beside: true, label: "Port", examples: ["2775"] },
  tls: { kind: "choice", words: ["no", "yes"], group: "connection", beside: true, label: "Security" },
  systemId: {
    ...ascii,
    max: 64,
    isRequired: true,
    group: "connection",
    label: "System id",
    hint: "The name you sign in with.",
  },
  /** 3.4 allows 8 characters, but carriers issue longer passwords, and their SMSCs accept them. */
  password: { kind: "secret", max: 64, isRequired: true, group: "connection", beside: true, label: "Password" },
  systemType: {
    ...ascii,
    max: 32,
    otherwise: "",
    group: "connection",
    label: "System type",
    hint: "Only if the carrier asks for one.",
  },
  /** `receiver`: the route takes deliveries, and carries no message. */
  bind: {
    kind: "choice",
    words: ["transceiver", "transmitter+receiver", "receiver"],
    group: "connection",
    beside: true,
    label: "Bind as",
    hint: "Transceiver where the sheet says nothing.",
  },
} as const satisfies FieldTable;

const traffic = {
  /** Over the whole route. The dispatcher enforces it. */
  partsPerSecond: { ...rate, group: "traffic", label: "Parts a second", hint: "As agreed; empty for no limit." },
  /** Concurrent binds (pairs of binds for `transmitter+receiver`). */
  binds: {
    kind: "number",
    min: 1,
    max: 32,
    otherwise: 1,
    group: "traffic",
    beside: true,
    label: "Binds",
    hint: "Sessions; 1 unless set.",
  },
  /** Unanswered parts per bind. */
  window: {
    kind: "number",
    min: 1,
    max: 1_000,
    otherwise: 10,
    group: "traffic",
    beside: true,
    label: "Window",
    hint: "Unanswered at once; 10 unless set.",
  },
  /** Enforced by each bind. */
  partsPerSecondPerBind: {
    ...rate,
    group: "limits",
    label: "Parts a second of a bind",
    hint: "Where each session is limited, too.",
  },
  /** `bind`: the carrier throttles each bind separately, and the others continue. */
  throttleScope: {
    kind: "choice",
    words: ["route", "bind"],
    group: "limits",
    beside: true,
    label: "“Too fast” pauses",
  },
  throttlePauseMs: {
    kind: "number",
    min: 50,
    max: 60_000,
    otherwise: 1_000,
    group: "limits",
    beside: true,
    label: "For milliseconds",
    hint: "1,000 unless set.",
  },
  responseTimeoutMs: {
    kind: "number",
    min: 100,
    max: 300_000,
    otherwise: 10_000,
    group: "limits",
    label: "Wait for an answer, milliseconds",
    hint: "10,000 unless set.",
  },
  enquireLinkSeconds: {
    kind: "number",
    min: 1,
    max: 3_600,
    otherwise: 30,
    group: "limits",
    beside: true,
    label: "Test the line after, seconds",
    hint: "enquire_link; 30 unless set.",
  },
  throttlingErrors: {
    ...statuses,
    label: "Further statuses that mean “too fast”",
    hint: "Numbers of command_status.",
    examples: ["1281"],
  },
  temporaryErrors: {
    ...statuses,
    beside: true,
    label: "Further statuses that pass",
    hint: "The message is then tried again.",
    examples: ["1024"],
  },
} as const satisfies FieldTable;

const secondHost = {
  "secondHost.host": {
    ...hostName,
    group: "secondHost",
    label: "Second host",
    hint: "Tried where the first one takes no bind.",
    examples: ["smsc2.example.com"],
  },
  "secondHost.port": {
    ...port,
    group: "secondHost",
    beside: true,
    label: "Its port",
    hint: "Empty: that of the first.",
  },
  /** How often a bind on the second host checks whether the first one accepts connections again. */
  firstHostAfterSeconds: {
    kind: "number",
    min: 5,
    max: 86_400,
    otherwise: 60,
    group: "secondHost",
    beside: true,
    label: "Look for the first after, seconds",
    hint: "60 unless set.",
  },
} as const satisfies FieldTable;

const texts = {
  /** What the SMSC means by data_coding 0. A file may also hold a table, or one alphabet for each direction. */
  charset: {
    kind: "choice",
    words: ["gsm7", "gsm7-packed", "latin1", "ascii"],
    group: "texts",
    label: "Alphabet",
    hint: "What the carrier means by data_coding 0.",
  },
  longMessages: {
    kind: "choice",
    words: ["udh8", "udh16", "sar", "payload"],
    group: "texts",
    beside: true,
    label: "Long texts",
    hint: "UDH, 8 bits, where the sheet says nothing.",
  },
  serviceType: {
    ...ascii,
    max: 5,
    otherwise: "",
    group: "submit",
    label: "Service type",
    hint: "Only if the carrier asks for one.",
  },
  protocolId: { ...octet, otherwise: 0, group: "submit", beside: true, label: "Protocol id", hint: "0 unless set." },
  /** Months and years have no fixed length, and some SMSCs refuse more days than a month has. */
  validityMinutes: {
    kind: "number",
    min: 0,
    max: 31 * 24 * 60,
    group: "submit",
    beside: true,
    label: "Validity, minutes",
    hint: "Empty: as long as the message’s; 0: the carrier’s own.",
  },
  /** Some carriers refuse or charge for other levels (§5.2.14), so a file must ask for them. */
  "priority.otp": { ...priority, label: "Priority of one-time passwords", hint: "0 to 3; 0 unless set." },
  "priority.single": { ...priority, beside: true, label: "Of single messages" },
  "priority.bulk": { ...priority, beside: true, label: "Of bulk" },
  tlvs: {
    kind: "json",
    group: "submit",
    label: "Optional parameters",
    hint: "TLVs by tag, as JSON.",
    examples: ['{"0x1400": "1101234567890123456"}'],
  },
} as const satisfies FieldTable;

const rules = { kind: "json", group: "numbers" } as const;

const numbers = {
  sourceTon: { ...octet, group: "numbers", label: "Sender’s TON", hint: "0 to 255; empty to choose by the sender." },
  sourceNpi: { ...octet, group: "numbers", beside: true, label: "Sender’s NPI", hint: "0 to 255." },
  destinationTon: { ...octet, group: "numbers", label: "Recipient’s TON", hint: "0 to 255." },
  destinationNpi: { ...octet, group: "numbers", beside: true, label: "Recipient’s NPI", hint: "0 to 255." },
  /** addr_ton and addr_npi of the bind (§5.2.1). */
  bindTon: { ...octet, otherwise: 0, group: "numbers", label: "TON of the bind", hint: "0 unless set." },
  bindNpi: { ...octet, otherwise: 0, group: "numbers", beside: true, label: "NPI of the bind", hint: "0 unless set." },
  sourceRules: {
    ...rules,
    label: "Rules for senders",
    hint: "How the carrier writes them, as JSON.",
    examples: ['[{"equals": "BANK", "to": "30001234", "ton": 3, "npi": 0}]'],
  },
  destinationRules: {
    ...rules,
    label: "Rules for recipients",
    hint: "How the carrier writes them, as JSON.",
    examples: ['[{"prefix": "+98", "to": "0", "ton": 2, "npi": 1}]'],
  },
  alphanumericSenderMax,
} as const satisfies FieldTable;

const receipts = {
  receiptId: {
    kind: "choice",
    words: ["auto", "exact", "hexToDec", "decToHex"],
    group: "receipts",
    label: "Ids in receipts",
    hint: "Peyk finds out by itself.",
  },
  /** When to query an overdue receipt with query_sm. */
  queryAfterMinutes: {
    kind: "number",
    min: 1,
    max: 10_080,
    group: "receipts",
    beside: true,
    label: "Ask after, minutes",
    hint: "Empty: never asks about a missing receipt.",
  },
  /** Over the whole route. */
  queriesPerSecond: {
    kind: "number",
    min: 0.1,
    max: 100,
    fractions: true,
    otherwise: 1,
    group: "receipts",
    label: "Questions a second",
    hint: "1 unless set.",
  },
  /** Of every part (§5.2.17). */
  registeredDelivery: {
    kind: "number",
    min: 0,
    max: 31,
    otherwise: 1,
    group: "receipts",
    beside: true,
    label: "registered_delivery",
    hint: "1 unless set: a receipt for every part.",
  },
} as const satisfies FieldTable;

const others = {
  addressRange: {
    ...ascii,
    max: 40,
    otherwise: "",
    group: "inbound",
    label: "Address range",
    hint: "Only if the carrier asks for one.",
    examples: ["^3000"],
  },
  "tls.caFile": {
    ...path,
    group: "security",
    label: "Authority’s file",
    hint: "A PEM file on the server, for a certificate of the carrier’s own.",
    examples: ["/etc/peyk/carrier-ca.pem"],
  },
  "tls.serverName": {
    ...hostName,
    group: "security",
    label: "Name in the certificate",
    hint: "Where it is not the host’s.",
    examples: ["smsc.example.com"],
  },
  "tls.certFile": {
    ...path,
    group: "security",
    label: "Your certificate’s file",
    hint: "Where the carrier asks for one, with its key.",
    examples: ["/etc/peyk/client.pem"],
  },
  "tls.keyFile": {
    ...path,
    group: "security",
    beside: true,
    label: "Its key’s file",
    examples: ["/etc/peyk/client.key"],
  },
} as const satisfies FieldTable;

export const smppCarrierFields = {
  ...connection,
  ...traffic,
  ...secondHost,
  ...texts,
  ...numbers,
  ...receipts,
  ...ofEveryRoute,
  ...others,
} as const satisfies FieldTable;
