/** A customer's people, for one another: invite, change what each may do, remove. Nobody becomes more than a customer. */
import { Type as t } from "@sinclair/typebox";
import { pick } from "../fields/field.ts";
import { colleagueFields } from "../fields/user.ts";
import { ownAccount } from "./accounts.ts";
import type { OperatorDeps } from "./deps.ts";
import { newSchemas, requiredSchemas } from "./field-schema.ts";
import { accountIdOf, listedAccountOf } from "./ids.ts";
import { changes, reads } from "./operation.ts";
import { setupAnswer, userAnswer, userAudit } from "./users.ts";

const namedFields = { id: t.String(), name: t.String() };

/** Whether the account exists is checked before anything else. */
const accountOf = ({ directory }: OperatorDeps, id: string): number =>
  listedAccountOf(id, directory) ?? accountIdOf(id);

export const colleagueAdmin = {
  "GET /accounts/:id/colleagues": reads({
    may: "colleagues.change",
    scope: ownAccount,
    input: { id: t.String() },
    run: (deps, { id }) => ({
      rows: deps.users.ofAccount(accountOf(deps, id)).map((user) => userAnswer(deps, user)),
      /** Whether an invitation can go by mail. */
      hasMail: deps.portalMails.isSet,
    }),
  }),
  "POST /accounts/:id/colleagues": changes({
    may: "colleagues.change",
    scope: ownAccount,
    input: {
      id: t.String(),
      ...newSchemas(colleagueFields),
    },
    run: async (deps, { id, name, role, mail }, { caller }) => {
      const { users, portalMails } = deps;
      const accountId = accountOf(deps, id);
      // Before the name is looked up: it must not be tried which names there are.
      portalMails.count(accountId);
      const { user, link } = await users.invite(accountId, name, role, caller.userId);
      const answer = setupAnswer(deps, { user, link });
      const { url } = answer.setup;
      const isMailed = mail !== undefined && url !== null && (await portalMails.invite(mail, { name, url }));
      return { ...answer, mailedTo: isMailed ? mail : null, setup: isMailed ? null : answer.setup };
    },
    audit: { action: "user.invite", ...userAudit },
  }),
  "PATCH /accounts/:id/colleagues/:name": changes({
    may: "colleagues.change",
    scope: ownAccount,
    input: { ...namedFields, ...requiredSchemas(pick(colleagueFields, "role")) },
    run: async (deps, { id, name, role }, { caller }) =>
      userAnswer(deps, await deps.users.changeColleague(accountOf(deps, id), name, role, caller.userId)),
    audit: { action: "user.role", ...userAudit },
  }),
  "POST /accounts/:id/colleagues/:name/remove": changes({
    may: "colleagues.change",
    scope: ownAccount,
    input: namedFields,
    run: async (deps, { id, name }, { caller }) =>
      userAnswer(deps, await deps.users.changeColleague(accountOf(deps, id), name, null, caller.userId)),
    audit: { action: "user.remove", ...userAudit },
  }),
};
