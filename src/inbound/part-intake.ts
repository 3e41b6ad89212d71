/**
 * Stores the parts that carriers deliver: drops repeats, keeps parts until all have arrived, and gives complete
 * messages to their account.
 */
import type { TrackingCodes } from "../domain/tracking-code.ts";
import type { InboundPart } from "../providers/provider.ts";
import type { AssemblyRow } from "../store/inbound-parts.ts";
import type { Store, Tables } from "../store/store.ts";
import { type Arrival, arrivalOf, type Fingerprint } from "./arrival.ts";
import { joinParts } from "./join-parts.ts";
import type { SteadyTime } from "./steady-time.ts";

/** What happened to a part. */
export type IntakeResult =
  | { kind: "repeat" }
  /** It is kept until the other parts arrive. `ended`: an older message of the phone that made room for it. */
  | { kind: "part"; trackingCode: string; ended: IntakeResult | null }
  /** The message is complete. `waits`: it has a line, but earlier messages of that line come first. */
  | { kind: "message"; trackingCode: string; receiver: string; waits: boolean };

export interface PartIntakeDeps {
  store: Store;
  clock: { now(): number };
  steady: SteadyTime;
  trackingCodes: TrackingCodes;
  region: string;
  reassemblyTimeoutMs: number;
}

/**
 * Long messages from one phone to one line that may lack parts at once. One more ends the wait of the oldest, as its
 * timeout would.
 */
export const incompleteOfPhoneMax = 100;

/** Far longer than a carrier repeats unacknowledged parts. */
const providerIdsRememberedMs = 3 * 24 * 3_600_000;

export function partIntake(deps: PartIntakeDeps) {
  const { store, clock, steady, trackingCodes, region, reassemblyTimeoutMs } = deps;

  function rememberedUntil(by: Fingerprint["by"], now: number): number {
    // A sender may reuse the same reference indefinitely: after this time the same part is a new message.
    return now + (by === "id" ? providerIdsRememberedMs : reassemblyTimeoutMs);
  }

  function take(tables: Tables, arrival: Arrival, trackingCode: string): IntakeResult {
    const now = steady();
    const repeats = tables.inboundRepeats;
    if (arrival.fingerprints.some(({ digest }) => repeats.isKnown(digest, now))) return { kind: "repeat" };
    for (const { by, digest } of arrival.fingerprints) repeats.remember(digest, rememberedUntil(by, now));
    if (arrival.position !== null) return takePart(tables, arrival, arrival.position, trackingCode);
    const whole = { ...arrival, ...joinParts([arrival]), trackingCode, partCount: 1, partsReceived: 1 };
    return keep(tables, whole, clock.now());
  }

  function takePart(
    tables: Tables,
    arrival: Arrival,
    { key, number }: NonNullable<Arrival["position"]>,
    trackingCode: string,
  ): IntakeResult {
    const parts = tables.inboundParts;
    const known = parts.lacking(key, number);
    const assembly = known ?? parts.open({ ...key, trackingCode, receivedAt: arrival.receivedAt, openedAt: steady() });
    parts.add(assembly.id, { number, content: arrival.content, isBinary: arrival.isBinary });
    if (parts.countOf(assembly.id) === key.partCount) return assemble(tables, assembly, clock.now());
    const excess = known === null ? parts.excessOfPhone(key, incompleteOfPhoneMax) : null;
    const ended = excess === null ? null : assemble(tables, excess, clock.now());
    return { kind: "part", trackingCode: assembly.trackingCode, ended };
  }

  return {
    /** Resolves when the part is on disk. If it rejects with StoreUnavailable, the part must not be acknowledged. */
    take(routeId: number, part: InboundPart): Promise<IntakeResult> {
      const arrival = arrivalOf(routeId, part, region);
      const trackingCode = trackingCodes.next();
      return store.write((tables) => take(tables, arrival, trackingCode));
    },
  };
}

/** Makes a message from the parts received so far. */
export function assemble(tables: Tables, assembly: AssemblyRow, now: number): IntakeResult {
  const stored = tables.inboundParts.partsOf(assembly.id);
  tables.inboundParts.close(assembly.id);
  return keep(tables, { ...assembly, ...joinParts(stored), partsReceived: stored.length }, now);
}

function keep(tables: Tables, message: Parameters<Tables["inbound"]["insert"]>[0], now: number): IntakeResult {
  const { receiver, trackingCode } = message;
  const line = tables.lines.byNumber(receiver);
  const waits = line !== null && tables.inbound.unmapped(receiver, 1).length > 0;
  const id = tables.inbound.insert(message);
  if (line !== null && !waits) tables.inbound.makeAvailable(id, line.accountId, now);
  return { kind: "message", trackingCode, receiver, waits };
}
