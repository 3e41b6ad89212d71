/** `peyk message cancel`: cancels waiting messages, one by its code or many by a search. */
import { assertChosen, assertDone, type ChosenOutcome, outcomesText } from "./chosen-messages.ts";
import type { CliIo } from "./io.ts";
import { messagePages, type SearchOptions, searchVerb } from "./message-search.ts";
import { wholeNumber } from "./values.ts";
import { connect, print } from "./verb.ts";

/** The size of the largest group. */
const limitMax = 1_000_000;

interface CancelOptions extends SearchOptions {
  dryRun?: true;
}

export function cancelCommand(io: CliIo) {
  const words = {
    does: "cancel messages that wait and were not handed to a route yet; their customers are told as of any cancel",
    examples: [
      "peyk message cancel 01KAGN0Q6YV5T0WJ7V8K3H4R2B",
      'peyk message cancel --account acc_1 --sender 30001234 --from "today 09:00" --dry-run',
    ],
  };
  return searchVerb("cancel", words)
    .argument("[code]", "its tracking code, or choose messages by the options")
    .option("--dry-run", "say how many would be cancelled, and cancel nothing")
    .option("--limit <n>", `at most this many, the newest first, 1 to ${limitMax}`, String(limitMax))
    .action(async (code, options) => {
      assertChosen(code, options);
      const outcomes: ChosenOutcome[] = [];
      for await (const codes of codePages(io, code, options)) outcomes.push(...(await cancelled(io, options, codes)));
      assertDone(code, outcomes);
      print(io, options, outcomes, (all) =>
        outcomesText(all, options.dryRun === true ? "would be cancelled" : "cancelled"),
      );
    });
}

/** Newest first, because the queue is sending the oldest meanwhile. */
async function* codePages(io: CliIo, code: string | undefined, options: CancelOptions): AsyncGenerator<string[]> {
  if (code !== undefined) return yield [code];
  const limit = wholeNumber("--limit", options.limit, 1, limitMax);
  for await (const page of messagePages(io, { ...options, status: "queued" }, limit)) {
    yield page.map(({ trackingCode }) => trackingCode);
  }
}

async function cancelled(io: CliIo, options: CancelOptions, trackingCodes: string[]): Promise<ChosenOutcome[]> {
  const dryRun = options.dryRun === true;
  return connect(io, options)("POST /messages/cancel", { trackingCodes, dryRun });
}
