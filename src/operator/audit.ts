/** Every request of the operator API that changes something passes here and leaves an entry of the audit; `/audit` lists them. */
import { Elysia, t } from "elysia";
import { isoTime } from "../platform/clock.ts";
import { type AuditedState, type AuditRow, auditOutcomes } from "../store/audit.ts";
import { type AuditedChange, auditedChangeOf, type ChangeCall } from "./audited-changes.ts";
import { callerOf } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { refusalFor } from "./errors.ts";
import { importEnds } from "./group-import.ts";
import { oneOf, timeSchema } from "./schemas.ts";

interface OpenChange {
  /** Null where the store could not write and the change goes without it. */
  id: number | null;
  change: AuditedChange;
  call: Omit<ChangeCall, "answer">;
  before: AuditedState | null;
}

/** What a hook of Elysia knows of a request, whatever the route. */
interface RequestContext {
  request: Request;
  route: string;
  params: unknown;
  query: unknown;
  body: unknown;
}

/** The answer to the request logs what is unexpected. */
const unlogged = { error: () => {} };

const fieldsOf = (value: unknown): Record<string, unknown> => {
  if (Array.isArray(value)) return { list: value };
  return typeof value === "object" && value !== null && !(value instanceof Response) ? { ...value } : {};
};

/** Times that every change moves say nothing; the entry has its own. */
function stateOf({ change, call }: Omit<OpenChange, "id" | "before">, deps: OperatorDeps, answer = {}) {
  const state = change.state?.({ ...call, answer }, deps) ?? null;
  if (state === null) return null;
  const { createdAt: _, updatedAt: __, ...kept } = state;
  return kept;
}

/** What differs between the two; each whole where the other is none. */
function difference(before: AuditedState | null, after: AuditedState | null) {
  if (before === null || after === null) return { before, after };
  const keys = Object.keys({ ...before, ...after }).filter((key) => !Bun.deepEquals(before[key], after[key]));
  const only = (state: AuditedState) => Object.fromEntries(keys.map((key) => [key, state[key]]));
  return { before: only(before), after: only(after) };
}

class ChangeRecorder {
  readonly #deps: OperatorDeps;
  readonly #open = new WeakMap<Request, OpenChange>();

  constructor(deps: OperatorDeps) {
    this.#deps = deps;
  }

  /** Before the change: rejects where its entry cannot be stored, and the change is not made. */
  async begin({ request, route, params, query, body }: RequestContext): Promise<void> {
    const change = auditedChangeOf({ method: request.method, path: route });
    const call = { params: fieldsOf(params), query: fieldsOf(query), body: fieldsOf(body) };
    if (change === null || change.changes?.({ ...call, answer: {} }) === false) return;
    const before = stateOf({ change, call }, this.#deps);
    const target = change.target({ ...call, answer: before ?? {} });
    const { actor, origin } = callerOf(request);
    const entry = { actor, origin, action: change.action, target, before };
    const id = await this.#deps.audit.begin(entry).catch((reason: unknown) => {
      if (change.needsNoStore !== true) throw reason;
      this.#deps.log.warn(
        { audit: entry, err: reason },
        "a change is made without its audit entry: the store cannot write",
      );
      return null;
    });
    this.#open.set(request, { id, change, call, before });
  }

  async done(request: Request, response: unknown): Promise<void> {
    const open = this.#taken(request);
    if (open === null) return;
    const importEnd = response instanceof Response ? importEnds.get(response) : undefined;
    if (importEnd === undefined) return this.#complete(open, fieldsOf(response));
    // Its answer is a stream that has only begun.
    void importEnd.then((end) => {
      if (end.kind === "done") return this.#complete(open, { ...open.before, ...end });
      return this.#refuse(open, end.kind === "refused" ? end.code : "invalid");
    });
  }

  async failed(request: Request, code: string | number, error: unknown): Promise<void> {
    const open = this.#taken(request);
    if (open !== null) await this.#refuse(open, refusalFor(unlogged, code, error).code);
  }

  async #complete(open: OpenChange, answer: Record<string, unknown>): Promise<void> {
    const { id, change, call, before } = open;
    if (id === null) return;
    const told = change.told?.({ ...call, answer });
    const state = stateOf(open, this.#deps, answer);
    const after = told === undefined ? state : { ...state, ...told };
    const target = change.target({ ...call, answer });
    await this.#deps.audit.end(id, { target, outcome: "done", error: null, ...difference(before, after) });
  }

  async #refuse({ id, change, call, before }: OpenChange, error: string): Promise<void> {
    if (id === null) return;
    const target = change.target({ ...call, answer: before ?? {} });
    await this.#deps.audit.end(id, { target, outcome: "refused", error, before: null, after: null });
  }

  #taken(request: Request): OpenChange | null {
    const open = this.#open.get(request) ?? null;
    this.#open.delete(request);
    return open;
  }
}

/** To be used before the routes: its hooks count for those that follow. */
export function auditChanges(deps: OperatorDeps) {
  const recorder = new ChangeRecorder(deps);
  return new Elysia({ name: "audit" })
    .onBeforeHandle({ as: "global" }, async (context): Promise<void> => recorder.begin(context))
    .onAfterHandle({ as: "global" }, async ({ request, responseValue }): Promise<void> => {
      await recorder.done(request, responseValue);
    })
    .onError({ as: "global" }, async ({ request, code, error }): Promise<void> => {
      await recorder.failed(request, code, error);
    });
}

export type AuditAnswer = ReturnType<typeof auditAnswer>;

function auditAnswer({ id: _, at, ...entry }: AuditRow) {
  return { at: isoTime(at), ...entry };
}

const word = t.Optional(t.String({ minLength: 1, maxLength: 200, error: "must be 1 to 200 characters" }));

const searchSchema = t.Object({
  actor: word,
  action: word,
  target: word,
  outcome: t.Optional(oneOf(auditOutcomes)),
  from: t.Optional(timeSchema),
  to: t.Optional(timeSchema),
  limit: t.Optional(t.Numeric({ minimum: 1, maximum: 500, error: "must be from 1 to 500" })),
  cursor: t.Optional(t.String({ pattern: "^[0-9a-z]{1,12}$", error: "is none that a search has given" })),
});

export function auditRoutes({ audit }: Pick<OperatorDeps, "audit">) {
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return new Elysia({ prefix: "/audit" }).get(
    "/",
    ({ query: { from, to, limit = 50, cursor, ...filter } }) => {
      const before = cursor === undefined ? null : Number.parseInt(cursor, 36);
      const found = audit.search({ ...filter, from: timeOf(from), to: timeOf(to) }, before, limit);
      const last = found.length === limit ? found.at(-1) : undefined;
      return {
        /** Newest first. */
        entries: found.map(auditAnswer),
        /** Where to go on; null at the end. */
        nextCursor: last === undefined ? null : last.id.toString(36),
      };
    },
    { query: searchSchema },
  );
}
