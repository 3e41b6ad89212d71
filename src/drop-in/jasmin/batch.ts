/** `/secure/sendbatch`: messages with shared fields, accepted all or none; Jasmin silently drops invalid ones. */
import { dropInLimits } from "../../domain/drop-in-credential.ts";
import { isInSendWindow } from "../../domain/send-window.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { ServedRequest } from "../protocol.ts";
import type { RawRequest } from "../raw-request.ts";
import { tooManyMessages } from "../refusal.ts";
import type { SubmitMessage } from "../submitter.ts";
import { objectAnswer, problemAnswer, restAnswer, resultOf } from "./answers.ts";
import { argumentProblem, recipientRules, sendRules, signInRules } from "./arguments.ts";
import { messageOf, type ReportRequest, receiptOf } from "./message.ts";
import { type JasminDeps, knownUser, malformed, submit } from "./operations.ts";
import { type Credentials, jsonArgument, restArguments } from "./read-arguments.ts";

type Fields = Readonly<Record<string, unknown>>;

interface BatchMessages {
  messages: SubmitMessage[];
  reports: (ReportRequest | null)[];
}

const { messagesMax } = dropInLimits;
const tooMany = { wrong: tooManyMessages };
/** A text of 2,000 characters as hexadecimal, and a URL. */
const globalsCharactersMax = 20_000;
/** Read in one turn of the event loop. */
const messagesPerTurn = 50;

export async function sendBatch(
  body: Fields,
  credentials: Credentials,
  request: RawRequest,
  deps: JasminDeps,
): Promise<ServedRequest> {
  const owner = knownUser(restArguments({}, credentials), signInRules, request, deps);
  if ("result" in owner) {
    const description = `Authentication failed for user: ${credentials.username}`;
    return { answer: problemAnswer(412, "Authentication failed", description), outcome: owner.outcome };
  }
  const config = objectIn(body.batch_config);
  const moment = deps.bookingClock.moment();
  const now = moment.at;
  const sendAt = scheduleOf(config.schedule_at, now);
  if (typeof sendAt === "string") return refusedBatch("Cannot parse scheduled_at value", sendAt);
  // The outcome of each message is reported by its receipts, to `dlr-url`.
  if (config.callback_url !== undefined || config.errback_url !== undefined)
    return refusedBatch("Cannot serve the callbacks of a batch", "Use dlr-url, among the globals or of each message.");
  const read = await readMessages(body, credentials, now);
  if ("wrong" in read) {
    const { result, outcome } = malformed(owner, read.wrong, deps);
    return { answer: restAnswer(result), outcome };
  }
  const messages = read.messages.map((message) => ({ ...message, sendAt: sendAt ?? message.sendAt ?? null }));
  const submitted = await submit(
    { owner, moment, messages },
    read.reports,
    restArguments(body, credentials),
    request,
    deps,
  );
  if ("refused" in submitted)
    return { answer: restAnswer(resultOf(submitted, credentials.username)), outcome: submitted.refused };
  const data = { batchId: deps.random.uuid(), messageCount: submitted.results.length };
  const scheduled = sendAt === null ? {} : { scheduled: `${Math.round((sendAt - now) / 1_000)}s` };
  return { answer: objectAnswer({ data: { ...data, ...scheduled } }), outcome: "accepted" };
}

async function readMessages(
  { messages, globals }: Fields,
  credentials: Credentials,
  now: number,
): Promise<BatchMessages | { wrong: string }> {
  const found: BatchMessages = { messages: [], reports: [] };
  if (!Array.isArray(messages)) return { wrong: "Mandatory argument [messages] is not found." };
  if (messages.length > messagesMax) return tooMany;
  const shared = objectIn(globals);
  // They are read again for each message.
  if (charactersOf(shared) > globalsCharactersMax) return { wrong: "The globals are too long." };
  for (const [index, entry] of messages.entries()) {
    if (index > 0 && index % messagesPerTurn === 0) await nextTurn();
    const wrong = addMessage(found, { ...shared, ...objectIn(entry) }, credentials, now);
    if (wrong !== null) return wrong;
  }
  return found;
}

/** Adds a message for each recipient; what they share is read once. */
function addMessage(found: BatchMessages, whole: Fields, credentials: Credentials, now: number) {
  const { to, ...others } = whole;
  const [first, ...more]: unknown[] = Array.isArray(to) ? to : [to];
  if (found.messages.length + 1 + more.length > messagesMax) return tooMany;
  const given = restArguments(first === undefined ? others : { ...others, to: first }, credentials);
  const wrong = argumentProblem(given, sendRules);
  const message = wrong === null ? messageOf(given, now) : { wrong };
  if ("wrong" in message) return message;
  const report = receiptOf(given);
  found.messages.push(message);
  found.reports.push(report);
  for (const another of more) {
    const recipient = jsonArgument(another);
    const problem = argumentProblem(new Map([["to", recipient]]), recipientRules);
    if (problem !== null) return { wrong: problem };
    found.messages.push({ ...message, recipient: recipient.octets.toString("utf8") });
    found.reports.push(report);
  }
  return null;
}

const charactersOf = (fields: Fields): number =>
  Object.entries(fields).reduce(
    (sum, [name, value]) => sum + name.length + (typeof value === "string" ? value.length : 0),
    0,
  );

/** Seconds from now, or a time in UTC; null for immediately, a sentence for anything else. */
function scheduleOf(value: unknown, now: number): number | string | null {
  if (value === undefined || value === null) return null;
  const text = String(value);
  const seconds = /^(\d{1,9})s$/.exec(text)?.[1];
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);
  const at =
    seconds === undefined
      ? isTime
        ? Date.parse(`${text.replace(" ", "T")}Z`)
        : Number.NaN
      : now + Number(seconds) * 1_000;
  return isInSendWindow(at, now)
    ? at
    : `It must be a time 30 seconds to 30 days ahead, such as 2026-12-01 12:00:00 or 600s.`;
}

const objectIn = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

const refusedBatch = (title: string, description: string): ServedRequest => ({
  answer: problemAnswer(412, title, description),
  outcome: "malformed",
});
