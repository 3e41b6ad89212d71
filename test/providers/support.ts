/** Shared by the tests of providers: options for a test SMSC, messages, and a recorder of the provider's events. */

import { describeReason } from "../../src/domain/reason.ts";
import { measureText } from "../../src/domain/text.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Random } from "../../src/platform/random.ts";
import type {
  InboundPart,
  Provider,
  ProviderEvents,
  Receipt,
  RouteStorage,
  Submission,
  SubmitOutcome,
} from "../../src/providers/provider.ts";
import type { RouteTrace } from "../../src/providers/route-trace.ts";
import { parseSmppOptions, type SmppOptions } from "../../src/providers/smpp/options.ts";
import { SmppProvider } from "../../src/providers/smpp/smpp-provider.ts";
import { ManualClock, settleLoop, until } from "../support/manual-clock.ts";

export const fixedRandom: Random = {
  bytes: (count) => new Uint8Array(count),
  uuid: () => "00000000-0000-4000-8000-000000000000",
  fraction: () => 0.5,
};

/** Options as a route's file would give them. */
export function optionsFor(smsc: { port: number }, set: Readonly<Record<string, unknown>> = {}): SmppOptions {
  const file = { host: "127.0.0.1", port: smsc.port, systemId: "peyk", password: "secret", ...set };
  const result = parseSmppOptions(file);
  if ("problems" in result) throw new Error(JSON.stringify(result.problems));
  return result.options;
}

const notAsked = () => {
  throw new Error("This route does not ask its carrier");
};

/** For a provider that does not poll. */
export const noStorage: RouteStorage = {
  cursor: notAsked,
  setCursor: notAsked,
};

/** For a provider that starts without stored state. */
const emptyStorage: RouteStorage = { cursor: () => null, setCursor: () => Promise.resolve() };

let lastMessageId = 0;

export function message(text: string, set: Partial<Submission> = {}): Submission {
  lastMessageId += 1;
  const { encoding, partCount } = measureText(text);
  return {
    messageId: lastMessageId,
    accountId: 7,
    trackingCode: `code-${lastMessageId}`,
    sender: "3000",
    recipient: "+989121234567",
    text,
    encoding,
    partCount,
    class: 1,
    validUntil: Date.UTC(2026, 0, 7, 12),
    attempt: 1,
    ...set,
  };
}

/** An outcome as an operator reads it: its reason in words. */
export function worded(outcome: SubmitOutcome) {
  return outcome.kind === "accepted" ? outcome : { ...outcome, detail: describeReason(outcome.reason) };
}

/** Records a provider's events; `commit` decides when (and whether) a receipt or an inbound text counts as stored. */
export class RecordedEvents implements ProviderEvents {
  readonly receipts: Receipt[] = [];
  readonly parts: InboundPart[] = [];
  readonly late: { messageId: number; outcome: SubmitOutcome }[] = [];
  commit: () => Promise<void> = () => Promise.resolve();

  receipt(receipt: Receipt): Promise<void> {
    this.receipts.push(receipt);
    return this.commit();
  }

  inbound(part: InboundPart): Promise<void> {
    this.parts.push(part);
    return this.commit();
  }

  lateAnswer(messageId: number, outcome: SubmitOutcome): void {
    this.late.push({ messageId, outcome });
  }

  healthChanged(): void {}
}

/** Advances the clock, with time for the sockets, until `holds` returns true. */
export async function passTimeUntil(
  clock: ManualClock,
  holds: () => boolean,
  withinMs: number,
  stepMs = 500,
): Promise<void> {
  for (let passedMs = 0; !holds(); passedMs += stepMs) {
    if (passedMs > withinMs) throw new Error(`Not within ${withinMs} ms: ${holds}`);
    await clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await settleLoop();
  }
}

export interface Route {
  provider: Provider;
  events: RecordedEvents;
  clock: ManualClock;
}

/** A started provider, bound to the SMSC unless `waits` is false. */
export async function routeTo(
  smsc: { port: number },
  set: Readonly<Record<string, unknown>> = {},
  { waits = true, trace, storage = emptyStorage }: { waits?: boolean; trace?: RouteTrace; storage?: RouteStorage } = {},
): Promise<Route> {
  const clock = new ManualClock();
  const events = new RecordedEvents();
  const provider = new SmppProvider(optionsFor(smsc, set), events, {
    clock,
    random: fixedRandom,
    log: silentLog,
    storage,
    ...(trace === undefined ? {} : { trace }),
  });
  provider.start();
  if (waits) await until(() => provider.health().links.every(({ state }) => state === "bound"));
  return { provider, events, clock };
}
