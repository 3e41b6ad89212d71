/** Replies to mails, by RFC 5321 and the enhanced codes of RFC 3463. */
import type { DropInRefusal, DropInRefusalCode } from "../refusal.ts";

export interface MailRefusal {
  /** 4xx: the same mail may be sent again. */
  reply: number;
  enhanced: string;
  /** For counts and the operator: one of a few. */
  cause: string;
  /** Free of texts, numbers and secrets. */
  words: string;
}

export const refuseMail = (reply: number, enhanced: string, cause: string, words: string): MailRefusal => ({
  reply,
  enhanced,
  cause,
  words,
});

const policy = [550, "5.7.1"] as const;
const content = [554, "5.6.0"] as const;
const later = [451, "4.7.0"] as const;
const broken = [451, "4.3.0"] as const;

const replies: Readonly<Record<DropInRefusalCode, readonly [reply: number, enhanced: string]>> = {
  account_suspended: policy,
  permission_denied: policy,
  credential_ended: [535, "5.7.8"],
  sender_missing: policy,
  sender_not_permitted: policy,
  recipient_missing: [554, "5.5.1"],
  recipient_invalid: [553, "5.1.3"],
  country_not_allowed: policy,
  too_many_messages: [452, "4.5.3"],
  text_missing: content,
  text_too_long: content,
  text_not_clean: content,
  reference_invalid: content,
  schedule_out_of_range: content,
  rate_exceeded: later,
  quota_exceeded: [452, "4.7.0"],
  // A relay would try for days: its sender is told at once instead.
  balance_exhausted: policy,
  code_limited: later,
  not_sendable: content,
  validation_failed: content,
  key_invalid: content,
  key_conflict: content,
  callback_refused: content,
  unavailable: broken,
  defect: broken,
};

export function mailRefusalOf({ refused, words }: DropInRefusal): MailRefusal {
  const [reply, enhanced] = replies[refused];
  return refuseMail(reply, enhanced, refused, words);
}

/** As `smtp-server` takes it. */
export const replyError = ({ reply, enhanced, words }: MailRefusal): Error =>
  Object.assign(new Error(`${enhanced} ${words}`), { responseCode: reply });

export const mailReplies = {
  signInFirst: refuseMail(530, "5.7.0", "sign_in", "Sign in first, over TLS."),
  wrongSecret: refuseMail(535, "5.7.8", "sign_in", "Name or password is wrong."),
  throttled: refuseMail(454, "4.7.0", "sign_in", "Too many wrong passwords came from here; try again in a minute."),
  tooManyConnections: refuseMail(421, "4.7.0", "rate_exceeded", "The account has too many connections."),
  tooMuch: refuseMail(421, "4.7.0", "rate_exceeded", "Too many commands or mails that sent nothing; try again later."),
  stopping: refuseMail(421, "4.3.2", "unavailable", "The service stops; try again in a moment."),
  bounce: refuseMail(550, "5.7.1", "not_sendable", "A bounce (empty sender) is not sent as a message."),
  tooManyRecipients: refuseMail(452, "4.5.3", "too_many_messages", "A mail may have at most 50 recipients."),
  tooLarge: refuseMail(552, "5.3.4", "payload_too_large", "A mail may have at most 10 MB."),
  bareLineEnd: refuseMail(554, "5.6.11", "malformed", "Lines end with CR LF: a bare CR or LF is not taken."),
  defect: refuseMail(451, "4.3.0", "defect", "A defect of the service."),
  unavailable: refuseMail(451, "4.3.0", "unavailable", "The service cannot store anything right now."),
  relay: (domain: string) =>
    refuseMail(550, "5.7.1", "not_sendable", `Nothing is relayed: only mail to NUMBER@${domain} is taken.`),
} as const;
