/** Options and texts shared by the commands for groups and patterns: the account, and the approvals. */
import type { ApprovalAnswer } from "../operator/groups.ts";
import { type CliIo, callingUser } from "./io.ts";
import { formatTable, orDash, shortTime } from "./text.ts";
import { type VerbWords, verb } from "./verb.ts";

/** A verb about one group or pattern. */
export function codeVerb<Usage extends string>(usage: Usage, words: VerbWords) {
  return verb(usage, words)
    .argument("<code>", "its code")
    .option("--account <id>", "its account, where several have one of this code");
}

/** A verb that approves or suspends. */
export function approvalVerb<Usage extends string>(usage: Usage, words: VerbWords) {
  return codeVerb(usage, words).option("--by <name>", "who decides, for the record (default: your login name)");
}

/** The body of an approval. Under `sudo` it names the user who ran it. */
export function approvalAction(io: CliIo, options: { by?: string | undefined; account?: string | undefined }) {
  return { by: options.by ?? callingUser(io.env), account: options.account };
}

export function formatApprovals(decisions: readonly ApprovalAnswer[]): string {
  if (decisions.length === 0) return "It was never approved or suspended.\n";
  const rows = decisions.map(({ action, by, at, recipientCount }) => [
    shortTime(at),
    action,
    by,
    orDash(recipientCount),
  ]);
  return formatTable(["AT", "DECISION", "BY", "MEMBERS"], rows);
}
