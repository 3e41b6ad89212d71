/** Every key of an SMPP route's file, in the order of its form. A name with a dot is a key of an object. */
import { between, type FieldTable, inGroup } from "./field.ts";
import { routeFields } from "./route.ts";

const octet = between(0, 255);
const ascii = { kind: "text", pattern: /^[\x20-\x7e]*$/, shape: "printable_ascii" } as const;
const hostName = { kind: "text", max: 253, pattern: /^[A-Za-z0-9._:-]+$/, shape: "host_name" } as const;
const port = between(1, 65_535);
const path = { kind: "text", min: 1, max: 4_096 } as const;
const rate = { kind: "number", min: 0.1, max: 100_000, fractions: true } as const;
const priority = between(0, 3, 0);
const statuses = { kind: "numbers", min: 1, max: 0xffffffff, countMax: 100 } as const;
const ifAsked = "Only if the carrier asks for one.";

const { alphanumericSenderMax, ...ofEveryRoute } = routeFields;

const connection = inGroup("connection", {
  host: { ...hostName, isRequired: true, label: "Host", examples: ["smsc.example.com"] },
  port: { ...port, isRequired: true, beside: true, label: "Port", examples: ["2775"] },
  tls: { kind: "choice", words: ["no", "yes"], beside: true, label: "Security" },
  systemId: { ...ascii, max: 64, isRequired: true, label: "System id", hint: "The name you sign in with." },
  /** 3.4 allows 8 characters, but carriers issue longer passwords, and their SMSCs accept them. */
  password: { kind: "secret", max: 64, isRequired: true, beside: true, label: "Password" },
  systemType: { ...ascii, max: 32, otherwise: "", label: "System type", hint: ifAsked },
  /** `receiver`: the route takes deliveries, and carries no message. */
  bind: {
    kind: "choice",
    words: ["transceiver", "transmitter+receiver", "receiver"],
    beside: true,
    label: "Bind as",
    hint: "Transceiver where the sheet says nothing.",
  },
});

const traffic = inGroup("traffic", {
  /** Over the whole route. The dispatcher enforces it. */
  partsPerSecond: { ...rate, label: "Parts a second", hint: "As agreed; empty for no limit." },
  /** Concurrent binds (pairs of binds for `transmitter+receiver`). */
  binds: { ...between(1, 32, 1), beside: true, label: "Binds", hint: "Sessions; 1 unless set." },
  /** Unanswered parts per bind. */
  window: {
    ...between(1, 1_000, 10),
    beside: true,
    label: "Window",
    hint: "Requests without an answer at once, of SMPP on each bind; 10 unless set.",
  },
});

const limits = inGroup("limits", {
  /** Enforced by each bind. */
  partsPerSecondPerBind: { ...rate, label: "Parts a second of a bind", hint: "Where each session is limited, too." },
  /** `bind`: the carrier throttles each bind separately, and the others continue. */
  throttleScope: { kind: "choice", words: ["route", "bind"], beside: true, label: "“Too fast” pauses" },
  throttlePauseMs: {
    ...between(50, 60_000, 1_000),
    beside: true,
    label: "For milliseconds",
    hint: "1,000 unless set.",
  },
  responseTimeoutMs: {
    ...between(100, 300_000, 10_000),
    label: "Wait for an answer, milliseconds",
    hint: "10,000 unless set.",
  },
  enquireLinkSeconds: {
    ...between(1, 3_600, 30),
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
});

const secondHost = inGroup("secondHost", {
  "secondHost.host": {
    ...hostName,
    label: "Second host",
    hint: "Tried where the first one takes no bind.",
    examples: ["smsc2.example.com"],
  },
  "secondHost.port": { ...port, beside: true, label: "Its port", hint: "Empty: that of the first." },
  /** How often a bind on the second host checks whether the first one accepts connections again. */
  firstHostAfterSeconds: {
    ...between(5, 86_400, 60),
    beside: true,
    label: "Look for the first after, seconds",
    hint: "60 unless set.",
  },
});

const texts = inGroup("texts", {
  /** What the SMSC means by data_coding 0. A file may also hold a table, or one alphabet for each direction. */
  charset: {
    kind: "choice",
    words: ["gsm7", "gsm7-packed", "latin1", "ascii"],
    label: "Alphabet",
    hint: "What the carrier means by data_coding 0.",
  },
  longMessages: {
    kind: "choice",
    words: ["udh8", "udh16", "sar", "payload"],
    beside: true,
    label: "Long texts",
    hint: "UDH, 8 bits, where the sheet says nothing.",
  },
});

const submit = inGroup("submit", {
  serviceType: { ...ascii, max: 5, otherwise: "", label: "Service type", hint: ifAsked },
  protocolId: { ...between(0, 255, 0), beside: true, label: "Protocol id", hint: "0 unless set." },
  /** Months and years have no fixed length, and some SMSCs refuse more days than a month has. */
  validityMinutes: {
    ...between(0, 31 * 24 * 60),
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
    label: "Optional parameters",
    hint: "TLVs by tag, as JSON.",
    examples: ['{"0x1400": "1101234567890123456"}'],
  },
  passTlvs: {
    kind: "json",
    label: "TLVs passed on",
    hint: "Tags from 0x1400 to 0x3FFF that customers’ SMPP clients fill, as JSON.",
    examples: ['["0x1400", "0x1401"]'],
  },
});

const rules = { kind: "json", hint: "How the carrier writes them, as JSON." } as const;

const numbers = inGroup("numbers", {
  sourceTon: { ...octet, label: "Sender’s TON", hint: "0 to 255; empty to choose by the sender." },
  sourceNpi: { ...octet, beside: true, label: "Sender’s NPI", hint: "0 to 255." },
  destinationTon: { ...octet, label: "Recipient’s TON", hint: "0 to 255." },
  destinationNpi: { ...octet, beside: true, label: "Recipient’s NPI", hint: "0 to 255." },
  /** addr_ton and addr_npi of the bind (§5.2.1). */
  bindTon: { ...between(0, 255, 0), label: "TON of the bind", hint: "0 unless set." },
  bindNpi: { ...between(0, 255, 0), beside: true, label: "NPI of the bind", hint: "0 unless set." },
  sourceRules: {
    ...rules,
    label: "Rules for senders",
    examples: ['[{"equals": "BANK", "to": "30001234", "ton": 3, "npi": 0}]'],
  },
  destinationRules: {
    ...rules,
    label: "Rules for recipients",
    examples: ['[{"prefix": "+98", "to": "0", "ton": 2, "npi": 1}]'],
  },
  alphanumericSenderMax,
});

const receipts = inGroup("receipts", {
  receiptId: {
    kind: "choice",
    words: ["auto", "exact", "hexToDec", "decToHex"],
    label: "Ids in receipts",
    hint: "Peyk finds out by itself.",
  },
  /** When to query an overdue receipt with query_sm. */
  queryAfterMinutes: {
    ...between(1, 10_080),
    beside: true,
    label: "Ask after, minutes",
    hint: "Empty: never asks about a missing receipt.",
  },
  /** Over the whole route. */
  queriesPerSecond: { ...rate, max: 100, otherwise: 1, label: "Questions a second", hint: "1 unless set." },
  /** Of every part (§5.2.17). */
  registeredDelivery: {
    ...between(0, 31, 1),
    beside: true,
    label: "registered_delivery",
    hint: "1 unless set: a receipt for every part.",
  },
});

const inbound = inGroup("inbound", {
  addressRange: { ...ascii, max: 40, otherwise: "", label: "Address range", hint: ifAsked, examples: ["^3000"] },
});

const security = inGroup("security", {
  "tls.caFile": {
    ...path,
    label: "Authority’s file",
    hint: "A PEM file on the server, for a certificate of the carrier’s own.",
    examples: ["/etc/peyk/carrier-ca.pem"],
  },
  "tls.serverName": {
    ...hostName,
    label: "Name in the certificate",
    hint: "Where it is not the host’s.",
    examples: ["smsc.example.com"],
  },
  "tls.certFile": {
    ...path,
    label: "Your certificate’s file",
    hint: "Where the carrier asks for one, with its key.",
    examples: ["/etc/peyk/client.pem"],
  },
  "tls.keyFile": { ...path, beside: true, label: "Its key’s file", examples: ["/etc/peyk/client.key"] },
});

export const smppCarrierFields = {
  ...connection,
  ...traffic,
  ...limits,
  ...secondHost,
  ...texts,
  ...submit,
  ...numbers,
  ...receipts,
  ...ofEveryRoute,
  ...inbound,
  ...security,
} satisfies FieldTable;
