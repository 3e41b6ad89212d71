/** What a submit asks for, read by the rules of the API; the statuses and words of its refusals. */
import { type SmppCredentialOptions, trafficClasses } from "../domain/credential.ts";
import { messageLimits, priorityMax } from "../domain/message.ts";
import { parseSmppTime } from "../domain/smpp-time.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { Draft } from "../messaging/messages/accept.ts";
import { type DraftProblem, type RecipientRules, readDraft } from "../messaging/messages/draft.ts";
import type { Segmentation, SmppAddress } from "../smpp/codec.ts";
import { type CodedContent, readCodedContent } from "../smpp/coded-content.ts";
import type { ReceivedSubmit } from "./customer-requests.ts";
import { customerStatus } from "./customer-status.ts";
import { RequestRefused } from "./field-reader.ts";

export interface SubmitRules {
  directory: { sender(accountId: number, sender: string): { active: boolean } | null };
  recipientRules(accountId: number): RecipientRules;
  now: number;
}

/** What data_coding 0 and 1 mean. */
type Alphabets = Pick<SmppCredentialOptions, "charset" | "ia5">;

/** A whole message, or a segment of one; then `text` is the segment's share. */
export interface SubmitDraft {
  draft: Draft | RequestRefused;
  position: Segmentation | null;
}

export function submitDraft(
  { account, credential }: CredentialOwner,
  submit: ReceivedSubmit & CodedContent,
  { charset, ia5 }: Alphabets,
  { directory, recipientRules, now: at }: SubmitRules,
): SubmitDraft {
  const { source } = submit;
  const { text, concat: position, isMisread } = readCodedContent(submit, charset, ia5);
  const sendAt = timeOf(submit.scheduleTime, at);
  const until = timeOf(submit.validityPeriod, at);
  const given = {
    sender: source.digits === "" ? [] : [source.digits, spelled(source), source.digits.replace(/^\+/, "")],
    recipient: [spelled(submit.destination)],
    // A garbled text would be worse than none.
    text: submit.isPortAddressed || isMisread ? null : text,
    textKind: position === null ? "decoded" : "segment",
    class: trafficClasses[credential.traffic],
    // Higher values are reserved (SMPP 3.4, 5.2.14).
    priority: Math.min(submit.priority, priorityMax),
    sendAt,
    validityMs: until === null ? null : until - (sendAt ?? at),
  } as const;
  const isSender = (spelling: string) => directory.sender(account.id, spelling)?.active === true;
  const rules = { ...recipientRules(account.id), at, isSender, defaultSender: account.defaultSender };
  const draft = readDraft(given, rules);
  return { draft: "problems" in draft ? refusedSubmit(draft.problems[0], source.digits) : draft, position };
}

/** International numbers arrive without a plus. No country's code begins with 0: such a number is spelled as dialled. */
const spelled = ({ ton, digits }: SmppAddress): string => (ton === 1 && /^[1-9]/.test(digits) ? `+${digits}` : digits);

/** Null if none is given; not a number if it cannot be read. */
const timeOf = (text: string, now: number): number | null =>
  text === "" ? null : (parseSmppTime(text, now) ?? Number.NaN);

const { invalidSource, invalidDestination, invalidMessageLength, submitFailed, invalidSchedule, invalidExpiry } =
  customerStatus;

const notTheirs = [invalidSource, "the sender is not the account's"] as const;
const wrongLength = [invalidMessageLength, `the text is empty or over ${messageLimits.textMax} characters`] as const;
const notSendable = [submitFailed, "the text holds control characters or does not decode"] as const;
const wrongReference = [submitFailed, "the reference is too long or not printable"] as const;

const byProblem: Readonly<Record<DraftProblem, readonly [status: number, words: string]>> = {
  sender_missing: notTheirs,
  sender_not_permitted: notTheirs,
  not_mobile: [invalidDestination, "no mobile number"],
  country_not_allowed: [invalidDestination, "a country that the account may not send to"],
  text_unreadable: [submitFailed, "the octets are no text"],
  text_missing: wrongLength,
  text_too_long: wrongLength,
  text_not_clean: notSendable,
  reference_too_long: wrongReference,
  reference_not_clean: wrongReference,
  schedule_out_of_range: [invalidSchedule, "schedule_delivery_time is invalid, or not 30 seconds to 30 days ahead"],
  validity_over: [invalidExpiry, "validity_period is invalid, or over before the message is due"],
};

export const refusedSubmit = (problem: DraftProblem, sender = ""): RequestRefused =>
  new RequestRefused(...byProblem[problem], problem, problem === "sender_not_permitted" ? sender : "");
