/** Inbound messages: carriers deliver parts, and accounts and the operator read messages. */

import { measureText, splitText } from "../domain/text.ts";
import type { TrackingCodes } from "../domain/tracking-code.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { InboundPart, ProviderEvents } from "../providers/provider.ts";
import type { Store } from "../store/store.ts";
import { inboundService } from "./inbound-service.ts";
import { inbox } from "./inbox.ts";
import { LineService } from "./line-service.ts";
import { overdueParts } from "./overdue-parts.ts";
import { type IntakeResult, partIntake } from "./part-intake.ts";
import { steadyTime } from "./steady-time.ts";

export interface InboundDeps {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  trackingCodes: TrackingCodes;
  settings: { defaultRegion: string; reassemblyTimeoutMs: number; retentionDays: number };
}

export type Inbound = ReturnType<typeof openInbound>;

export function openInbound(deps: InboundDeps) {
  const { store, clock, random, settings } = deps;
  const steady = steadyTime(clock);
  const shared = {
    ...deps,
    steady,
    region: settings.defaultRegion,
    reassemblyTimeoutMs: settings.reassemblyTimeoutMs,
  };
  const lines = new LineService(shared);
  const intake = partIntake(shared);

  function wakeLine(result: IntakeResult): void {
    if (result.kind === "message" && result.waits) lines.wake(result.receiver);
    else if (result.kind === "part" && result.ended !== null) wakeLine(result.ended);
  }
  const overdue = overdueParts({ ...shared, assembled: wakeLine });

  async function take(routeId: number, part: InboundPart): Promise<IntakeResult> {
    const result = await intake.take(routeId, part);
    wakeLine(result);
    if (result.kind === "part") overdue.wake();
    return result;
  }

  return {
    /** Takes a part from any carrier. Resolves when it is on disk; rejects with StoreUnavailable. */
    take,

    /** Takes the events of a route's provider. */
    events: (routeId: number): Pick<ProviderEvents, "inbound"> => ({
      inbound: async (part) => void (await take(routeId, part)),
    }),

    /**
     * Takes a text as if a phone had sent it through this route. Resolves with the tracking code once it is on disk.
     */
    async simulate(routeId: number, text: SimulatedText): Promise<string> {
      let trackingCode = "";
      for (const part of simulatedParts(text, clock.now(), random)) {
        const result = await take(routeId, part);
        if (result.kind !== "repeat") trackingCode = result.trackingCode;
      }
      return trackingCode;
    },

    inbox: inbox(store, clock),
    lines,
    messages: inboundService(store, clock),

    /** Runs retention once. Resolves with the number of messages deleted. */
    forgetOld: () => forgetOldInbound(store, clock.now(), steady(), settings.retentionDays),

    /** Resumes what a stop or a crash interrupted: messages waiting for their line, and overdue parts. */
    async start(): Promise<void> {
      lines.start();
      await overdue.start();
    },

    async stop(): Promise<void> {
      await overdue.stop();
      await lines.settled();
    },
  };
}

const dayMs = 24 * 3_600_000;
/** Rows per transaction: a few milliseconds. */
const sliceRows = 200;

/** `steadyNow`: the steady time, by which fingerprints expire. Returns the number of messages deleted. */
export async function forgetOldInbound(
  store: Store,
  now: number,
  steadyNow: number,
  retentionDays: number,
): Promise<number> {
  const before = now - retentionDays * dayMs;
  let removed = 0;
  for (let afterId: number | null = 0; afterId !== null; ) {
    const from: number = afterId;
    const slice = await store.write((tables) => tables.inbound.prune(from, before, sliceRows));
    removed += slice.removed;
    afterId = slice.nextId;
  }
  while ((await store.write((tables) => tables.inboundRepeats.prune(steadyNow, sliceRows))) === sliceRows);
  if (removed > 0) await store.write((tables) => tables.retention.giveBackPages());
  return removed;
}

export interface SimulatedText {
  sender: string;
  receiver: string;
  text: string;
}

export function simulatedParts({ sender, receiver, text }: SimulatedText, now: number, random: Random): InboundPart[] {
  const texts = splitText(text, measureText(text));
  const reference = Buffer.from(random.bytes(2)).readUInt16BE();
  return texts.map((part, index) => ({
    sender,
    receiver,
    text: part,
    ...(texts.length > 1 ? { concat: { reference, part: index + 1, parts: texts.length } } : {}),
    receivedAt: now,
  }));
}
