/** Delivers long messages that are still incomplete at their timeout, with the parts received so far. */
import { OverdueMessages, type OverdueMessagesDeps } from "./overdue-messages.ts";
import { assemble, type IntakeResult } from "./part-intake.ts";

export interface OverduePartsDeps extends Omit<OverdueMessagesDeps, "messagesIn" | "endSlice" | "failed"> {
  /** A message was assembled from the available parts and committed. */
  assembled(result: IntakeResult): void;
}

/** Messages per transaction, and their parts: a few milliseconds. */
const sliceRows = 50;
const sliceParts = 500;

export function overdueParts(deps: OverduePartsDeps): OverdueMessages {
  const { store, clock, log, assembled } = deps;
  return new OverdueMessages({
    ...deps,
    messagesIn: ({ inboundParts }) => inboundParts,
    async endSlice(openedThrough) {
      const { ended, isMore } = await store.write((tables) => {
        const due = tables.inboundParts.openedThrough(openedThrough, sliceRows);
        const ended: IntakeResult[] = [];
        let parts = 0;
        for (const assembly of due) {
          if (parts >= sliceParts) return { ended, isMore: true };
          parts += tables.inboundParts.countOf(assembly.id);
          ended.push(assemble(tables, assembly, clock.now()));
        }
        return { ended, isMore: due.length === sliceRows };
      });
      for (const result of ended) assembled(result);
      if (ended.length > 0) log.warn({ messages: ended.length }, "long inbound messages are delivered incomplete");
      return isMore;
    },
    failed: "incomplete inbound messages could not be stored; they wait",
  });
}
