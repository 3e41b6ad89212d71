/** What groups and patterns have in common on the command line: whose they are, and who decides about them. */
import type { CliIo } from "./io.ts";
import { formatTable, orDash, shortTime } from "./text.ts";
import { type VerbWords, verb } from "./verb.ts";

export interface ApprovalView {
  action: string;
  by: string;
  at: string;
  recipientCount: number | null;
}

/** A verb about one group or pattern. */
export function codeVerb<Usage extends string>(usage: Usage, words: VerbWords) {
  return verb(usage, words)
    .argument("<code>", "its code")
    .option("--account <id>", "whose, where several accounts have one of this code");
}

/** A verb by which somebody decides. */
export function approvalVerb<Usage extends string>(usage: Usage, words: VerbWords) {
  return codeVerb(usage, words).option("--by <name>", "who decides (default: your login name)");
}

export const whose = (account: string | undefined) => (account === undefined ? {} : { account });

/** Who decides, and about whose: `sudo` keeps the name of the person. */
export function approvalAction(io: CliIo, options: { by?: string | undefined; account?: string | undefined }) {
  const { SUDO_USER, USER, LOGNAME } = io.env;
  return { by: options.by ?? (SUDO_USER || USER || LOGNAME || "operator"), ...whose(options.account) };
}

export function formatApprovals(decisions: readonly ApprovalView[]): string {
  if (decisions.length === 0) return "Nobody has decided about it yet.\n";
  const rows = decisions.map(({ action, by, at, recipientCount }) => [
    shortTime(at),
    action,
    by,
    orDash(recipientCount),
  ]);
  return formatTable(["AT", "DECISION", "BY", "MEMBERS"], rows);
}
