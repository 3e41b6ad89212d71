/**
 * Ends long messages that stayed incomplete: nothing is sent, what was reserved is released, and customers are notified.
 */
import { OverdueMessages, type OverdueMessagesDeps } from "../inbound/overdue-messages.ts";
import type { TrafficRules } from "../messaging/rules/traffic-rules.ts";
import type { BookingClock } from "../platform/booking-clock.ts";
import type { LoopTurns } from "../platform/loop-turns.ts";
import type { SmppAssemblyRow } from "../store/smpp-assemblies.ts";
import type { Tables } from "../store/store.ts";
import { asksFor, messageState } from "./message-states.ts";
import { reservedFor } from "./segments.ts";

export interface OverdueSegmentsDeps extends Omit<OverdueMessagesDeps, "messagesIn" | "endSlice" | "failed"> {
  bookingClock: Pick<BookingClock, "moment">;
  rules: TrafficRules;
  turns: LoopTurns;
}

/** Messages per transaction, and their segments: a few milliseconds. Twenty messages of 255 segments took 125. */
const sliceRows = 20;
const sliceSegments = 200;

export class OverdueSegments extends OverdueMessages {
  constructor(private readonly deps: OverdueSegmentsDeps) {
    super({
      ...deps,
      messagesIn: ({ smppAssemblies }) => smppAssemblies,
      endSlice: (openedThrough) => this.#expire(openedThrough),
      failed: "incomplete messages of customers could not be ended; they wait",
    });
  }

  /**
   * The customer cancels the message that this submit sent a segment of; false if that message is no longer waiting. In
   * turns: a hundred messages of 254 segments that were cancelled together held the event loop for 110 ms.
   */
  async cancel(submitId: number, accountId: number): Promise<boolean> {
    await this.deps.turns.next(accountId);
    return this.deps.store.write((tables) => {
      const assembly = tables.smppAssemblies.ofSubmit(submitId);
      if (assembly === null || assembly.state !== 0) return false;
      this.#end(tables, assembly, messageState.deleted);
      return true;
    });
  }

  async #expire(openedThrough: number): Promise<boolean> {
    const { store, log } = this.deps;
    const { messages, isMore } = await store.write((tables) => {
      const due = tables.smppAssemblies.openedThrough(openedThrough, sliceRows);
      let [messages, segments] = [0, 0];
      for (const assembly of due) {
        if (segments >= sliceSegments) return { messages, isMore: true };
        segments += this.#end(tables, assembly, messageState.expired);
        messages += 1;
      }
      // Repeats of its segments are no longer recognised.
      tables.smppAssemblies.prune("whole", openedThrough, sliceRows);
      return { messages, isMore: messages === sliceRows };
    });
    if (messages > 0) log.warn({ messages }, "long messages of customers never came whole, and are not sent");
    return isMore;
  }

  /** Returns how many segments it had. */
  #end(tables: Tables, assembly: SmppAssemblyRow, state: number): number {
    const { rules, bookingClock } = this.deps;
    const { id, accountId, apiKeyId, credentialId } = assembly;
    const moment = bookingClock.moment();
    const now = moment.at;
    const segments = tables.smppAssemblies.segments(id);
    tables.smppAssemblies.end(assembly, "incomplete");
    for (const segment of segments) {
      const { submitId } = segment;
      rules.giveBack(tables, { accountId, apiKeyId, ...moment }, reservedFor([segment]), segment.createdAt);
      tables.smppSubmits.end(submitId, state);
      const submit = tables.smppSubmits.byId(submitId);
      if (submit === null || !asksFor(submit.registeredDelivery, state)) continue;
      const errorCode = state === messageState.expired ? "expired" : null;
      tables.credentialDeliveries.addReceipt({
        credentialId,
        submitId,
        state,
        errorCode,
        endedAt: now,
        createdAt: now,
      });
    }
    return segments.length;
  }
}
