/** API keys: create, list, rotate, revoke. The key itself is only in the answer that creates or rotates it. */
import { Elysia, t } from "elysia";
import { invalidRequest } from "../domain/operator-error.ts";
import { permissions } from "../domain/permissions.ts";
import type { IssuedKey } from "../messaging/directory/account-service.ts";
import { keyAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, keyIdOf, listedAccountOf } from "./ids.ts";
import { accountQuerySchema, nameSchema, permissionSchema, rateSchema, timeSchema } from "./schemas.ts";

/** A day: long enough to install a new key by hand. */
const graceSecondsDefault = 86_400;
const graceSecondsMax = 90 * 86_400;

export type IssuedKeyAnswer = ReturnType<typeof issuedKeyAnswer>;

const issuedKeyAnswer = ({ key, apiKey }: IssuedKey, now: number) => ({ ...keyAnswer(key, now), apiKey });

export function keyRoutes({ directory, keys, clock }: OperatorDeps) {
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
        const input = {
          name: body.name,
          permissions: body.permissions ?? permissions,
          requestsPerMinute: body.rate ?? null,
          expiresAt: expiryOf(body.expiresAt),
        };
        return issuedKeyAnswer(await keys.create(accountIdOf(body.account), input), clock.now());
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
        return wanted.map((key) => keyAnswer(key, clock.now()));
      },
      { query: accountQuerySchema },
    )
    .post(
      "/:id/rotate",
      async ({ params, body }) => {
        const graceMs = (body.graceSeconds ?? graceSecondsDefault) * 1000;
        return issuedKeyAnswer(await keys.rotate(keyIdOf(params.id), graceMs), clock.now());
      },
      {
        body: t.Object({
          graceSeconds: t.Optional(
            t.Integer({ minimum: 0, maximum: graceSecondsMax, error: `must be from 0 to ${graceSecondsMax}` }),
          ),
        }),
      },
    )
    .post("/:id/revoke", async ({ params }) => keyAnswer(await keys.revoke(keyIdOf(params.id)), clock.now()));
}
