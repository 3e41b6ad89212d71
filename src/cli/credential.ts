/**
 * `peyk credential …`: what customers sign in with over SMPP, Kannel, Jasmin, intakes or mail, alongside the API key it
 * belongs to.
 */

import { counted } from "../domain/counted.ts";
import type { SmppRepeats } from "../domain/credential.ts";
import {
  credentialRenewalFields,
  credentialFields as customerFields,
  dropInCredentialFields,
  kannelCredentialFields,
  newCredentialFields,
  smppCredentialFields,
  smtpCredentialFields,
} from "../fields/credential.ts";
import { pick } from "../fields/field.ts";
import type { AnswerOf } from "../operator/client.ts";
import type { CredentialAnswer, IssuedCredentialAnswer } from "../operator/credentials.ts";
import { answerLines } from "./client.ts";
import { calls, flag, noun, typed } from "./declared.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import { fieldRows } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { readRouteFile } from "./route-file.ts";
import { traceVerb } from "./route-trace.ts";
import { formatFields, joinLines, shortTime, tableOf } from "./text.ts";
import { readText } from "./text-file.ts";

const { repeats, ...smppFields } = smppCredentialFields;
const protocolOptions = { repeats, ...smppFields, ...kannelCredentialFields, ...smtpCredentialFields };
const { rate } = customerFields;
const {
  callbackOrigins,
  requestKey,
  requestKeySeconds: hold,
  requestKeyFreeAfterFailure: free,
} = dropInCredentialFields;

const optionFields = {
  rate,
  callbackOrigins: { ...callbackOrigins, help: `${callbackOrigins.help}; all of them, or none` },
  requestKey: { ...requestKey, help: `${requestKey.help}, or none: an Idempotency-Key header alone` },
  requestKeySeconds: hold,
  requestKeyFreeAfterFailure: free,
  ...protocolOptions,
} as const;

const newTrafficOptions = {
  rate: { ...rate, help: "messages a second (default: no limit)" },
  callbackOrigins,
  requestKey,
  requestKeySeconds: { ...hold, help: `${hold.help} (default: 24h)` },
  requestKeyFreeAfterFailure: {
    ...free,
    option: "request-key-free-after-failure",
    help: "a key whose messages failed may be used again",
  },
} as const;
const newProtocolOptions = {
  ...protocolOptions,
  repeats: { ...repeats, help: `${repeats.help} (default: off)` },
} as const;

/** Spaces within a password stay. @throws CommandFailed */
function passwordIn(io: CliIo, path: string): string {
  const line = readText(io, path).replace(/\r?\n$/, "");
  const isSpaced = line !== line.trim() && "begins or ends with a space";
  const wrong = line.trim() === "" ? "is empty" : line.includes("\n") ? "has more than one line" : isSpaced;
  if (wrong === false) return line;
  throw new CommandFailed("file_invalid", `${path} ${wrong}.`);
}

function issuedText(issued: IssuedCredentialAnswer): string {
  const { kind, name, password } = issued;
  const shown = formatFields([
    [kind === "smpp" ? "system_id" : "username", name],
    ["password", password],
  ]);
  return `${credentialFields(issued)}\n${shown}\nThis is the only time that the password is shown.\n`;
}

const repeatsText = (repeats: SmppRepeats): string =>
  typeof repeats === "number" ? `TLV 0x${repeats.toString(16)}` : repeats;

function credentialFields(credential: CredentialAnswer): string {
  const { options, dropIn, lastRefusal, binds, mail } = credential;
  const fields = formatFields([
    ["Credential", `${credential.id}, ${credential.kind}`],
    ["Key", `${credential.key} of ${credential.account}`],
    ["Name", credential.name],
    ["Status", credential.status],
    ["Traffic", credential.traffic],
    ["Messages a second", credential.rate === null ? "no limit" : String(credential.rate)],
    ...(options === null
      ? []
      : ([
          ["Binds", `${binds.length} of ${options.binds}, window ${options.window}`],
          ["Alphabet", options.charset],
          ["Alphabet of data_coding 1", options.ia5],
          ["Message ids", options.messageIds],
          ["Repeats", repeatsText(options.repeats)],
        ] as const)),
    ...(dropIn === null || credential.kind === "intake" || credential.kind === "smtp" ? [] : dropInFields(dropIn)),
    ...(dropIn === null || credential.kind !== "kannel" ? [] : fieldRows(kannelCredentialFields, dropIn)),
    ...(dropIn === null || credential.kind !== "smtp" ? [] : fieldRows(smtpCredentialFields, dropIn)),
    ...(mail === null ? [] : ([["Mail to", `${mail.to}, port ${mail.ports.join(" or ")}`]] as const)),
    ["Forwards", credential.forwards ? "texts or statuses, to its program" : "-"],
    ...(credential.template === null ? [] : ([["Template", JSON.stringify(credential.template)]] as const)),
    ["Since the start", `${counted(credential.accepted, "submit")} accepted, ${credential.refused} refused`],
    ["Last refusal", lastRefusal === null ? "-" : `${lastRefusal.status}: ${lastRefusal.words}`],
    ["Waiting", waitingText(credential)],
    ["Old password until", shortTime(credential.previousPasswordUntil)],
  ]);
  return binds.length === 0 ? fields : `${fields}\n${joinLines(binds.map(bindText))}`;
}

function countText({ waiting, waitingMore }: CredentialAnswer): string {
  return `${waiting}${waitingMore ? "+" : ""}`;
}

const waitingText = (credential: CredentialAnswer) =>
  credential.waiting === 0
    ? "nothing"
    : `${countText(credential)}, the oldest since ${shortTime(credential.oldestWaitingAt)}`;

function dropInFields({ callbackOrigins, key, keySeconds, hasShortSecret }: NonNullable<CredentialAnswer["dropIn"]>) {
  return [
    ["Password", hasShortSecret ? "short: good from the key's addresses only" : "-"],
    ["Callbacks to", ["public HTTPS", ...callbackOrigins].join(", ")],
    ["Key of a request", key === null ? "Idempotency-Key" : `${key.from} ${key.name}, for ${keySeconds} s`],
  ] as const;
}

const bindText = ({ mode, address, since, openSubmits, openDeliveries }: CredentialAnswer["binds"][number]) =>
  `${mode} from ${address} since ${shortTime(since)}: ${openSubmits} unanswered submits, ${openDeliveries} unacknowledged deliveries`;

const credentialTable = tableOf<CredentialAnswer>(
  "There are no credentials. Create one: peyk credential create --key KEY --kind smpp --traffic bulk",
  {
    CREDENTIAL: "id",
    ACCOUNT: "account",
    KEY: "key",
    KIND: "kind",
    NAME: "name",
    STATUS: "status",
    TRAFFIC: "traffic",
    BOUND: ({ binds }) => binds.length,
    WAITING: countText,
  },
);

function revokedText({ lines, rules, ...credential }: AnswerOf<"POST /credentials/:id/revoke">): string {
  const taking = [...lines.map((line) => `line ${line}`), ...rules.map(({ line, rule }) => `${rule} of line ${line}`)];
  const told = taking.length === 0 ? [] : [`These name it, in vain from now on: ${taking.join(", ")}.`];
  return credentialFields(credential) + joinLines(told);
}

const of = { id: "credential id" };

const kinds = "names and passwords with which customers come in by SMPP, Kannel, Jasmin, intakes or mail";

export const credentialCommand = noun("credential", kinds, {
  create: calls({
    does: "create a credential of a key; its password is shown only once",
    examples: [
      "peyk credential create --key key_1 --kind smpp --traffic bulk",
      "peyk credential create --key key_1 --kind smpp --traffic single --name bank --rate 200 --message-ids decimal",
      "peyk credential create --key key_1 --kind smpp --traffic single --repeats 0x1500",
      "peyk credential create --key key_1 --kind kannel --traffic single --username shop --password-file shop.txt",
      "peyk credential create --key key_1 --kind kannel --traffic single --username old --text-charset windows-1256 --path /sms/send",
      "peyk credential create --key key_1 --kind jasmin --traffic bulk --callback-origin http://10.0.0.5:8000",
      "peyk credential create --key key_1 --kind smtp --traffic single --name ups --parts 1",
      "peyk credential create --key key_1 --kind intake --traffic single --username alerts --template alerts.json",
    ],
    options: {
      ...pick(newCredentialFields, "key", "kind", "traffic"),
      username: typed(
        "username <name>",
        "system_id of SMPP, up to 15 characters, or user name (default: one that is made up)",
      ),
      name: typed("name <name>", "the same"),
      passwordFile: typed(
        "password-file <file>",
        "with the password that its clients have; not for SMPP (default: one that is made up)",
      ),
      ...newTrafficOptions,
      template: typed("template <file>", "of an intake: the file (JSON) that says how its calls become messages"),
      ...newProtocolOptions,
    },
    call: async (api, { username, name = username, passwordFile, template, ...given }, io) =>
      api("POST /credentials", {
        ...given,
        ...(name !== undefined && { name }),
        ...(passwordFile !== undefined && { password: passwordIn(io, passwordFile) }),
        ...(template !== undefined && { template: await readRouteFile(io, template) }),
      }),
    text: issuedText,
  }),
  list: calls({
    does: "list credentials, and who is bound",
    examples: ["peyk credential list --account acc_1"],
    options: { account: typed("account <id>", "of this account alone") },
    call: (api, given) => api("GET /credentials", given),
    text: credentialTable,
  }),
  show: calls({
    does: "show a credential, its binds and its last refusal",
    examples: ["peyk credential show cred_1"],
    of,
    call: (api, given) => api("GET /credentials/:id", given),
    text: credentialFields,
  }),
  update: calls({
    does: "change a credential's rate or options; its name and password stay. SMPP's options apply to binds that come later",
    examples: [
      "peyk credential update cred_1 --rate 200 --binds 8",
      "peyk credential update cred_2 --callback-origin http://10.0.0.5:8000 --request-key header:X-Request-Id",
      "peyk credential update cred_2 --rate unlimited --callback-origin none --request-key none",
    ],
    of,
    options: optionFields,
    call: (api, { id, ...change }) => {
      if (Object.keys(change).length === 0) throw new UsageError("Say what changes, such as --rate.");
      return api("PATCH /credentials/:id", { id, ...change });
    },
    text: credentialFields,
  }),
  rotate: calls({
    does: "give a credential a new password; the old one works for a grace time",
    examples: ["peyk credential rotate cred_1", "peyk credential rotate cred_1 --grace 0"],
    of,
    options: credentialRenewalFields,
    call: (api, given) => api("POST /credentials/:id/rotate", given),
    text: issuedText,
  }),
  revoke: calls({
    does: "revoke a credential at once and for ever; its binds end, and what waits is kept",
    examples: ["peyk credential revoke cred_1"],
    of,
    call: (api, given) => api("POST /credentials/:id/revoke", given),
    text: revokedText,
  }),
  forward: calls({
    does: "forward texts of the credential's lines, or statuses of its key's messages, to its program; see docs/intake.md",
    examples: ["peyk credential forward cred_3 --template forward.json", "peyk credential forward cred_3 --off"],
    of,
    options: {
      template: typed("template <file>", "the file (JSON) with the requests, or - for standard input"),
      off: flag("off", "forward nothing any more"),
    },
    call: async (api, { id, template, off }, io) => {
      if ((template === undefined) === (off === undefined)) throw new UsageError("Give --template or --off.");
      const forward = template === undefined ? null : await readRouteFile(io, template);
      return api("PUT /credentials/:id/forward", { id, forward });
    },
    text: credentialFields,
  }),
  trace: traceVerb({
    does: "show each PDU of a credential's binds in words, for the customer's support; nothing is stored",
    examples: ["peyk credential trace cred_1", "peyk credential trace cred_1 --minutes 2 --show-texts > trace.txt"],
    of: "credential",
    argument: ["<id>", of.id],
    textsHelp: "show texts and whole numbers",
    lines: (socket, id, input) => answerLines(socket, "POST /credentials/:id/trace", { id, ...input }),
  }),
});
