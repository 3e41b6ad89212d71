/**
 * Cancels waiting messages, of any account for the operator or of its own for a customer: many at a time, each one safe
 * against the dispatcher.
 */
import { OperatorError, type OperatorErrorCode, refusalText } from "../../domain/operator-error.ts";
import { isCancellable } from "../../domain/status.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store, Tables } from "../../store/store.ts";
import { cancelledPerWrite, cancelRow } from "./cancel.ts";

export interface OperatorCancellerDeps {
  store: Store;
  clock: { now(): number };
}

export interface CancelOptions {
  /** Checks only; changes nothing. */
  dryRun: boolean;
  /** The account that cancels its own messages; those of others are not found. Omitted for the operator. */
  accountId?: number | undefined;
}

/** `refused`: why it was not cancelled; null if it was or, in a dry run, would be. */
export interface CancelOutcome {
  trackingCode: string;
  refused: { code: OperatorErrorCode; message: string } | null;
}

export class OperatorCanceller {
  constructor(private readonly deps: OperatorCancellerDeps) {}

  /**
   * One result per code, in order. Cancelling a cancelled message changes nothing. Rejects with StoreUnavailable when
   * the disk refuses; earlier slices stay cancelled.
   */
  async cancel(trackingCodes: readonly string[], options: CancelOptions): Promise<CancelOutcome[]> {
    const { store } = this.deps;
    const { dryRun, accountId } = options;
    if (dryRun) return trackingCodes.map((code) => outcomeOf(code, () => cancellable(store.tables, code, accountId)));
    const results: CancelOutcome[] = [];
    for (let from = 0; from < trackingCodes.length; from += cancelledPerWrite) {
      const slice = trackingCodes.slice(from, from + cancelledPerWrite);
      results.push(...(await store.write((tables) => slice.map((code) => this.#cancelIn(tables, code, accountId)))));
    }
    return results;
  }

  #cancelIn(tables: Tables, trackingCode: string, accountId: number | undefined): CancelOutcome {
    return outcomeOf(trackingCode, () => {
      const row = cancellable(tables, trackingCode, accountId);
      if (row.state === "cancelled") return;
      const reason = accountId === undefined ? ({ code: "operator_cancelled" } as const) : null;
      cancelRow(tables, row, this.deps.clock.now(), reason);
    });
  }
}

/** Throws `message_not_found`, `not_cancellable`. */
function cancellable({ messages }: Tables, trackingCode: string, accountId: number | undefined): MessageRow {
  const row =
    accountId === undefined ? messages.byCodeAnywhere(trackingCode) : messages.byCode(accountId, trackingCode);
  if (row === null) throw new OperatorError("message_not_found");
  if (row.state !== "cancelled" && !isCancellable(row.state)) throw new OperatorError("not_cancellable");
  return row;
}

function outcomeOf(trackingCode: string, step: () => unknown): CancelOutcome {
  try {
    step();
    return { trackingCode, refused: null };
  } catch (reason) {
    if (!(reason instanceof OperatorError)) throw reason;
    return { trackingCode, refused: { code: reason.code, message: refusalText(reason) } };
  }
}
