/** Lines: which account the messages to a number belong to. */
import { Elysia, t } from "elysia";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { LineRefused } from "../inbound/line-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { LineRow } from "../store/lines.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { addressSchema } from "./schemas.ts";

function lineView({ number, accountId, createdAt }: LineRow) {
  return { number, account: accountIdText(accountId), createdAt: isoTime(createdAt) };
}

/** The room of inbound messages speaks of lines; here they become the operator API's refusals. */
async function refusing<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (reason) {
    if (!(reason instanceof LineRefused)) throw reason;
    if (reason.code === "line_invalid") throw invalidRequest([{ key: "number", message: reason.message }]);
    throw new OperatorError(reason.code, reason.message);
  }
}

export function lineRoutes({ directory, inbound }: OperatorDeps) {
  return new Elysia({ prefix: "/lines" })
    .post(
      "/",
      async ({ body: { number, account } }) => {
        const { line, madeAvailable } = await refusing(inbound.lines.add(accountIdOf(account), number));
        /** Messages that had come before the line was there. */
        return { ...lineView(line), madeAvailable };
      },
      { body: t.Object({ number: addressSchema, account: t.String() }) },
    )
    .get(
      "/",
      ({ query }) => {
        const accountId = listedAccountOf(query.account, directory);
        const wanted = inbound.lines.all().filter((line) => accountId === undefined || line.accountId === accountId);
        return wanted.map(lineView);
      },
      { query: t.Object({ account: t.Optional(t.String()) }) },
    )
    .delete("/:number", async ({ params }) => {
      const removed = await refusing(inbound.lines.remove(params.number));
      return { ...lineView(removed), removed: true };
    });
}
