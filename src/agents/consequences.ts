/**
 * Which changes a program does only after a person has confirmed them, and what each would do. Everything that is not
 * listed here as harmless needs a confirmation, so a new operation does too.
 */

import { readsOnly } from "../fields/user-token.ts";
import type { Fields, OperatorOperation } from "../operator/operation.ts";
import { operations } from "../operator/operations.ts";

/** They cost nothing, delete nothing, and can be taken back. */
export const harmlessChanges: ReadonlySet<string> = new Set([
  "DELETE /alerts/silences",
  "POST /accounts/:id/suspend",
  "POST /alerts/silences",
  "POST /alerts/test",
  "POST /backups",
  "POST /groups",
  "POST /messages/:trackingCode/block",
  "POST /patterns",
  "POST /routes/:name/drain",
  "POST /suppressions",
  "POST /webhooks/:id/replay",
  "POST /webhooks/:id/test",
  "POST /webhooks/replay",
]);

const declared: Readonly<Record<string, OperatorOperation>> = operations;

export const operationNames: readonly string[] = Object.keys(declared);

export const declarationOf = (name: string): OperatorOperation | undefined =>
  Object.hasOwn(declared, name) ? declared[name] : undefined;

export const changesNothing = ({ audit }: OperatorOperation): boolean => audit === undefined;

export const needsPerson = (name: string): boolean => {
  const operation = declarationOf(name);
  return operation !== undefined && !changesNothing(operation) && !harmlessChanges.has(name);
};

/** Whoever could add users or tokens would need no confirmation any more, so no token ever may. */
const forPeople: ReadonlySet<string> = new Set(["users.change", "colleagues.change", "own.settings"]);
export const isForPeople = ({ may }: OperatorOperation): boolean => forPeople.has(may);

/** `listed`: a token's operations; none: all. Another question is whether its role may. */
export function isOpenTo(listed: readonly string[], name: string): boolean {
  const operation = declarationOf(name);
  if (operation === undefined || isForPeople(operation)) return false;
  return listed.length === 0 || listed.includes(name) || (listed.includes(readsOnly) && changesNothing(operation));
}

/** What to ask for, to say what a change would do: an operation that changes nothing. */
type Preview = (input: Fields) => readonly [name: string, input: Fields];

const dryRun =
  (name: string): Preview =>
  (input) => [name, { ...input, dryRun: true }];
const shown =
  (name: string): Preview =>
  (input) => [name, input];

const previews: Readonly<Record<string, readonly Preview[]>> = {
  "POST /messages": [
    shown("POST /messages/preview"),
    ({ recipients, message, sendAt, ...rest }) => [
      "GET /explain",
      {
        ...rest,
        recipient: Array.isArray(recipients) ? recipients[0] : undefined,
        text: message,
        ...(sendAt !== undefined && { at: sendAt }),
      },
    ],
  ],
  "POST /messages/resend": [dryRun("POST /messages/resend")],
  "POST /messages/cancel": [dryRun("POST /messages/cancel")],
  "POST /campaigns/:id/stop": [shown("GET /campaigns/:id")],
  "POST /campaigns/:id/resend": [shown("GET /campaigns/:id")],
  "POST /groups/:code/approve": [shown("GET /groups/:code")],
  "POST /queue/release": [() => ["GET /overview", {}]],
  "DELETE /routes/:name": [shown("GET /routes/:name")],
  "DELETE /plans/:name": [shown("GET /plans/:name")],
  "DELETE /webhooks/:id": [shown("GET /webhooks/:id")],
  "POST /accounts/:id/topup": [shown("GET /accounts/:id/balance")],
  "POST /accounts/:id/correct": [shown("GET /accounts/:id/balance")],
};

export const previewsOf = (name: string): readonly Preview[] => previews[name] ?? [];
