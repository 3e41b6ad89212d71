/** The messages that a command changes: one by its tracking code, or many by the options of a search. */
import { counted } from "../domain/counted.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { FilterOptions } from "./message-search.ts";
import { formatTable, joinLines } from "./text.ts";

/** What became of one message; `refused` null where it was done. */
export interface ChosenOutcome {
  trackingCode: string;
  refused: { code: string; message: string } | null;
}

/** The server's limit for one request. */
export const codesPerRequest = 500;
const refusalsShown = 20;

/** @throws UsageError where neither or both ways of choosing are used */
export function assertChosen(code: string | undefined, options: FilterOptions): void {
  const { account, sender, recipient, reference, route, error, from, to } = options;
  const isSearched = [account, sender, recipient, reference, route, error, from, to].some((one) => one !== undefined);
  if ((code === undefined) === isSearched) return;
  throw new UsageError("Say a tracking code, or choose messages by options such as --account, --route and --from.");
}

/** @throws CommandFailed where the one message that was named is refused; of many, the refused ones are listed */
export function assertDone(code: string | undefined, outcomes: readonly ChosenOutcome[]): void {
  const refused = outcomes[0]?.refused ?? null;
  if (code !== undefined && refused !== null) throw new CommandFailed(refused.code, refused.message);
}

/** `3 messages cancelled.`, and a table of those that were refused. `one`: said in place of the count for a single message. */
export function outcomesText(outcomes: readonly ChosenOutcome[], done: string, one: string | null = null): string {
  const refused = outcomes.filter((outcome) => outcome.refused !== null);
  const head = one ?? `${counted(outcomes.length - refused.length, "message")} ${done}.`;
  if (refused.length === 0) return joinLines([head]);
  const more = refused.length > refusalsShown ? `, the first ${refusalsShown} of them:` : ":";
  const rows = refused.slice(0, refusalsShown).map((each) => [each.trackingCode, each.refused?.message ?? ""]);
  return `${joinLines([head, `${refused.length} not${more}`])}${formatTable(["TRACKING CODE", "WHY NOT"], rows)}`;
}
