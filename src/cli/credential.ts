/**
 * `peyk credential …`: what customers sign in with over SMPP, Kannel, Jasmin or intakes, alongside the API key it
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
} from "../fields/credential.ts";
import { pick } from "../fields/field.ts";
import type { CredentialAnswer, IssuedCredentialAnswer } from "../operator/credentials.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import { fieldRows, saidFields, saidNewFields, withFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { readRouteFile } from "./route-file.ts";
import { formatFields, formatTable, joinLines, shortTime } from "./text.ts";
import { readText } from "./text-file.ts";
import { wholeNumber } from "./values.ts";
import { ask, noun, type VerbWords, verb } from "./verb.ts";

export function credentialCommand(io: CliIo) {
  return noun("credential", "names and passwords with which customers come in by SMPP, Kannel, Jasmin or intakes")
    .addCommand(create(io))
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(update(io))
    .addCommand(rotate(io))
    .addCommand(revoke(io))
    .addCommand(forward(io))
    .addCommand(trace(io));
}

const verbOfOne = (name: string, words: VerbWords) => verb(name, words).argument("<id>", "credential id");

function forward(io: CliIo) {
  return verbOfOne("forward", {
    does: "forward texts of the credential's lines, or statuses of its key's messages, to its program; see docs/intake.md",
    examples: ["peyk credential forward cred_3 --template forward.json", "peyk credential forward cred_3 --off"],
  })
    .option("--template <file>", "the file (JSON) with the requests, or - for standard input")
    .option("--off", "forward nothing any more")
    .action(async (id, { template, off, ...options }) => {
      if ((template === undefined) === (off === undefined)) throw new UsageError("Give --template or --off.");
      const file = template === undefined ? null : await readRouteFile(io, template);
      await ask(io, options, (api) => api("PUT /credentials/:id/forward", { id, forward: file }), credentialFields);
    });
}

function create(io: CliIo) {
  const command = verb("create", {
    does: "create a credential of a key; its password is shown only once",
    examples: [
      "peyk credential create --key key_1 --kind smpp --traffic bulk",
      "peyk credential create --key key_1 --kind smpp --traffic single --name bank --rate 200 --message-ids decimal",
      "peyk credential create --key key_1 --kind smpp --traffic single --repeats 0x1500",
      "peyk credential create --key key_1 --kind kannel --traffic single --username shop --password-file shop.txt",
      "peyk credential create --key key_1 --kind kannel --traffic single --username old --text-charset windows-1256 --path /sms/send",
      "peyk credential create --key key_1 --kind jasmin --traffic bulk --callback-origin http://10.0.0.5:8000",
      "peyk credential create --key key_1 --kind intake --traffic single --username alerts --template alerts.json",
    ],
  });
  const named = withNewFields(command, ownerFields)
    .option("--username <name>", "system_id of SMPP, up to 15 characters, or user name (default: one that is made up)")
    .option("--name <name>", "the same")
    .option(
      "--password-file <file>",
      "with the password that its clients have; not for SMPP (default: one that is made up)",
    );
  const ofIntakes = withFields(named, newTrafficOptions).option(
    "--template <file>",
    "of an intake: the file (JSON) that says how its calls become messages",
  );
  return withFields(ofIntakes, newProtocolOptions).action(
    async ({ username, name = username, passwordFile, template, ...options }) => {
      const input = {
        ...saidNewFields(ownerFields, options),
        ...saidFields({ ...newTrafficOptions, ...newProtocolOptions }, options),
        ...(name !== undefined && { name }),
        ...(passwordFile !== undefined && { password: passwordIn(io, passwordFile) }),
        ...(template !== undefined && { template: await readRouteFile(io, template) }),
      };
      await ask(io, options, (api) => api("POST /credentials", input), issuedText);
    },
  );
}

function update(io: CliIo) {
  const command = verbOfOne("update", {
    does: "change a credential's rate or options; its name and password stay. SMPP's options apply to binds that come later",
    examples: [
      "peyk credential update cred_1 --rate 200 --binds 8",
      "peyk credential update cred_2 --callback-origin http://10.0.0.5:8000 --request-key header:X-Request-Id",
      "peyk credential update cred_2 --rate unlimited --callback-origin none --request-key none",
    ],
  });
  return withFields(command, optionFields).action((id, options) => {
    const change = saidFields(optionFields, options);
    if (Object.keys(change).length === 0) throw new UsageError("Say what changes, such as --rate.");
    return ask(io, options, (api) => api("PATCH /credentials/:id", { id, ...change }), credentialFields);
  });
}

const ownerFields = pick(newCredentialFields, "key", "kind", "traffic");

const { repeats, ...smppFields } = smppCredentialFields;
const protocolOptions = { repeats, ...smppFields, ...kannelCredentialFields };
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

function list(io: CliIo) {
  return verb("list", {
    does: "list credentials, and who is bound",
    examples: ["peyk credential list --account acc_1"],
  })
    .option("--account <id>", "of this account alone")
    .action(({ account, ...options }) => {
      const query = account === undefined ? {} : { account };
      return ask(io, options, (api) => api("GET /credentials", query), formatCredentials);
    });
}

function show(io: CliIo) {
  return verbOfOne("show", {
    does: "show a credential, its binds and its last refusal",
    examples: ["peyk credential show cred_1"],
  }).action((id, options) => ask(io, options, (api) => api("GET /credentials/:id", { id }), credentialFields));
}

function rotate(io: CliIo) {
  const command = verbOfOne("rotate", {
    does: "give a credential a new password; the old one works for a grace time",
    examples: ["peyk credential rotate cred_1", "peyk credential rotate cred_1 --grace 0"],
  });
  return withFields(command, credentialRenewalFields).action((id, options) => {
    const renewal = saidFields(credentialRenewalFields, options);
    return ask(io, options, (api) => api("POST /credentials/:id/rotate", { id, ...renewal }), issuedText);
  });
}

function revoke(io: CliIo) {
  return verbOfOne("revoke", {
    does: "revoke a credential at once and for ever; its binds end, and what waits is kept",
    examples: ["peyk credential revoke cred_1"],
  }).action((id, options) => ask(io, options, (api) => api("POST /credentials/:id/revoke", { id }), credentialFields));
}

function trace(io: CliIo) {
  return verbOfOne("trace", {
    does: "show each PDU of a credential's binds in words, for the customer's support; nothing is stored",
    examples: ["peyk credential trace cred_1", "peyk credential trace cred_1 --minutes 2 --show-texts > trace.txt"],
  })
    .option("--minutes <n>", "how long, up to 60 (default: 10)")
    .option("--show-texts", "show texts and whole numbers")
    .action(async (id, { minutes = "10", showTexts = false, ...options }) => {
      const { traceCredential } = await import("./route-trace.ts");
      await traceCredential(io, options, id, { minutes: wholeNumber("--minutes", minutes, 1, 60), showTexts });
    });
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
  const { options, dropIn, lastRefusal, binds } = credential;
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
    ...(dropIn === null || credential.kind === "intake" ? [] : dropInFields(dropIn)),
    ...(dropIn === null || credential.kind !== "kannel" ? [] : fieldRows(kannelCredentialFields, dropIn)),
    ["Forwards", credential.forwards ? "texts or statuses, to its program" : "-"],
    ...(credential.template === null ? [] : ([["Template", JSON.stringify(credential.template)]] as const)),
    ["Since the start", `${counted(credential.accepted, "submit")} accepted, ${credential.refused} refused`],
    ["Last refusal", lastRefusal === null ? "-" : `${lastRefusal.status}: ${lastRefusal.words}`],
    ["Waiting", waitingText(credential)],
    ["Old password until", shortTime(credential.previousPasswordUntil)],
  ]);
  return binds.length === 0 ? fields : `${fields}\n${joinLines(binds.map(bindText))}`;
}

const countText = ({ waiting, waitingMore }: CredentialAnswer) => `${waiting}${waitingMore ? "+" : ""}`;

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

function formatCredentials(all: readonly CredentialAnswer[]): string {
  if (all.length === 0)
    return "There are no credentials. Create one: peyk credential create --key KEY --kind smpp --traffic bulk\n";
  const rows = all.map((one) => {
    const { id, account, key, kind, name, status, traffic, binds } = one;
    return [id, account, key, kind, name, status, traffic, String(binds.length), countText(one)];
  });
  return formatTable(["CREDENTIAL", "ACCOUNT", "KEY", "KIND", "NAME", "STATUS", "TRAFFIC", "BOUND", "WAITING"], rows);
}
