/** Accounts: create, list, show, rename, suspend, resume. */
import { Elysia, t } from "elysia";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { suppressionScopes } from "../domain/suppression.ts";
import { isTimeZone } from "../domain/time-zone.ts";
import { accountAnswer, keyAnswer, senderAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf } from "./ids.ts";
import { countriesSchema, nameSchema, oneOf, senderSchema } from "./schemas.ts";

function assertTimeZone(name: string): void {
  if (isTimeZone(name)) return;
  throw invalidRequest([{ key: "timeZone", message: `"${name}" is no time zone; one looks like Asia/Tehran` }]);
}

export function accountRoutes(deps: OperatorDeps) {
  const { directory, accounts, clock } = deps;
  return new Elysia({ prefix: "/accounts" })
    .post("/", async ({ body }) => accountAnswer(await accounts.create(body.name)), {
      body: t.Object({ name: nameSchema }),
    })
    .get("/", () => directory.accounts().map(accountAnswer))
    .get("/:id", ({ params }) => {
      const account = directory.account(accountIdOf(params.id));
      if (account === null) throw new OperatorError("account_not_found");
      const keys = directory.keys().filter((key) => key.accountId === account.id);
      return {
        ...accountAnswer(account),
        keys: keys.map((key) => keyAnswer(key, clock.now())),
        senders: directory.sendersOf(account.id).map((sender) => senderAnswer(sender, deps)),
      };
    })
    .patch(
      "/:id",
      async ({ params, body: { name, defaultSender, countries, timeZone, suppression } }) => {
        const change = {
          ...(name !== undefined && { name }),
          ...(defaultSender !== undefined && { defaultSender }),
          ...(countries !== undefined && { countries: countries?.join(" ") ?? null }),
          ...(timeZone !== undefined && { timeZone }),
          ...(suppression !== undefined && { suppressionScope: suppression }),
        };
        if (timeZone != null) assertTimeZone(timeZone);
        if (Object.keys(change).length === 0) throw invalidRequest([{ key: "body", message: "nothing to change" }]);
        return accountAnswer(await accounts.update(accountIdOf(params.id), change));
      },
      {
        body: t.Object({
          name: t.Optional(nameSchema),
          defaultSender: t.Optional(t.Nullable(senderSchema)),
          countries: t.Optional(t.Nullable(countriesSchema)),
          timeZone: t.Optional(t.Nullable(t.String({ minLength: 1, maxLength: 60 }))),
          suppression: t.Optional(oneOf(suppressionScopes)),
        }),
      },
    )
    .post("/:id/suspend", async ({ params }) => accountAnswer(await accounts.suspend(accountIdOf(params.id))))
    .post("/:id/resume", async ({ params }) => accountAnswer(await accounts.resume(accountIdOf(params.id))));
}
