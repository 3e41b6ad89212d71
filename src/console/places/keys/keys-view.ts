/** Data for the key pages, and the input of their forms. */
import type { KeyAnswer } from "../../../operator/answers.ts";
import type { ListPart } from "../../components/collection.tsx";
import type { ConsoleApi } from "../../page/console-api.ts";
import { type AskedPart, listBeginning, rangeOf, shownPart } from "../../page/list-part.ts";

/** Valid keys first. `account`: for a customer, the operator API fills in the customer's own. */
export async function keyList(
  api: ConsoleApi,
  account: string,
  asked: AskedPart = listBeginning,
): Promise<ListPart<KeyAnswer>> {
  return shownPart(await api("GET /keys", { ...rangeOf(asked), account }), asked);
}

/** The account's first active sender; null if there is none. */
export async function activeSender(api: ConsoleApi, account: string): Promise<string | null> {
  const { rows } = await api("GET /senders", { account, active: true, limit: 1 });
  return rows[0]?.sender ?? null;
}

/** `sender`: null to use an example. */
export function curlExample(publicUrl: string, apiKey: string, sender: string | null): string {
  return [
    `curl -X POST ${publicUrl}/v1/messages \\`,
    `  -H 'X-API-Key: ${apiKey}' \\`,
    '  -H "Idempotency-Key: $(date +%s)" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"sender": "${sender ?? "30001234"}", "recipient": "09121234567", "message": "سلام"}'`,
  ].join("\n");
}
