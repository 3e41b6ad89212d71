/** What needs a look: as data, and as a sentence with its cause and the one way to mend it. */
import type { PillState } from "../components/pill.tsx";
import type { Locale } from "../locale.ts";

/** Moments in epoch milliseconds. */
export type Need =
  | { kind: "routeDown"; route: string; since: number; waiting: number; cause: string }
  | {
      kind: "callbacksFailing";
      webhook: string;
      account: string;
      host: string;
      since: number;
      waiting: number;
      answer: string;
    }
  | { kind: "receiptsUnmatched"; route: string; count: number }
  | { kind: "simulator"; senders: readonly string[] }
  | { kind: "backupOld"; at: number }
  | { kind: "certificate"; endsAt: number }
  | { kind: "disk"; freeBytes: number };

export interface NeedText {
  state: Extract<PillState, "down" | "failed" | "attention">;
  sentence: string;
  cause: string;
  action: string;
  href: string;
}

export function needText(need: Need, { words, format }: Locale): NeedText {
  const say = words.now.need;
  switch (need.kind) {
    case "routeDown":
      return {
        state: "down",
        sentence: say.routeDown(need.route, format.clock(need.since)),
        cause: say.routeDownCause(format.count(need.waiting), need.cause),
        action: say.routeDownAction,
        href: `/routes/${encodeURIComponent(need.route)}`,
      };
    case "callbacksFailing":
      return {
        state: "failed",
        sentence: say.callbacksFailing(need.account, need.host, format.clock(need.since)),
        cause: say.callbacksFailingCause(format.count(need.waiting), need.answer),
        action: say.callbacksFailingAction,
        href: `/callbacks/${encodeURIComponent(need.webhook)}/deliveries`,
      };
    case "receiptsUnmatched":
      return {
        state: "attention",
        sentence: say.receiptsUnmatched(format.count(need.count), need.route),
        cause: say.receiptsUnmatchedCause,
        action: say.receiptsUnmatchedAction,
        href: `/routes/${encodeURIComponent(need.route)}#unmatched`,
      };
    case "simulator":
      return {
        state: "attention",
        sentence: say.simulator(format.list(need.senders)),
        cause: say.simulatorCause,
        action: say.simulatorAction,
        href: "/routes",
      };
    case "backupOld":
      return {
        state: "attention",
        sentence: say.backupOld(format.duration(format.now - need.at)),
        cause: say.backupOldCause,
        action: say.backupOldAction,
        href: "/system#backups",
      };
    case "certificate":
      return {
        state: "attention",
        sentence: say.certificate(format.duration(need.endsAt - format.now)),
        cause: say.certificateCause,
        action: say.certificateAction,
        href: "/system#certificate",
      };
    case "disk":
      return {
        state: "attention",
        sentence: say.disk(format.bytes(need.freeBytes)),
        cause: say.diskCause,
        action: say.diskAction,
        href: "/system#disk",
      };
  }
}
