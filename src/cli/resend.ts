/** `peyk message resend`: sends failed messages again, one by its code or many by a search. */
import type { ResendResult } from "../messaging/messages/resend.ts";
import { assertChosen, assertDone, codesPerRequest, outcomesText } from "./chosen-messages.ts";
import type { CliIo } from "./io.ts";
import { findMessages, type SearchOptions, searchVerb } from "./message-search.ts";
import { connect, print } from "./verb.ts";

interface ResendOptions extends SearchOptions {
  again?: true;
  dryRun?: true;
}

export function resendCommand(io: CliIo) {
  const words = {
    does: "send failed messages again, each as a new message; never a one-time password, and each once",
    examples: [
      "peyk message resend 01KAGN0Q6YV5T0WJ7V8K3H4R2B",
      'peyk message resend --route operator-a --error route_unavailable --from "yesterday 16:00" --dry-run',
    ],
  };
  return searchVerb("resend", words)
    .argument("[code]", "its tracking code, or choose messages by the options")
    .option("--again", "also what was sent again before")
    .option("--dry-run", "say what would be sent again, and send nothing")
    .option("--limit <n>", "at most this many, the newest first, 1 to 10000", "10000")
    .action(async (code, options) => {
      const results = await resent(io, options, await codesOf(io, code, options));
      assertDone(code, results);
      print(io, options, results, (all) => resendText(all, options.dryRun === true));
    });
}

async function codesOf(io: CliIo, code: string | undefined, options: ResendOptions): Promise<string[]> {
  assertChosen(code, options);
  if (code !== undefined) return [code];
  const found = await findMessages(io, { ...options, status: "failed" });
  return found.map(({ trackingCode }) => trackingCode);
}

async function resent(io: CliIo, options: ResendOptions, codes: readonly string[]): Promise<ResendResult[]> {
  const api = connect(io, options);
  const flags = { again: options.again === true, dryRun: options.dryRun === true };
  const results: ResendResult[] = [];
  // Oldest first, in the order of acceptance.
  const inOrder = codes.toReversed();
  for (let from = 0; from < inOrder.length; from += codesPerRequest) {
    const trackingCodes = inOrder.slice(from, from + codesPerRequest);
    results.push(...(await api("POST /messages/resend", { trackingCodes, ...flags })));
  }
  return results;
}

function resendText(results: readonly ResendResult[], isDryRun: boolean): string {
  const single = results.length === 1 ? (results[0]?.resentAs ?? null) : null;
  const one = single === null ? null : `Sent again as ${single}. See: peyk message show ${single}`;
  return outcomesText(results, isDryRun ? "would be sent again" : "sent again", one);
}
