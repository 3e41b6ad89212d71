/** The room of what comes in: carriers hand parts in on one side, accounts and the operator read messages on the other. */
import type { TrackingCodes } from "../domain/tracking-code.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { InboundPart, ProviderEvents } from "../providers/provider.ts";
import type { Store } from "../store/store.ts";
import { inboundService } from "./inbound-service.ts";
import { inbox } from "./inbox.ts";
import { lineService } from "./line-service.ts";
import { overdue } from "./overdue.ts";
import { receiver, type Taken } from "./receiver.ts";
import { forgetOldInbound } from "./retention.ts";
import { type SimulatedText, simulatedParts } from "./simulate.ts";
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

export function openInbound(house: InboundDeps) {
  const { store, clock, random, settings } = house;
  const steady = steadyTime(clock);
  const shared = {
    ...house,
    steady,
    region: settings.defaultRegion,
    reassemblyTimeoutMs: settings.reassemblyTimeoutMs,
  };
  const desk = lineService(shared);

  function settled(taken: Taken): void {
    if (taken.kind === "message" && taken.waits) desk.wake(taken.receiver);
  }
  const waiting = overdue({ ...shared, assembled: settled });
  const intake = receiver(shared);

  async function take(routeId: number, part: InboundPart): Promise<Taken> {
    const taken = await intake.take(routeId, part);
    settled(taken);
    if (taken.kind === "part") waiting.wake();
    return taken;
  }

  return {
    /** The only way in, for every kind of carrier. Resolves when the part is on disk; rejects with StoreUnavailable. */
    take,

    /** What a provider of this route tells. */
    events: (routeId: number): Pick<ProviderEvents, "inbound"> => ({
      inbound: async (part) => void (await take(routeId, part)),
    }),

    /** As if a phone had sent it through this route. Resolves with the tracking code once it is on disk. */
    async simulate(routeId: number, text: SimulatedText): Promise<string> {
      let trackingCode = "";
      for (const part of simulatedParts(text, clock.now(), random)) {
        const taken = await take(routeId, part);
        if (taken.kind !== "repeat") trackingCode = taken.trackingCode;
      }
      return trackingCode;
    },

    inbox: inbox(store, clock),
    lines: desk,
    desk: inboundService(store, clock),

    /** One run of retention; the appliance says when. Resolves with how many messages went. */
    forgetOld: () => forgetOldInbound(store, clock.now(), steady(), settings.retentionDays),

    /** Takes up what a stop or a crash left: messages that wait for their line, parts whose time is over. */
    async start(): Promise<void> {
      desk.start();
      await waiting.start();
    },

    async stop(): Promise<void> {
      await waiting.stop();
      await desk.settled();
    },
  };
}
