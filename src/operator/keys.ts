/** API keys: issue, look at, rotate, revoke. A key's text is in the answer to its issue and nowhere else. */
import { Elysia, t } from "elysia";
import { invalidRequest } from "../domain/operator-error.ts";
import { permissions } from "../domain/permissions.ts";
import type { IssuedKey } from "../messaging/directory/account-service.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, keyIdOf, listedAccountOf } from "./ids.ts";
import { nameSchema, permissionSchema, rateSchema, timeSchema } from "./schemas.ts";
import { keyView } from "./views.ts";

/** A day: long enough to roll a new key out by hand. */
const graceSecondsDefault = 86_400;
const graceSecondsMax = 90 * 86_400;

export function keyRoutes({ directory, keys, clock }: OperatorDeps) {
  const issuedView = ({ key, apiKey }: IssuedKey) => ({ ...keyView(key, clock.now()), apiKey });

  function expiryOf(text: string | undefined): number | null {
    if (text === undefined) return null;
    const at = Date.parse(text);
    if (at > clock.now()) return at;
    throw invalidRequest([{ key: "expiresAt", message: "must lie in the future" }]);
  }

  return new Elysia({ prefix: "/keys" })
    .post(
      "/",
      async ({ body }) => {
        const wish = {
          name: body.name,
          permissions: body.permissions ?? permissions,
          requestsPerMinute: body.rate ?? null,
          expiresAt: expiryOf(body.expiresAt),
        };
        return issuedView(await keys.create(accountIdOf(body.account), wish));
      },
      {
        body: t.Object({
          account: t.String(),
          name: nameSchema,
          permissions: t.Optional(t.Array(permissionSchema, { minItems: 1, uniqueItems: true })),
          rate: t.Optional(rateSchema),
          expiresAt: t.Optional(timeSchema),
        }),
      },
    )
    .get(
      "/",
      ({ query }) => {
        const accountId = listedAccountOf(query.account, directory);
        const wanted = directory.keys().filter((key) => accountId === undefined || key.accountId === accountId);
        return wanted.map((key) => keyView(key, clock.now()));
      },
      { query: t.Object({ account: t.Optional(t.String()) }) },
    )
    .post(
      "/:id/rotate",
      async ({ params, body }) => {
        const graceMs = (body.graceSeconds ?? graceSecondsDefault) * 1000;
        return issuedView(await keys.rotate(keyIdOf(params.id), graceMs));
      },
      {
        body: t.Object({
          graceSeconds: t.Optional(
            t.Integer({ minimum: 0, maximum: graceSecondsMax, error: `must be from 0 to ${graceSecondsMax}` }),
          ),
        }),
      },
    )
    .post("/:id/revoke", async ({ params }) => keyView(await keys.revoke(keyIdOf(params.id)), clock.now()));
}
