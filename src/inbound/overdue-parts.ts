/** Delivers long messages that are still incomplete at their timeout, with the parts received so far. */
import { OverdueMessages, type OverdueMessagesDeps } from "./overdue-messages.ts";
import { assemble, type IntakeResult } from "./part-intake.ts";

export interface OverduePartsDeps extends Omit<OverdueMessagesDeps, "messagesIn" | "endSlice" | "failed"> {
  /** A message was assembled from the available parts and committed. */
  assembled(result: IntakeResult): void;
}

/** Messages per transaction: a few milliseconds. */
const sliceRows = 50;

export function overdueParts(deps: OverduePartsDeps): OverdueMessages {
  const { store, clock, log, assembled } = deps;
  return new OverdueMessages({
    ...deps,
    messagesIn: ({ inboundParts }) => inboundParts,
    async endSlice(openedThrough) {
      const slice = await store.write((tables) => {
        const due = tables.inboundParts.openedThrough(openedThrough, sliceRows);
        return due.map((assembly) => assemble(tables, assembly, clock.now()));
      });
      for (const result of slice) assembled(result);
      if (slice.length > 0) log.warn({ messages: slice.length }, "long inbound messages are delivered incomplete");
      return slice.length === sliceRows;
    },
    failed: "incomplete inbound messages could not be stored; they wait",
  });
}
