/** Which sender a request goes out under when it may leave that open. */
import { ApiError, invalid } from "../../domain/api-error.ts";
import type { Account } from "./directory.ts";

/** What knows the senders of accounts. */
export interface AccountDirectory {
  account(id: number): Account | null;
  sender(accountId: number, sender: string): { active: boolean } | null;
}

/**
 * The given sender, else the fallback, else the account's default.
 * Throws `validation_failed` where there is none, `sender_not_permitted` for one that is not an active one of the account.
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
