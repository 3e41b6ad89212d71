/** `/secure/sendbatch`: messages with shared fields, accepted all or none; Jasmin silently drops invalid ones. */
import { isInSendWindow } from "../../domain/send-window.ts";
import type { ServedRequest } from "../protocol.ts";
import type { RawRequest } from "../raw-request.ts";
import type { SubmitMessage } from "../submitter.ts";
import { objectAnswer, problemAnswer, restAnswer, resultOf } from "./answers.ts";
import { argumentProblem, sendRules, signInRules } from "./arguments.ts";
import { messageOf, type ReportRequest, receiptOf } from "./message.ts";
import { type JasminDeps, knownUser, malformed, submit } from "./operations.ts";
import { type Credentials, restArguments } from "./read-arguments.ts";

type Fields = Readonly<Record<string, unknown>>;

const messagesMax = 500;

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
  const read = readMessages(body, credentials, now);
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

function readMessages(
  { messages, globals }: Fields,
  credentials: Credentials,
  now: number,
): { messages: SubmitMessage[]; reports: (ReportRequest | null)[] } | { wrong: string } {
  const found: SubmitMessage[] = [];
  const reports: (ReportRequest | null)[] = [];
  if (!Array.isArray(messages)) return { wrong: "Mandatory argument [messages] is not found." };
  for (const entry of messages) {
    const whole = { ...objectIn(globals), ...objectIn(entry) };
    for (const to of Array.isArray(whole.to) ? whole.to : [whole.to]) {
      if (found.length === messagesMax) return { wrong: `A request may have at most ${messagesMax} messages.` };
      const given = restArguments(to === undefined ? whole : { ...whole, to }, credentials);
      const wrong = argumentProblem(given, sendRules);
      const message = wrong === null ? messageOf(given, now) : { wrong };
      if ("wrong" in message) return message;
      found.push(message);
      reports.push(receiptOf(given));
    }
  }
  return { messages: found, reports };
}

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
