/** Options and texts shared by the commands for groups and patterns: the account, and the approvals. */

import type { ApprovalAnswer } from "../operator/groups.ts";
import { typed } from "./declared.ts";
import { type CliIo, callingUser } from "./io.ts";
import { shortTime, tableOf } from "./text.ts";

const of = { code: "its code" };
const account = typed("account <id>", "its account, where several have one of this code");

/** Of a command about one group or pattern. */
export const ofOneCode = { of, options: { account } };
/** Of one that approves or suspends. */
export const ofDecision = {
  of,
  options: { account, by: typed("by <name>", "who decides, for the record (default: your login name)") },
};

/** Under `sudo` it names the user who ran it. */
export const decided = <Given extends { by?: string }>(given: Given, io: CliIo) => ({
  ...given,
  by: given.by ?? callingUser(io.env),
});

export const formatApprovals = tableOf<ApprovalAnswer>("It was never approved or suspended.", {
  AT: ({ at }) => shortTime(at),
  DECISION: "action",
  BY: "by",
  MEMBERS: "recipientCount",
});
