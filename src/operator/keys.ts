/** API keys: create, list, rotate, revoke. The key itself is only in the answer that creates or rotates it. */
import { Elysia, t } from "elysia";
import { isIpOrCidr } from "../domain/address-ranges.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { permissions } from "../domain/permissions.ts";
import type { IssuedKey } from "../messaging/directory/account-service.ts";
import type { CancelledWaiting } from "../messaging/messages/waiting-canceller.ts";
import { type KeyAnswer, keyAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, keyIdOf, listedAccountOf } from "./ids.ts";
import { accountQuerySchema, nameSchema, permissionsSchema, rangesSchema, rateSchema, timeSchema } from "./schemas.ts";

/** A day: long enough to install a new key by hand. */
const graceSecondsDefault = 86_400;
const graceSecondsMax = 90 * 86_400;

/** Null: the rate of the settings; never. */
const changeSchema = t.Object({
  name: t.Optional(nameSchema),
  permissions: t.Optional(permissionsSchema),
  rate: t.Optional(t.Nullable(rateSchema)),
  expiresAt: t.Optional(t.Nullable(timeSchema)),
  allowFrom: t.Optional(rangesSchema),
});

function rangesOf(ranges: readonly string[]): string[] {
  const wrong = ranges.filter((range) => !isIpOrCidr(range));
  if (wrong.length === 0) return [...new Set(ranges)];
  throw invalidRequest([problemOf("allowFrom", "address_ranges", { wrong })]);
}

export type IssuedKeyAnswer = ReturnType<typeof issuedKeyAnswer>;

/** `waiting`: what became of the messages that waited; null where they were left alone. */
export type RevokedKeyAnswer = KeyAnswer & { waiting: CancelledWaiting | null };

const issuedKeyAnswer = ({ key, apiKey }: IssuedKey, now: number) => ({ ...keyAnswer(key, now), apiKey });

function expiryOf(text: string | null, now: number): number | null {
  if (text === null) return null;
  const at = Date.parse(text);
  if (at > now) return at;
  throw invalidRequest([problemOf("expiresAt", "in_future", {})]);
}

function changeOf({ name, permissions, rate, expiresAt, allowFrom }: typeof changeSchema.static, now: number) {
  const change = {
    ...(name !== undefined && { name }),
    ...(permissions !== undefined && { permissions }),
    ...(rate !== undefined && { requestsPerMinute: rate }),
    ...(expiresAt !== undefined && { expiresAt: expiryOf(expiresAt, now) }),
    ...(allowFrom !== undefined && { allowFrom: rangesOf(allowFrom) }),
  };
  if (Object.keys(change).length === 0) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
  return change;
}

export const keyRoutes = (deps: OperatorDeps) => new Elysia().use(keyReads(deps)).use(keyChanges(deps));

function keyReads({ directory, clock }: OperatorDeps) {
  return new Elysia({ prefix: "/keys" })
    .get(
      "/",
      ({ query }) => {
        const accountId = listedAccountOf(query.account, directory);
        const wanted = accountId === undefined ? directory.keys() : directory.keysOf(accountId);
        return wanted.map((key) => keyAnswer(key, clock.now()));
      },
      { query: accountQuerySchema },
    )
    .get("/:id", ({ params }) => {
      const key = directory.key(keyIdOf(params.id));
      if (key === null) throw new OperatorError("key_not_found");
      return keyAnswer(key, clock.now());
    });
}

function keyChanges({ directory, keys, waitingCanceller, facts, clock }: OperatorDeps) {
  const isSandboxed = () => facts.sandboxEnabled && directory.sandboxRoutes().length > 0;

  return new Elysia({ prefix: "/keys" })
    .post(
      "/",
      async ({ body }) => {
        const isTest = body.test ?? false;
        if (isTest && !isSandboxed()) throw new OperatorError("sandbox_off");
        const input = {
          name: body.name,
          isTest,
          permissions: body.permissions ?? permissions,
          requestsPerMinute: body.rate ?? null,
          expiresAt: expiryOf(body.expiresAt ?? null, clock.now()),
          allowFrom: rangesOf(body.allowFrom ?? []),
        };
        return issuedKeyAnswer(await keys.create(accountIdOf(body.account), input), clock.now());
      },
      {
        body: t.Object({
          account: t.String(),
          name: nameSchema,
          permissions: t.Optional(permissionsSchema),
          rate: t.Optional(rateSchema),
          expiresAt: t.Optional(timeSchema),
          allowFrom: t.Optional(rangesSchema),
          test: t.Optional(t.Boolean()),
        }),
      },
    )
    .patch(
      "/:id",
      async ({ params, body }) =>
        keyAnswer(await keys.update(keyIdOf(params.id), changeOf(body, clock.now())), clock.now()),
      { body: changeSchema },
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
    .post(
      "/:id/revoke",
      async ({ params, body }): Promise<RevokedKeyAnswer> => {
        const key = await keys.revoke(keyIdOf(params.id));
        const waiting = body?.cancelWaiting === true ? await waitingCanceller.cancel(key) : null;
        return { ...keyAnswer(key, clock.now()), waiting };
      },
      { body: t.Optional(t.Object({ cancelWaiting: t.Optional(t.Boolean()) })) },
    );
}
