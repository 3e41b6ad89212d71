/** Records every change in the audit, with what differs before and after it. */
import type { AuditedState } from "../store/audit.ts";
import type { OperatorCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { refusalFor } from "./errors.ts";
import { type Audit, type Fields, StreamedAnswer } from "./operation.ts";

interface Change {
  audit: Audit<Fields, unknown>;
  input: Fields;
  caller: OperatorCaller;
}

interface OpenChange extends Change {
  /** Null if the store could not write and the change was made without it. */
  id: number | null;
  before: AuditedState | null;
}

/** Unexpected errors are logged by whoever performs the operation. */
const unlogged = { error: () => {} };

const fieldsOf = (answer: unknown): Fields =>
  typeof answer === "object" && answer !== null && !Array.isArray(answer) ? { ...answer } : {};

/** What differs between the two; the whole of one if the other is missing. */
function difference(before: AuditedState | null, after: AuditedState | null) {
  if (before === null || after === null) return { before, after };
  const keys = Object.keys({ ...before, ...after }).filter((key) => !Bun.deepEquals(before[key], after[key]));
  const only = (state: AuditedState) => Object.fromEntries(keys.map((key) => [key, state[key]]));
  return { before: only(before), after: only(after) };
}

export class ChangeRecorder {
  constructor(private readonly deps: OperatorDeps) {}

  /**
   * Runs the change between the two halves of its entry. If the first half cannot be stored, the change is not made.
   */
  async record(change: Change, run: () => unknown): Promise<unknown> {
    const open = await this.#begin(change);
    let answer: unknown;
    try {
      answer = await run();
    } catch (reason) {
      await this.#refuse(open, refusalFor(unlogged, reason).code);
      throw reason;
    }
    if (!(answer instanceof StreamedAnswer) || answer.ended === undefined) {
      await this.#complete(open, answer instanceof StreamedAnswer ? {} : answer);
      return answer;
    }
    const isEnd = (end: unknown): end is Fields => typeof end === "object" && end !== null;
    void answer.ended.then((end) => {
      if (!isEnd(end)) return;
      if (end.kind === "done") return this.#complete(open, { ...open.before, ...end });
      return this.#refuse(open, end.kind === "refused" ? String(end.code) : "invalid");
    });
    return answer;
  }

  async #begin(change: Change): Promise<OpenChange> {
    const { audit, input, caller } = change;
    const before = this.#stateOf(change, {});
    const target = audit.target(input, before ?? {});
    const entry = { actor: caller.actor, origin: caller.origin, action: audit.action, target, before };
    const id = await this.deps.audit.begin(entry).catch((reason: unknown) => {
      if (audit.needsNoStore !== true) throw reason;
      this.deps.log.warn(
        { audit: entry, err: reason },
        "a change is made without its audit entry: the store cannot write",
      );
      return null;
    });
    return { ...change, id, before };
  }

  async #complete(open: OpenChange, answer: unknown): Promise<void> {
    const { id, audit, input, before } = open;
    if (id === null) return;
    const told = audit.told?.(input, answer);
    const state = this.#stateOf(open, fieldsOf(answer));
    const after = told === undefined ? state : { ...state, ...told };
    const target = audit.target(input, fieldsOf(answer));
    await this.deps.audit.end(id, { target, outcome: "done", error: null, ...difference(before, after) });
  }

  async #refuse({ id, audit, input, before }: OpenChange, error: string): Promise<void> {
    if (id === null) return;
    const target = audit.target(input, before ?? {});
    await this.deps.audit.end(id, { target, outcome: "refused", error, before: null, after: null });
  }

  /** Timestamps that every change updates say nothing; the entry has its own. */
  #stateOf({ audit, input }: Change, answer: Fields): AuditedState | null {
    const state = audit.state?.(this.deps, input, answer) ?? null;
    if (state === null) return null;
    const { createdAt: _, updatedAt: __, ...kept } = state;
    return kept;
  }
}
