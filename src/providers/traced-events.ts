/** Reports to a trace the receipts and texts from an HTTP provider's callbacks and answers. */
import type { InboundPart, ProviderEvents, Receipt } from "./provider.ts";
import { type RouteTrace, shownNumber, shownText, type TraceView } from "./route-trace.ts";

type ContentEvents = Pick<ProviderEvents, "receipt" | "inbound">;

export function tracedEvents(trace: RouteTrace, events: ContentEvents, link: "callback" | "answer"): ContentEvents {
  const tell = (words: (view: TraceView) => string) => {
    if (trace.isOn) trace.add({ link, direction: "in", words });
  };
  return {
    receipt(receipt) {
      tell(() => describeReceipt(receipt));
      return events.receipt(receipt);
    },
    inbound(part) {
      tell((view) => describeInbound(part, view));
      return events.inbound(part);
    },
  };
}

/** Omits the remark, which may echo the text of a one-time password. */
function describeReceipt({ ids, state, detail }: Receipt): string {
  return `receipt for ${ids[0] ?? "no id"}: ${state}, ${detail}`;
}

function describeInbound({ sender, receiver, text, binary }: InboundPart, view: TraceView): string {
  const content = binary === undefined ? shownText(text, view) : `${binary.length / 2} octets, no text`;
  return `text from ${shownNumber(sender, view)} to ${receiver}: ${content}`;
}
