/** The senders of an account: add, list, activate, choose routes, remove. */
import { Elysia, t } from "elysia";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { senderAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, listedAccountOf } from "./ids.ts";
import { accountQuerySchema, routeNameSchema, routeNamesSchema, senderSchema } from "./schemas.ts";

export function senderRoutes(deps: OperatorDeps) {
  const { directory, senders } = deps;
  return new Elysia()
    .post(
      "/accounts/:id/senders",
      async ({ params, body: { sender, active = true, routes = [] } }) =>
        senderAnswer(await senders.add(accountIdOf(params.id), sender, active, routes), deps),
      {
        body: t.Object({
          sender: senderSchema,
          active: t.Optional(t.Boolean()),
          routes: t.Optional(routeNamesSchema),
        }),
      },
    )
    .get(
      "/senders",
      ({ query }) => {
        const accountId = listedAccountOf(query.account, directory);
        const accountIds = accountId === undefined ? directory.accounts().map(({ id }) => id) : [accountId];
        return accountIds.flatMap((id) => directory.sendersOf(id)).map((sender) => senderAnswer(sender, deps));
      },
      { query: accountQuerySchema },
    )
    .patch(
      "/accounts/:id/senders/:sender",
      async ({ params, body: { active, routes, plan } }) => {
        const accountId = accountIdOf(params.id);
        let changed = active === undefined ? null : await senders.setActive(accountId, params.sender, active);
        if (routes !== undefined) changed = await senders.setRoutes(accountId, params.sender, routes);
        if (plan !== undefined) changed = await senders.setPlan(accountId, params.sender, plan);
        if (changed === null) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
        return senderAnswer(changed, deps);
      },
      {
        body: t.Object({
          active: t.Optional(t.Boolean()),
          routes: t.Optional(routeNamesSchema),
          /** Null: none any more. */
          plan: t.Optional(t.Nullable(routeNameSchema)),
        }),
      },
    )
    .delete("/accounts/:id/senders/:sender", async ({ params }) => {
      const removed = await senders.remove(accountIdOf(params.id), params.sender);
      return { ...senderAnswer(removed, deps), removed: true };
    });
}
