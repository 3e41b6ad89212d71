/** An account's errors: its refused requests of the last day, grouped. */
import { Type as t } from "@sinclair/typebox";
import { fieldCodes } from "../domain/api-error.ts";
import { OperatorError } from "../domain/operator-error.ts";
import { refusalReasonOf } from "../domain/refused-request.ts";
import type { RefusedKind } from "../messaging/refusals/refused-requests.ts";
import { isoTime } from "../platform/clock.ts";
import { ownAccount } from "./accounts.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, accountIdText, credentialIdText, keyIdText } from "./ids.ts";
import { reads } from "./operation.ts";

/** Without another for this long, it is over. */
const overMs = 30 * 60_000;

export type AccountErrorAnswer = ReturnType<typeof errorAnswer>;

function errorAnswer({ directory, credentials }: OperatorDeps, kind: RefusedKind, now: number) {
  const { code, status, way, id, request, field, sender, count, hours, firstAt, lastAt } = kind;
  const isField = fieldCodes.some((one) => one === code);
  const name = way === "api" ? directory.key(id)?.name : credentials.directory.byId(id)?.name;
  return {
    reason: refusalReasonOf(code) ?? "service",
    /** As the way in answers: an error of the API, a status of SMPP, a cause of a drop-in protocol. */
    code: isField ? "validation_failed" : code,
    /** What is wrong with the first wrong field; null if none is. */
    fieldCode: isField ? code : null,
    /** An HTTP status, or a command status of SMPP; null where there is none. */
    status,
    way,
    /** The key, or the credential; `name`: null if it is no longer there. */
    by: { id: way === "api" ? keyIdText(id) : credentialIdText(id), name: name ?? null },
    count,
    first: isoTime(firstAt),
    last: isoTime(lastAt),
    goesOn: now - lastAt < overMs,
    /** By clock hour, the present one last. */
    hours,
    /** Of the first one: no text, no number. */
    example: { request, field: field === "" ? null : field, sender: sender === "" ? null : sender },
  };
}

export const accountErrorAdmin = {
  "GET /accounts/:id/errors": reads({
    may: "usage.read",
    scope: ownAccount,
    input: { id: t.String() },
    run: (deps, { id }) => {
      const { directory, refusedRequests, clock } = deps;
      const accountId = accountIdOf(id);
      if (directory.account(accountId) === null) throw new OperatorError("account_not_found");
      const { kinds, others } = refusedRequests.of(accountId);
      return {
        account: accountIdText(accountId),
        /** When the service was started: earlier ones are not known. */
        since: isoTime(refusedRequests.since),
        count: kinds.reduce((sum, { count }) => sum + count, others),
        /** Of further kinds, which are only counted. */
        others,
        kinds: kinds.map((kind) => errorAnswer(deps, kind, clock.now())),
      };
    },
  }),
};
