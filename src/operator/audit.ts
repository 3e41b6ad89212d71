/** The audit as operators search it. */
import { Type as t } from "@sinclair/typebox";
import { isoTime } from "../platform/clock.ts";
import { type AuditedAccount, type AuditRow, auditOutcomes } from "../store/audit.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText, credentialIdText, keyIdText, listedAccountOf } from "./ids.ts";
import { reads } from "./operation.ts";
import { limitField, oneOf, timeSchema, told } from "./schemas.ts";

export type AuditAnswer = ReturnType<typeof auditAnswer>;

function auditAnswer({ id: _, at, ...entry }: AuditRow) {
  return { at: isoTime(at), ...entry };
}

const pageOf = (cursor: string | undefined): number | null =>
  cursor === undefined ? null : Number.parseInt(cursor, 36);

/** Newest first, with the cursor of the next page; null at the end. */
function auditPart(found: readonly AuditRow[], limit: number) {
  const last = found.length === limit ? found.at(-1) : undefined;
  return { entries: found.map(auditAnswer), nextCursor: last === undefined ? null : last.id.toString(36) };
}

const cursorField = t.Optional(t.String({ pattern: "^[0-9a-z]{1,12}$", ...told("cursor", {}) }));

const word = t.Optional(t.String({ minLength: 1, maxLength: 200 }));
const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

export const auditAdmin = {
  "GET /audit": reads({
    may: "audit.read",
    input: {
      actor: word,
      action: word,
      target: word,
      outcome: t.Optional(oneOf(auditOutcomes)),
      from: t.Optional(timeSchema),
      to: t.Optional(timeSchema),
      limit: limitField,
      cursor: cursorField,
    },
    run: ({ audit }, { from, to, limit = 50, cursor, ...filter }) => {
      const asked = { ...filter, from: timeOf(from), to: timeOf(to) };
      return auditPart(audit.search(asked, pageOf(cursor), limit), limit);
    },
  }),
  /** Changes of an account and of what it has, and those that its people made: for support, who do not read the rest. */
  "GET /accounts/:id/changes": reads({
    may: "accounts.read",
    input: { id: t.String(), limit: limitField, cursor: cursorField },
    run: (deps, { id, limit = 50, cursor }) => {
      const accountId = listedAccountOf(id, deps.directory) ?? 0;
      return auditPart(deps.audit.search({ concerns: auditedAccount(deps, accountId) }, pageOf(cursor), limit), limit);
    },
  }),
};

function auditedAccount({ directory, credentials, users }: OperatorDeps, accountId: number): AuditedAccount {
  const keys = directory.keysOf(accountId);
  const ofKeys = new Set(keys.map(({ id }) => id));
  const entering = credentials.directory.all().filter(({ apiKeyId }) => ofKeys.has(apiKeyId));
  const people = users.ofAccount(accountId).map(({ name }) => name);
  return {
    id: accountIdText(accountId),
    targets: [...keys.map(({ id }) => keyIdText(id)), ...entering.map(({ id }) => credentialIdText(id)), ...people],
    actors: people,
  };
}
