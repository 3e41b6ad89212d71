/** The keys of an HTTP carrier's file that its form has, by carrier and in the order of the form. */
import type { CarrierPresetName } from "../domain/carrier-preset.ts";
import { between, type FieldTable, inGroup, pick } from "./field.ts";
import { smppCarrierFields } from "./smpp-carrier.ts";

const text = { kind: "text", max: 4_096 } as const;
const secret = { kind: "secret", max: 4_096 } as const;

const account = inGroup("account", {
  username: { ...text, isRequired: true, label: "User name", hint: "At Twilio the Account SID, AC…" },
  password: smppCarrierFields.password,
  token: {
    ...secret,
    isRequired: true,
    label: "API key",
    hint: "From the carrier’s panel. Stored sealed, never shown again.",
  },
  lines: {
    kind: "list",
    max: 100,
    empty: "none",
    label: "Lines",
    hint: "The numbers you rent there, one on each line. Peyk fetches the texts they receive.",
    examples: ["30001234"],
  },
  pollInbound: { kind: "truth", label: "Fetch the texts that your lines receive" },
  messagingService: {
    ...text,
    label: "Messaging service",
    hint: "Only if one sends for you.",
    examples: ["MG…"],
  },
  smsc: { ...text, label: "smsc-id", hint: "Only if Kannel has several carriers." },
  callerNumber: {
    ...text,
    isRequired: true,
    label: "Number that calls",
    hint: "One that you rent there.",
    examples: ["+15005550006"],
  },
  number: { ...text, label: "Number of its SIM card", examples: ["+989120000000"] },
  sim: { ...between(1, 3), beside: true, label: "SIM slot", hint: "1 to 3; empty for the phone’s own choice." },
});

const receipts = inGroup("receipts", {
  callbackUrl: {
    ...text,
    label: "Address that the carrier calls",
    hint: "Faster than asking. Empty where nobody outside reaches Peyk.",
    examples: ["https://sms.example.com/callbacks/operator-a"],
  },
  callbackSecret: {
    ...secret,
    label: "Secret in that address",
    hint: "16 letters or digits and more; needed with an address.",
  },
  callbackKey: { ...secret, beside: true, label: "Signing key", hint: "As the app shows it under webhooks." },
});

const security = inGroup("security", {
  url: {
    ...text,
    label: "Address",
    hint: "As the carrier’s panel or sheet has it.",
    examples: ["https://xxxxx.api.infobip.com"],
  },
  caFile: smppCarrierFields["tls.caFile"],
});

export const httpCarrierFields = { ...account, ...receipts, ...security } satisfies FieldTable;

const own = httpCarrierFields;
const signIn = pick(own, "username", "password");
const callbacks = pick(own, "callbackUrl", "callbackSecret");
const { partsPerSecond } = smppCarrierFields;
const window = { ...smppCarrierFields.window, max: 100 };
const others = { partsPerSecond, window, ...pick(own, "url", "caFile") };
/** Where the carrier has no address of its own that every customer calls. */
const address = { url: { ...own.url, isRequired: true, group: "account" } } as const;

export const httpCarrierTables: Readonly<Record<CarrierPresetName, FieldTable>> = {
  kavenegar: { ...pick(own, "token", "lines"), ...callbacks, ...others },
  smsir: { ...pick(own, "token", "pollInbound"), ...others },
  twilio: { ...signIn, messagingService: own.messagingService, ...callbacks, ...others },
  telegram: { token: own.token, ...callbacks, ...others },
  "twilio-call": { ...signIn, callerNumber: own.callerNumber, ...callbacks, ...others },
  infobip: { ...address, token: own.token, ...callbacks, partsPerSecond, window, caFile: own.caFile },
  kannel: { ...address, ...signIn, smsc: own.smsc, ...callbacks, partsPerSecond, window, caFile: own.caFile },
  smsgate: { ...signIn, ...pick(own, "number", "sim"), ...callbacks, callbackKey: own.callbackKey, ...others },
};
