/** The audit as operators search it. */
import { Type as t } from "@sinclair/typebox";
import { isoTime } from "../platform/clock.ts";
import { type AuditRow, auditOutcomes } from "../store/audit.ts";
import { reads } from "./operation.ts";
import { limitField, oneOf, timeSchema, told } from "./schemas.ts";

export type AuditAnswer = ReturnType<typeof auditAnswer>;

function auditAnswer({ id: _, at, ...entry }: AuditRow) {
  return { at: isoTime(at), ...entry };
}

const word = t.Optional(t.String({ minLength: 1, maxLength: 200 }));
const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

export const auditAdmin = {
  "GET /audit": reads({
    may: "audit.read",
    scope: "none",
    input: {
      actor: word,
      action: word,
      target: word,
      outcome: t.Optional(oneOf(auditOutcomes)),
      from: t.Optional(timeSchema),
      to: t.Optional(timeSchema),
      limit: limitField,
      cursor: t.Optional(t.String({ pattern: "^[0-9a-z]{1,12}$", ...told("cursor", {}) })),
    },
    run: ({ audit }, { from, to, limit = 50, cursor, ...filter }) => {
      const before = cursor === undefined ? null : Number.parseInt(cursor, 36);
      const found = audit.search({ ...filter, from: timeOf(from), to: timeOf(to) }, before, limit);
      const last = found.length === limit ? found.at(-1) : undefined;
      return {
        /** Newest first. */
        entries: found.map(auditAnswer),
        /** Cursor of the next page; null at the end. */
        nextCursor: last === undefined ? null : last.id.toString(36),
      };
    },
  }),
};
