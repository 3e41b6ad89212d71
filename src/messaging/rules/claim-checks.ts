/** The rules that apply at hand-over: suppression and quiet hours. */
import type { MessageClass } from "../../domain/message.ts";
import type { Reason } from "../../domain/reason.ts";
import { everyAccount, isStopped } from "../../domain/suppression.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Tables } from "../../store/store.ts";
import type { Account } from "../directory/directory.ts";
import type { AccountQuietHours } from "./quiet-hours.ts";

export interface ClaimChecksDeps {
  directory: { account(id: number): Pick<Account, "suppressionScope"> | null };
  quietHours: Pick<AccountQuietHours, "until">;
}

export class ClaimChecks {
  constructor(private readonly deps: ClaimChecksDeps) {}

  /** Why the message must never be handed over; null if it may be. */
  blocks(
    { suppression }: Tables,
    message: Pick<MessageRow, "id" | "accountId" | "class" | "recipient">,
  ): Reason | null {
    const scope = this.deps.directory.account(message.accountId)?.suppressionScope ?? "bulk";
    if (!isStopped(scope, message.class)) return null;
    const entry = suppression.find(message.accountId, message.recipient);
    if (entry === null || entry.confirmationId === message.id) return null;
    const { source, detail, addedAt } = entry;
    return {
      code: "suppressed",
      list: entry.accountId === everyAccount ? "all" : "account",
      source,
      detail,
      since: addedAt,
    };
  }

  quietUntil(accountId: number, messageClass: MessageClass, now: number): number | null {
    return this.deps.quietHours.until(accountId, messageClass, now);
  }
}
