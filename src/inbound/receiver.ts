/** Takes what carriers hand in: repeats fall away, parts wait for each other, whole messages go to their account. */
import type { TrackingCodes } from "../domain/tracking-code.ts";
import type { InboundPart } from "../providers/provider.ts";
import type { AssemblyRow } from "../store/inbound-parts.ts";
import type { Store, Tables } from "../store/store.ts";
import { type Arrival, arrivalOf } from "./arrival.ts";
import { joinParts } from "./join-parts.ts";
import type { SteadyTime } from "./steady-time.ts";

/** What became of a part. */
export type Taken =
  | { kind: "repeat" }
  /** Kept until the others have come. */
  | { kind: "part"; trackingCode: string }
  /** A message is whole. `waits`: it has a line, but messages from before that line come first. */
  | { kind: "message"; trackingCode: string; receiver: string; waits: boolean };

export interface ReceiverDeps {
  store: Store;
  clock: { now(): number };
  steady: SteadyTime;
  trackingCodes: TrackingCodes;
  region: string;
  reassemblyTimeoutMs: number;
}

/** Far beyond the time in which a carrier repeats what was not acknowledged. */
const providerIdsRememberedMs = 3 * 24 * 3_600_000;

export type Receiver = ReturnType<typeof receiver>;

export function receiver({ store, clock, steady, trackingCodes, region, reassemblyTimeoutMs }: ReceiverDeps) {
  function rememberedUntil(by: "id" | "place", now: number): number {
    // A sender may use one reference for ever: later than this, the same part again is a new message.
    return now + (by === "id" ? providerIdsRememberedMs : reassemblyTimeoutMs);
  }

  function take(tables: Tables, arrival: Arrival, trackingCode: string): Taken {
    const now = steady();
    const parts = tables.inboundParts;
    if (arrival.fingerprints.some(({ digest }) => parts.isKnown(digest, now))) return { kind: "repeat" };
    for (const { by, digest } of arrival.fingerprints) parts.remember(digest, rememberedUntil(by, now));
    if (arrival.place !== null) return takePart(tables, arrival, arrival.place, trackingCode);
    const whole = { ...arrival, ...joinParts([arrival]), trackingCode, partCount: 1, partsReceived: 1 };
    return keep(tables, whole, clock.now());
  }

  function takePart(
    tables: Tables,
    arrival: Arrival,
    { key, number }: NonNullable<Arrival["place"]>,
    trackingCode: string,
  ): Taken {
    const parts = tables.inboundParts;
    const assembly =
      parts.roomFor(key, number) ??
      parts.open({ ...key, trackingCode, receivedAt: arrival.receivedAt, openedAt: steady() });
    parts.add(assembly.id, { number, content: arrival.content, isBinary: arrival.isBinary });
    if (parts.countOf(assembly.id) < key.partCount) return { kind: "part", trackingCode: assembly.trackingCode };
    return assemble(tables, assembly, clock.now());
  }

  return {
    /** Resolves when the part is on disk. Rejects with StoreUnavailable: then it must not be acknowledged. */
    take(routeId: number, part: InboundPart): Promise<Taken> {
      const arrival = arrivalOf(routeId, part, region);
      const trackingCode = trackingCodes.next();
      return store.write((tables) => take(tables, arrival, trackingCode));
    },
  };
}

/** Makes a message of the parts that have come, all of them or not. */
export function assemble(tables: Tables, assembly: AssemblyRow, now: number): Taken {
  const stored = tables.inboundParts.partsOf(assembly.id);
  tables.inboundParts.close(assembly.id);
  return keep(tables, { ...assembly, ...joinParts(stored), partsReceived: stored.length }, now);
}

function keep(tables: Tables, message: Parameters<Tables["inbound"]["insert"]>[0], now: number): Taken {
  const { receiver, trackingCode } = message;
  const line = tables.lines.byNumber(receiver);
  const waits = line !== null && tables.inbound.unmapped(receiver, 1).length > 0;
  const id = tables.inbound.insert(message);
  if (line !== null && !waits) tables.inbound.makeAvailable(id, line.accountId, now);
  return { kind: "message", trackingCode, receiver, waits };
}
