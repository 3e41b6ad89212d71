/** Why a message is where it is, as data; and the sentence that says it in the reader's language. */
import type { Locale } from "../locale.ts";
import type { Words } from "../words/en.ts";

export type RefusalCause = keyof Words["refusals"];

/** Moments in epoch milliseconds, durations in milliseconds. `route` is null for a customer, who learns of no route and no code. */
export type MessageReason =
  | { kind: "ahead"; count: number; route: string | null; waitMs: number }
  | { kind: "routeDown"; route: string | null; since: number }
  | { kind: "scheduled"; at: number }
  | { kind: "handingOver"; route: string | null }
  | { kind: "busy"; code: number | null; attempt: number; nextAt: number }
  | { kind: "noReceipt"; handedOverAt: number }
  | { kind: "delivered"; afterMs: number }
  | { kind: "unreachable" }
  | { kind: "expired"; hours: number }
  | { kind: "refused"; route: string | null; cause: RefusalCause; code: number | null }
  | { kind: "unsure"; route: string | null; sentAgain: boolean }
  | { kind: "blocked" }
  | { kind: "cancelled"; by: string };

export function reasonText(reason: MessageReason, { words, format }: Locale): string {
  const say = words.reasons;
  const routeName = (route: string | null): string => route ?? say.network;
  const codeText = (code: number | null): string | null => (code === null ? null : format.plain(code));
  switch (reason.kind) {
    case "ahead":
      return say.ahead(format.count(reason.count), routeName(reason.route), format.duration(reason.waitMs));
    case "routeDown":
      return say.routeDown(routeName(reason.route), format.clock(reason.since));
    case "scheduled":
      return say.scheduled(format.day(reason.at), format.clock(reason.at));
    case "handingOver":
      return say.handingOver(routeName(reason.route));
    case "busy":
      return say.busy(codeText(reason.code), format.plain(reason.attempt), format.clock(reason.nextAt));
    case "noReceipt":
      return say.noReceipt(format.duration(format.now - reason.handedOverAt));
    case "delivered":
      return say.delivered(format.duration(reason.afterMs));
    case "unreachable":
      return say.unreachable;
    case "expired":
      return say.expired(format.count(reason.hours));
    case "refused":
      return say.refused(routeName(reason.route), words.refusals[reason.cause], codeText(reason.code));
    case "unsure":
      return (reason.sentAgain ? say.unsureResent : say.unsure)(routeName(reason.route));
    case "blocked":
      return say.blocked;
    case "cancelled":
      return say.cancelled(reason.by);
  }
}
