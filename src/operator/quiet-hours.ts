/** The quiet hours of one account: what a customer may change too, where the settings allow it. */
import { Type as t } from "@sinclair/typebox";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { accountFields } from "../fields/account.ts";
import { ownAccount, quietHourProblems } from "./accounts.ts";
import { accountAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { fieldSchemas } from "./field-schema.ts";
import { accountIdOf } from "./ids.ts";
import { changes } from "./operation.ts";

const { quietHours, quietSingles } = accountFields;

function stateOf({ directory }: OperatorDeps, { id }: { id: string }) {
  const found = foundOrNull(() => directory.account(accountIdOf(id)));
  if (found === null) return null;
  const { quietHours, quietSingles } = accountAnswer(found);
  return { quietHours: quietHours?.join(", ") ?? null, quietSingles };
}

export const quietHourAdmin = {
  "PUT /accounts/:id/quiet-hours": changes({
    may: "quiet-hours.change",
    scope: ownAccount,
    input: { id: t.String(), ...fieldSchemas({ quietHours, quietSingles }) },
    run: async ({ accounts, settings }, { id, quietHours, quietSingles }, { caller }) => {
      if (caller.accountId !== null && !settings.portal.quietHours) throw new OperatorError("not_found");
      if (quietHours === undefined && quietSingles === undefined) {
        throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
      }
      const problems = quietHourProblems(quietHours ?? []);
      if (problems.length > 0) throw invalidRequest(problems);
      const change = {
        ...(quietHours !== undefined && { quietHours: quietHours?.join(",") ?? null }),
        ...(quietSingles !== undefined && { quietSingles }),
      };
      return accountAnswer(await accounts.update(accountIdOf(id), change));
    },
    audit: { action: "account.quiet-hours", target: ({ id }) => id, state: stateOf },
  }),
};
