/** The messages that a command acts on: one by its tracking code, or many by search options. */
import { counted } from "../domain/counted.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { FilterOptions } from "./message-search.ts";
import { formatTable, joinLines } from "./text.ts";

/** The outcome for one message; `refused` is null where it succeeded. */
export interface ChosenOutcome {
  trackingCode: string;
  refused: { code: string; message: string } | null;
}

/** The server's limit for one request. */
export const codesPerRequest = 500;
const refusalsShown = 20;

/** @throws UsageError if neither or both ways of choosing are used */
export function assertChosen(code: string | undefined, options: FilterOptions): void {
  const { account, campaign, sender, recipient, reference, route, error, from, to } = options;
  const chosen = [account, campaign, sender, recipient, reference, route, error, from, to];
  const isSearched = chosen.some((one) => one !== undefined);
  if ((code === undefined) === isSearched) return;
  throw new UsageError("Say a tracking code, or choose messages by options such as --account, --route and --from.");
}

/** @throws CommandFailed if a single named message is refused; with many, the refused ones are listed */
export function assertDone(code: string | undefined, outcomes: readonly ChosenOutcome[]): void {
  const refused = outcomes[0]?.refused ?? null;
  if (code !== undefined && refused !== null) throw new CommandFailed(refused.code, refused.message);
}

/** `3 messages cancelled.`, and a table of those refused. `one` replaces the count for a single message. */
export function outcomesText(outcomes: readonly ChosenOutcome[], done: string, one: string | null = null): string {
  const refused = outcomes.filter((outcome) => outcome.refused !== null);
  const head = one ?? `${counted(outcomes.length - refused.length, "message")} ${done}.`;
  if (refused.length === 0) return joinLines([head]);
  const more = refused.length > refusalsShown ? `, the first ${refusalsShown} of them:` : ":";
  const rows = refused.slice(0, refusalsShown).map((each) => [each.trackingCode, each.refused?.message ?? ""]);
  return `${joinLines([head, `${refused.length} not${more}`])}${formatTable(["TRACKING CODE", "WHY NOT"], rows)}`;
}
