/** What the pages of keys show, and what a form asks for. */
import { permissions } from "../../domain/permissions.ts";
import type { KeyAnswer } from "../../operator/answers.ts";
import type { ListPart } from "../components/collection.tsx";
import { parseWholeNumber } from "../format/input.ts";
import type { AccountKeyView } from "../pages/keys.tsx";
import type { ConsoleApi } from "./console-api.ts";
import { type AskedPart, listBeginning, rangeOf, shownPart } from "./list-part.ts";

function keyView(key: KeyAnswer): AccountKeyView {
  const { id, name, status, test, allowFrom, expiresAt, createdAt } = key;
  return {
    id,
    name,
    state: status,
    isTest: test,
    permissions: key.permissions.length === permissions.length ? null : key.permissions,
    allowFrom,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    createdAt: Date.parse(createdAt),
  };
}

/** Those that authenticate first. `account`: of a customer, the operator API writes its own in its place. */
export async function keyList(
  api: ConsoleApi,
  account: string,
  asked: AskedPart = listBeginning,
): Promise<ListPart<AccountKeyView>> {
  const part = await api("GET /keys", { ...rangeOf(asked), account });
  return shownPart(part, asked, keyView);
}

/** What is no number becomes one that the operator API refuses, with the range that it takes. */
export const typedNumber = (text: string): number => parseWholeNumber(text) ?? -1;

/** The account's first that is active; null where there is none. */
export async function activeSender(api: ConsoleApi, account: string): Promise<string | null> {
  const { rows } = await api("GET /senders", { account, active: true, limit: 1 });
  return rows[0]?.sender ?? null;
}

/** `sender`: null for an example of one. */
export function curlExample(publicUrl: string, apiKey: string, sender: string | null): string {
  return [
    `curl -X POST ${publicUrl}/v1/messages \\`,
    `  -H 'X-API-Key: ${apiKey}' \\`,
    '  -H "Idempotency-Key: $(date +%s)" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"sender": "${sender ?? "30001234"}", "recipient": "09121234567", "message": "سلام"}'`,
  ].join("\n");
}
