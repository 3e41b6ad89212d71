/** Chooses the sender of a request that may leave it open. */
import { ApiError, invalid } from "../../domain/api-error.ts";
import type { Account } from "./directory.ts";

/** Looks up the senders of accounts. */
export interface AccountDirectory {
  account(id: number): Account | null;
  sender(accountId: number, sender: string): { active: boolean } | null;
}

/**
 * The given sender, else the fallback, else the account's default. Throws `validation_failed` if there is none,
 * `sender_not_permitted` if it is not an active sender of the account.
 */
export function chooseSender(
  directory: AccountDirectory,
  accountId: number,
  given: string | null | undefined,
  fallback: string | null = null,
): string {
  const sender = given ?? fallback ?? directory.account(accountId)?.defaultSender;
  if (sender == null) {
    const message = "Is required: the account has no default sender.";
    throw invalid([{ field: "sender", code: "required", message }]);
  }
  if (directory.sender(accountId, sender)?.active !== true) throw new ApiError("sender_not_permitted");
  return sender;
}
