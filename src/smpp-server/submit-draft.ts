/** Checks what a submit asks for by the rules of the API: sender, recipient, text and time. */

import { isInCountries } from "../domain/country.ts";
import { type SmppCredentialOptions, trafficClasses } from "../domain/credential.ts";
import { priorityMax } from "../domain/message.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { isInSendWindow } from "../domain/send-window.ts";
import { parseSmppTime } from "../domain/smpp-time.ts";
import { codePointLength, isCleanText, withoutTabs } from "../domain/text.ts";
import type { CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { Draft } from "../messaging/messages/accept.ts";
import type { RecipientListRules } from "../messaging/messages/recipient-list.ts";
import type { Segmentation, SmppAddress } from "../providers/smpp/codec.ts";
import { type CodedContent, readCodedContent } from "../providers/smpp/inbound.ts";
import type { ReceivedSubmit } from "./customer-requests.ts";
import { customerStatus } from "./customer-status.ts";
import { RequestRefused } from "./field-reader.ts";

/** The contract's limit of a text, in code points. */
export const textCharactersMax = 2000;

export interface SubmitRules {
  directory: { sender(accountId: number, sender: string): { active: boolean } | null };
  recipientRules(accountId: number): RecipientListRules;
  /** The longest that a message may wait for its hand-over. */
  validityMs: number;
  now: number;
}

/** What data_coding 0 and 1 mean. */
type Alphabets = Pick<SmppCredentialOptions, "charset" | "ia5">;

/** A whole message, or a segment of one; then `text` is the segment's share. */
export interface SubmitDraft {
  draft: Draft;
  position: Segmentation | null;
}

/** @throws RequestRefused */
export function submitDraft(
  { account, credential }: CredentialOwner,
  submit: ReceivedSubmit,
  alphabets: Alphabets,
  rules: SubmitRules,
): SubmitDraft {
  const sender = senderOf(account.id, account.defaultSender, submit.source, rules);
  const recipient = recipientOfSubmit(submit.destination, rules.recipientRules(account.id));
  const { text, position } = textOfSubmit(submit, alphabets);
  const sendAt = sendTimeOf(submit.scheduleTime, rules.now);
  const validityMs = validityOf(submit.validityPeriod, sendAt ?? rules.now, rules);
  const draft: Draft = {
    sender,
    recipient,
    text,
    clientReference: null,
    class: trafficClasses[credential.traffic],
    // Higher values are reserved (SMPP 3.4, 5.2.14).
    priority: Math.min(submit.priority, priorityMax),
    sendAt,
    ...(validityMs !== null && { validityMs }),
  };
  return { draft, position };
}

/** International numbers arrive without a plus. No country's code begins with 0: such a number is spelled as dialled. */
const spelled = ({ ton, digits }: SmppAddress): string => (ton === 1 && /^[1-9]/.test(digits) ? `+${digits}` : digits);

function senderOf(
  accountId: number,
  byDefault: string | null,
  source: SmppAddress,
  { directory }: SubmitRules,
): string {
  const { digits } = source;
  const spellings = digits === "" ? [byDefault ?? ""] : [digits, spelled(source), digits.replace(/^\+/, "")];
  const sender = spellings.find((spelling) => directory.sender(accountId, spelling)?.active === true);
  if (sender === undefined) throw new RequestRefused(customerStatus.invalidSource, "the sender is not the account's");
  return sender;
}

function recipientOfSubmit(destination: SmppAddress, rules: RecipientListRules): string {
  const recipient = parseMobileNumber(spelled(destination), rules.defaultRegion, rules.numbers);
  if (recipient === null) throw new RequestRefused(customerStatus.invalidDestination, "no mobile number");
  if (!isInCountries(recipient, rules.countries))
    throw new RequestRefused(customerStatus.invalidDestination, "a country that the account may not send to");
  return recipient;
}

function textOfSubmit(submit: ReceivedSubmit & CodedContent, { charset, ia5 }: Alphabets) {
  const { text, concat, isMisread } = readCodedContent(submit, charset, ia5);
  // A garbled text would be worse than none.
  if (text === null || submit.isPortAddressed || isMisread)
    throw new RequestRefused(customerStatus.submitFailed, "the octets are no text");
  if (text === "" || codePointLength(text) > textCharactersMax)
    throw new RequestRefused(customerStatus.invalidMessageLength, "the text is empty or over 2000 characters");
  // The other half of a surrogate pair or escape may be in the next segment.
  if (concat === null && !isSendable(text)) throw new RequestRefused(customerStatus.submitFailed, notSendable);
  return { text, position: concat };
}

/** What a decoder writes for octets that are not a character. */
const replacement = "\ufffd";

/** False for control characters, and for octets that could not be decoded. */
export function isSendable(text: string): boolean {
  return !text.includes(replacement) && isCleanText(withoutTabs(text));
}

export const notSendable = "the text holds control characters or does not decode";

function sendTimeOf(scheduleTime: string, now: number): number | null {
  if (scheduleTime === "") return null;
  const sendAt = parseSmppTime(scheduleTime, now);
  if (sendAt === null || !isInSendWindow(sendAt, now))
    throw new RequestRefused(
      customerStatus.invalidSchedule,
      "schedule_delivery_time is invalid, or not 30 seconds to 30 days ahead",
    );
  return sendAt;
}

/** Null for the default in the settings; a longer period is cut to it. */
function validityOf(validityPeriod: string, from: number, { validityMs, now }: SubmitRules): number | null {
  if (validityPeriod === "") return null;
  const until = parseSmppTime(validityPeriod, now);
  if (until === null || until <= from)
    throw new RequestRefused(
      customerStatus.invalidExpiry,
      "validity_period is invalid, or over before the message is due",
    );
  return Math.min(until - from, validityMs);
}
