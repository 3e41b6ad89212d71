/** `peyk credential …`: what customers sign in with by SMPP, beside the API key that it belongs to. */
import { counted } from "../domain/counted.ts";
import {
  type SmppRepeats,
  smppCharsets,
  smppLimits,
  smppMessageIds,
  type TrafficKind,
  trafficKinds,
} from "../domain/credential.ts";
import type { CredentialAnswer, IssuedCredentialAnswer } from "../operator/credentials.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { formatFields, formatTable, joinLines, shortTime } from "./text.ts";
import { durationSeconds, wholeNumber } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

export function credentialCommand(io: CliIo) {
  return noun("credential", "names and passwords with which customers come in by SMPP")
    .addCommand(create(io))
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(rotate(io))
    .addCommand(revoke(io))
    .addCommand(trace(io));
}

function create(io: CliIo) {
  const words = {
    does: "create a credential of a key; its password is shown only once",
    examples: [
      "peyk credential create --key key_1 --kind smpp --traffic bulk",
      "peyk credential create --key key_1 --kind smpp --traffic single --name bank --rate 200 --message-ids decimal",
      "peyk credential create --key key_1 --kind smpp --traffic single --repeats 0x1500",
    ],
  };
  return verb("create", words)
    .requiredOption("--key <id>", "the key whose quota, price, addresses, permissions and end are the credential's")
    .requiredOption("--kind <kind>", "smpp")
    .requiredOption(
      "--traffic <traffic>",
      "bulk or single: suppression lists and quiet hours hold back bulk, unless they are set to hold more",
    )
    .option("--name <system_id>", "up to 15 characters (default: one that is made up)")
    .option("--rate <n>", "submits a second (default: no limit)")
    .option("--binds <n>", `connections at once, up to ${smppLimits.bindsMax} (default: 4)`)
    .option("--window <n>", `unanswered requests of a connection, up to ${smppLimits.windowMax} (default: 100)`)
    .option("--charset <charset>", `the alphabet of data_coding 0 (default: gsm7): ${smppCharsets.join(", ")}`)
    .option("--message-ids <form>", "code, or decimal: 19 digits (default: code)")
    .option(
      "--repeats <how>",
      "how a repeated submit is known: off, reference (user_message_reference with the same octets, 10 minutes), or a TLV as Idempotency-Key: 0x1400 to 0x3fff (default: off)",
    )
    .action(({ key, kind, traffic, name, rate, binds, window, charset, messageIds, repeats, ...options }) => {
      const input = {
        key,
        kind: oneWord("--kind", kind, ["smpp"] as const),
        traffic: oneWord<TrafficKind>("--traffic", traffic, trafficKinds),
        name,
        ...(rate !== undefined && { rate: wholeNumber("--rate", rate, 1, smppLimits.ratePerSecondMax) }),
        ...(binds !== undefined && { binds: wholeNumber("--binds", binds, 1, smppLimits.bindsMax) }),
        ...(window !== undefined && { window: wholeNumber("--window", window, 1, smppLimits.windowMax) }),
        ...(charset !== undefined && { charset: oneWord("--charset", charset, smppCharsets) }),
        ...(messageIds !== undefined && { messageIds: oneWord("--message-ids", messageIds, smppMessageIds) }),
        ...(repeats !== undefined && { repeats: repeatsOf(repeats) }),
      };
      return ask(io, options, (api) => api("POST /credentials", input), issuedText);
    });
}

function oneWord<Word extends string>(flag: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (word === undefined) throw new UsageError(`${flag} must be ${words.join(" or ")}, not "${text}".`);
  return word;
}

function repeatsOf(text: string): SmppRepeats {
  if (text === "off" || text === "reference") return text;
  const { vendorTagMin, vendorTagMax } = smppLimits;
  const tag = /^0x[0-9a-f]{4}$/i.test(text) ? Number(text) : 0;
  if (tag >= vendorTagMin && tag <= vendorTagMax) return tag;
  throw new UsageError(`--repeats must be off, reference, or a tag from 0x1400 to 0x3fff, not "${text}".`);
}

function list(io: CliIo) {
  const words = { does: "list credentials, and who is bound", examples: ["peyk credential list --account acc_1"] };
  return verb("list", words)
    .option("--account <id>", "of this account alone")
    .action(({ account, ...options }) => {
      const query = account === undefined ? {} : { account };
      return ask(io, options, (api) => api("GET /credentials", query), formatCredentials);
    });
}

function show(io: CliIo) {
  const words = {
    does: "show a credential, its binds and its last refusal",
    examples: ["peyk credential show cred_1"],
  };
  return verb("show", words)
    .argument("<id>", "credential id")
    .action((id, options) => ask(io, options, (api) => api("GET /credentials/:id", { id }), credentialFields));
}

function rotate(io: CliIo) {
  const words = {
    does: "give a credential a new password; the old one works for a grace time",
    examples: ["peyk credential rotate cred_1", "peyk credential rotate cred_1 --grace 0"],
  };
  return verb("rotate", words)
    .argument("<id>", "credential id")
    .option("--grace <duration>", "how long the old password still works: 0, 15m, 24h, 7d", "24h")
    .action((id, options) => {
      const graceSeconds = durationSeconds("--grace", options.grace);
      return ask(io, options, (api) => api("POST /credentials/:id/rotate", { id, graceSeconds }), issuedText);
    });
}

function revoke(io: CliIo) {
  const words = {
    does: "revoke a credential at once and for ever; its binds end, and what waits is kept",
    examples: ["peyk credential revoke cred_1"],
  };
  return verb("revoke", words)
    .argument("<id>", "credential id")
    .action((id, options) => ask(io, options, (api) => api("POST /credentials/:id/revoke", { id }), credentialFields));
}

function trace(io: CliIo) {
  const words = {
    does: "show each PDU of a credential's binds in words, for the customer's support; nothing is stored",
    examples: ["peyk credential trace cred_1", "peyk credential trace cred_1 --minutes 2 --show-texts > trace.txt"],
  };
  return verb("trace", words)
    .argument("<id>", "credential id")
    .option("--minutes <n>", "how long, up to 60 (default: 10)")
    .option("--show-texts", "show texts and whole numbers")
    .action(async (id, { minutes = "10", showTexts = false, ...options }) => {
      const { traceCredential } = await import("./route-trace.ts");
      await traceCredential(io, options, id, { minutes: wholeNumber("--minutes", minutes, 1, 60), showTexts });
    });
}

function issuedText(issued: IssuedCredentialAnswer): string {
  const { name, password } = issued;
  const shown = formatFields([
    ["system_id", name],
    ["password", password],
  ]);
  return `${credentialFields(issued)}\n${shown}\nThis is the only time that the password is shown.\n`;
}

const repeatsText = (repeats: SmppRepeats): string =>
  typeof repeats === "number" ? `TLV 0x${repeats.toString(16)}` : repeats;

function credentialFields(credential: CredentialAnswer): string {
  const { options, lastRefusal, binds, waiting } = credential;
  const fields = formatFields([
    ["Credential", credential.id],
    ["Key", `${credential.key} of ${credential.account}`],
    ["Name", credential.name],
    ["Status", credential.status],
    ["Traffic", credential.traffic],
    ["Submits a second", credential.rate === null ? "no limit" : String(credential.rate)],
    ...(options === null
      ? []
      : ([
          ["Binds", `${binds.length} of ${options.binds}, window ${options.window}`],
          ["Alphabet", options.charset],
          ["Message ids", options.messageIds],
          ["Repeats", repeatsText(options.repeats)],
        ] as const)),
    ["Since the start", `${counted(credential.accepted, "submit")} accepted, ${credential.refused} refused`],
    ["Last refusal", lastRefusal === null ? "-" : `${lastRefusal.status}: ${lastRefusal.words}`],
    ["Waiting", waiting === 0 ? "nothing" : `${waiting}, the oldest since ${shortTime(credential.oldestWaitingAt)}`],
    ["Old password until", shortTime(credential.previousPasswordUntil)],
  ]);
  return binds.length === 0 ? fields : `${fields}\n${joinLines(binds.map(bindText))}`;
}

const bindText = ({ mode, address, since, openSubmits, openDeliveries }: CredentialAnswer["binds"][number]) =>
  `${mode} from ${address} since ${shortTime(since)}: ${openSubmits} unanswered submits, ${openDeliveries} unacknowledged deliveries`;

function formatCredentials(all: readonly CredentialAnswer[]): string {
  if (all.length === 0)
    return "There are no credentials. Create one: peyk credential create --key KEY --kind smpp --traffic bulk\n";
  const rows = all.map((one) => [
    one.id,
    one.account,
    one.key,
    one.name,
    one.status,
    one.traffic,
    String(one.binds.length),
    String(one.waiting),
  ]);
  return formatTable(["CREDENTIAL", "ACCOUNT", "KEY", "NAME", "STATUS", "TRAFFIC", "BOUND", "WAITING"], rows);
}
