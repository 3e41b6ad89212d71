/** Mails to customers' people, in both languages; bounded, because customers choose the addresses. */
import { OperatorError } from "../../domain/operator-error.ts";
import type { PortalMails } from "../../operator/deps.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import { englishPortalMails, type PortalMailTexts } from "../../words/en/portal-mail.ts";
import { persianPortalMails } from "../../words/fa/portal-mail.ts";

/** Invitations and addresses to confirm, of one account in a day: no customer may mail strangers at will. */
export const portalMailsOfDayMax = 20;
const dayMs = 24 * 3_600_000;

export interface PortalMailsDeps {
  /** The service's name, as its customers know it. */
  service: string;
  /** Null if no mail server is set. */
  send: ((to: string, subject: string, text: string) => Promise<void>) | null;
  clock: Pick<Clock, "now">;
  log: Logger;
}

export function portalMails({ service, send, clock, log }: PortalMailsDeps): PortalMails {
  const counts = new Map<number, { since: number; count: number }>();

  async function sent(to: string, written: (texts: PortalMailTexts) => { subject: string; text: string }) {
    if (send === null) return false;
    const both = [written(englishPortalMails), written(persianPortalMails)];
    const [subject, text] = [both.map((one) => one.subject).join(" · "), both.map((one) => one.text).join("\n\n")];
    try {
      await send(to, subject, `${text}\n`);
      return true;
    } catch (reason) {
      log.warn({ err: reason }, "a mail to a customer could not be sent");
      return false;
    }
  }

  return {
    isSet: send !== null,
    count(accountId) {
      const now = clock.now();
      const known = counts.get(accountId);
      const isOver = known === undefined || Math.abs(now - known.since) >= dayMs;
      const counted = isOver ? { since: now, count: 0 } : known;
      if (counted.count >= portalMailsOfDayMax) throw new OperatorError("invitation_limit_reached");
      counted.count += 1;
      counts.set(accountId, counted);
    },
    invite: (mail, values) => sent(mail, ({ invited }) => invited({ service, ...values })),
    confirm: (mail, values) => sent(mail, ({ confirm }) => confirm({ service, ...values })),
    below: (mail, values) => sent(mail, ({ below }) => below({ service, ...values })),
  };
}
