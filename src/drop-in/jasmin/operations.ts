/** Jasmin's operations, shared by both of its APIs: send, query a rate, query a balance. */
import type { CredentialOwner } from "../../messaging/directory/credential-directory.ts";
import type { AlsoStore } from "../../messaging/messages/accept.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { Random } from "../../platform/random.ts";
import { dropInOptions } from "../credential-options.ts";
import type { DropInCustomers } from "../customers.ts";
import type { MessageCallbacks, PreparedCallbacks } from "../message-callbacks.ts";
import type { RawRequest } from "../raw-request.ts";
import type { DropInRefusal } from "../refusal.ts";
import { requestKeyOf } from "../request-key.ts";
import type { DropInSubmitter, SubmitRequest, Submitted } from "../submitter.ts";
import { type JasminResult, refusedQuestion, resultOf, unknownUser } from "./answers.ts";
import { argumentProblem, type JasminArguments, rateRules, sendRules, signInRules, textArgument } from "./arguments.ts";
import { jasminCallbacks } from "./callbacks.ts";
import { messageOf, type ReportRequest, receiptOf } from "./message.ts";

export interface JasminDeps {
  customers: DropInCustomers;
  submitter: DropInSubmitter;
  callbacks: MessageCallbacks;
  bookingClock: Pick<BookingClock, "moment">;
  random: Pick<Random, "uuid">;
  balances: { balanceOf(accountId: number): { settled: number; reserved: number } };
  prices: { billingOf(accountId: number): { mode: string } | null };
}

/** The outcome, and whom to record it for. */
export interface JasminOutcome {
  result: JasminResult;
  outcome: string;
}

/** Sends one message, by its arguments; also used by REST. */
export async function send(given: JasminArguments, request: RawRequest, deps: JasminDeps): Promise<JasminOutcome> {
  const owner = knownUser(given, sendRules, request, deps);
  if ("result" in owner) return owner;
  const moment = deps.bookingClock.moment();
  const message = messageOf(given, moment.at);
  if ("wrong" in message) return malformed(owner, message.wrong, deps);
  const submitted = await submit({ owner, moment, messages: [message] }, [receiptOf(given)], given, request, deps);
  const user = owner.credential.name;
  if ("refused" in submitted) return { result: resultOf(submitted, user), outcome: submitted.refused };
  return { result: { status: 200, words: submitted.results[0]?.trackingCode ?? "" }, outcome: "accepted" };
}

/** Each is checked and sealed; as many take about 2 ms. */
const callbacksPerTurn = 50;

/** With one callback or none for each message, and the key of the request. */
export async function submit(
  asked: Pick<SubmitRequest, "owner" | "moment" | "messages">,
  reports: readonly (ReportRequest | null)[],
  given: JasminArguments,
  { header }: RawRequest,
  { submitter, callbacks }: JasminDeps,
): Promise<Submitted | DropInRefusal> {
  const { owner } = asked;
  const prepared: (PreparedCallbacks & { index: number })[] = [];
  for (const [index, report] of reports.entries()) {
    if (report === null) continue;
    if (index > 0 && index % callbacksPerTurn === 0) await nextTurn();
    const { url, mask, fields } = report;
    const callback = callbacks.prepare(owner, { protocol: jasminCallbacks.name, mask, url, fields: [fields] });
    if ("refused" in callback) return submitter.told(owner, callback);
    prepared.push({ index, ...callback });
  }
  const read = (name: string) => textArgument(given, name);
  const key = requestKeyOf(dropInOptions(owner.credential), { header, query: read, form: read, json: read });
  if (key !== null && "refused" in key) return submitter.told(owner, key);
  const alsoStore: AlsoStore = (tables, firstMessageId) => {
    for (const { index, store } of prepared) store(tables, firstMessageId + index);
  };
  const refusedNow = () => prepared.reduce<DropInRefusal | null>((found, one) => found ?? one.refusedNow(), null);
  return submitter.submit({ ...asked, key, ...(prepared.length > 0 && { alsoStore, refusedNow }) });
}

/** In Jasmin's order: arguments first, then authentication. */
export function knownUser(
  given: JasminArguments,
  rules: typeof sendRules,
  request: RawRequest,
  { customers }: JasminDeps,
): CredentialOwner | JasminOutcome {
  const wrong = argumentProblem(given, rules);
  if (wrong !== null) return { result: { status: 400, words: wrong }, outcome: "unread" };
  const user = textArgument(given, "username") ?? "";
  const owner = customers.signIn("jasmin", user, textArgument(given, "password") ?? "", request);
  if (typeof owner !== "string") return owner;
  return { result: { status: 403, words: unknownUser(user) }, outcome: "sign_in" };
}

/** A user who may send, and so may ask what that costs and what is left. */
function askingUser(
  given: JasminArguments,
  rules: typeof sendRules,
  request: RawRequest,
  deps: JasminDeps,
  action: Parameters<typeof refusedQuestion>[1],
): CredentialOwner | JasminOutcome {
  const owner = knownUser(given, rules, request, deps);
  if ("result" in owner) return owner;
  const refused = deps.submitter.mayUse(owner, "messages:send");
  if (refused === null) return owner;
  deps.submitter.told(owner, refused);
  return { result: refusedQuestion(owner.credential.name, action), outcome: refused.refused };
}

/** The answer's text may quote what was sent, so the log says only that the request was refused. */
export function malformed(owner: CredentialOwner, words: string, { customers }: JasminDeps): JasminOutcome {
  customers.refused(owner, "malformed", "an argument is wrong");
  return { result: { status: 400, words }, outcome: "malformed" };
}

export function rateOf(
  given: JasminArguments,
  request: RawRequest,
  deps: JasminDeps,
): { unit_rate: number; submit_sm_count: number } | JasminOutcome {
  const owner = askingUser(given, rateRules, request, deps, "check rate");
  if ("result" in owner) return owner;
  const hasContent = given.has("content") || given.has("hex-content");
  const asked = hasContent ? given : new Map([...given, ["content", oneLetter] as const]);
  const moment = deps.bookingClock.moment();
  const message = messageOf(asked, moment.at);
  if ("wrong" in message) return malformed(owner, message.wrong, deps);
  const quote = deps.submitter.quote(owner, moment, message);
  if ("refused" in quote) return { result: resultOf(quote, owner.credential.name), outcome: quote.refused };
  return { unit_rate: quote.price / quote.partCount, submit_sm_count: quote.partCount };
}

const oneLetter = { octets: Buffer.from("."), isText: true };

/** `ND`: not defined, as for a postpaid account or one that is not charged. */
export function balanceOf(
  given: JasminArguments,
  request: RawRequest,
  deps: JasminDeps,
): { balance: number | string; sms_count: string } | JasminOutcome {
  const owner = askingUser(given, signInRules, request, deps, "check balance");
  if ("result" in owner) return owner;
  const { id } = owner.account;
  const isPrepaid = deps.prices.billingOf(id)?.mode === "prepaid";
  const { settled, reserved } = isPrepaid ? deps.balances.balanceOf(id) : { settled: 0, reserved: 0 };
  return { balance: isPrepaid ? settled - reserved : "ND", sms_count: "ND" };
}
