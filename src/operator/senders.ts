/** The senders of an account: add, look at, activate, choose routes, remove. */
import { Elysia, t } from "elysia";
import { invalidRequest, OperatorRefusal } from "../messaging/operator-refusal.ts";
import { accountIdOf } from "./ids.ts";
import type { OperatorParts } from "./parts.ts";
import { routeNamesSchema, senderSchema } from "./schemas.ts";
import { senderView } from "./views.ts";

export function senderRoutes({ directory, senders }: OperatorParts) {
  return new Elysia({ prefix: "/accounts/:id/senders" })
    .post(
      "/",
      async ({ params, body: { sender, active = true, routes = [] } }) =>
        senderView(await senders.add(accountIdOf(params.id), sender, active, routes), directory),
      {
        body: t.Object({
          sender: senderSchema,
          active: t.Optional(t.Boolean()),
          routes: t.Optional(routeNamesSchema),
        }),
      },
    )
    .get("/", ({ params }) => {
      const accountId = accountIdOf(params.id);
      if (directory.account(accountId) === null) throw new OperatorRefusal("account_not_found");
      return directory.sendersOf(accountId).map((sender) => senderView(sender, directory));
    })
    .patch(
      "/:sender",
      async ({ params, body: { active, routes } }) => {
        const accountId = accountIdOf(params.id);
        let changed = active === undefined ? null : await senders.setActive(accountId, params.sender, active);
        if (routes !== undefined) changed = await senders.setRoutes(accountId, params.sender, routes);
        if (changed === null) throw invalidRequest([{ key: "body", message: "nothing to change" }]);
        return senderView(changed, directory);
      },
      { body: t.Object({ active: t.Optional(t.Boolean()), routes: t.Optional(routeNamesSchema) }) },
    )
    .delete("/:sender", async ({ params }) => {
      const removed = await senders.remove(accountIdOf(params.id), params.sender);
      return { ...senderView(removed, directory), removed: true };
    });
}
