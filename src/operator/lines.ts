/** Lines: numbers that receive, each for one account. */

import { Elysia, t } from "elysia";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { LineRefused } from "../inbound/line-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { LineRow } from "../store/lines.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { accountQuerySchema, addressSchema } from "./schemas.ts";

export type LineAnswer = ReturnType<typeof lineAnswer>;

export function lineAnswer({ number, accountId, createdAt }: LineRow) {
  return { number, account: accountIdText(accountId), createdAt: isoTime(createdAt) };
}

/** Maps the errors of the line service to those of the operator API. */
async function withRefusals<T>(number: string, asked: () => T | Promise<T>): Promise<T> {
  try {
    return await asked();
  } catch (reason) {
    if (!(reason instanceof LineRefused)) throw reason;
    if (reason.code === "line_invalid") throw invalidRequest([problemOf("number", "line_number", { value: number })]);
    throw new OperatorError(reason.code, reason.message);
  }
}

export function lineRoutes({ directory, inbound }: OperatorDeps) {
  return new Elysia({ prefix: "/lines" })
    .post(
      "/",
      async ({ body: { number, account } }) => {
        const { line, madeAvailable } = await withRefusals(number, () =>
          inbound.lines.add(accountIdOf(account), number),
        );
        /** `madeAvailable`: messages that had arrived before the line was added. */
        return { ...lineAnswer(line), madeAvailable };
      },
      { body: t.Object({ number: addressSchema, account: t.String() }) },
    )
    .get(
      "/",
      ({ query }) => {
        const accountId = listedAccountOf(query.account, directory);
        const wanted = inbound.lines.all().filter((line) => accountId === undefined || line.accountId === accountId);
        return wanted.map(lineAnswer);
      },
      { query: accountQuerySchema },
    )
    .get("/:number", async ({ params: { number } }) =>
      lineAnswer(await withRefusals(number, () => inbound.lines.show(number))),
    )
    .delete("/:number", async ({ params }) => {
      const removed = await withRefusals(params.number, () => inbound.lines.remove(params.number));
      return { ...lineAnswer(removed), removed: true };
    });
}
