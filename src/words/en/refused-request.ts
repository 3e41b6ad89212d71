/** English: why customers' requests are refused, and what to do. `fa/refused-request.ts` is the same in Persian. */
import type { RefusalReason } from "../../domain/refused-request.ts";

export interface RefusalText {
  title: string;
  advice: string;
}
export type RefusalTexts = Readonly<Record<RefusalReason, RefusalText>>;

export const englishRefusals: RefusalTexts = {
  rate: {
    title: "Too many requests at once",
    advice: "Send more slowly, wait as long as the answer says, or put many recipients into one request.",
  },
  window: {
    title: "Too many unanswered requests",
    advice: "Wait for answers before you send more, or use a larger window.",
  },
  sender: { title: "The sender is not yours", advice: "Send from one of your active senders, or ask for this one." },
  recipient: {
    title: "The recipient is not a mobile number",
    advice: "Write numbers as 09123456789 or +989123456789: no digit missing, none too many.",
  },
  country: {
    title: "The country is not allowed",
    advice: "The account may not send to this country. Ask for it to be allowed.",
  },
  text: {
    title: "The text cannot be sent",
    advice: "It is empty, too long, holds control characters, or uses an unknown variable.",
  },
  schedule: { title: "The time is out of range", advice: "A message is sent at once, or 30 seconds to 30 days ahead." },
  field: { title: "A field is wrong", advice: "The answer names the field and what is wrong with it." },
  malformed: {
    title: "The request cannot be read",
    advice: "Check how it is built: its encoding, its content type, its fields.",
  },
  size: { title: "The request is too large", advice: "Split it into several smaller ones." },
  repeat_key: {
    title: "The repeat key is missing or used",
    advice: "Give each request a new key, and the same key to a repeat only.",
  },
  key: {
    title: "The key may not be used",
    advice: "It has ended or was revoked, or comes from an address that it does not allow.",
  },
  permission: { title: "The key lacks a permission", advice: "Give the key this permission, or use another one." },
  suspended: { title: "The account is suspended", advice: "Nothing is accepted until the account is resumed." },
  quota: {
    title: "The quota is used up",
    advice: "Sending goes on with the next day or month, or with a larger quota.",
  },
  balance: { title: "The balance is too small", advice: "Top up; you can be told before it happens." },
  code: {
    title: "A one-time password was refused",
    advice: "Too many for one recipient, or answered too late or too often.",
  },
  not_found: { title: "What it names does not exist", advice: "Check the code or id: it is unknown to this account." },
  not_possible: {
    title: "It cannot be done any more, or not yet",
    advice: "The message has left, or the group or pattern is not approved.",
  },
  callback: { title: "The callback was refused", advice: "Check the addresses that callbacks go to." },
  service: {
    title: "The service could not take it",
    advice: "Send it again, with the same repeat key, so that nothing is sent twice.",
  },
};
