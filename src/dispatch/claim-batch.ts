/** Picks: messages whose turn it is, claimed together in one transaction. */
import type { Logger } from "../platform/log.ts";
import { StoreUnavailable } from "../store/group-commit.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Store, Tables } from "../store/store.ts";
import { claim } from "./claim.ts";
import type { Lane } from "./lane.ts";
import type { LaneScheduler } from "./lane-scheduler.ts";
import type { RouteChoice, RouteSelector } from "./route-selector.ts";

/** Messages claimed in one transaction at the most: more would hold the event loop and delay the answers of others. */
const claimsMax = 256;

export interface ClaimCandidate {
  messageId: number;
  way: RouteChoice;
  lane: Lane;
  /** What the gate holds for it until its claim tells how many parts it has. */
  partsHeld: number;
}

/** Takes messages in turn as long as their routes have room. */
export function collectCandidates(lanes: LaneScheduler, ways: RouteSelector): ClaimCandidate[] {
  const picks: ClaimCandidate[] = [];
  while (picks.length < claimsMax) {
    const turn = lanes.take((lane) => ways.find(lane));
    if (turn === null) break;
    // The number of parts is known at the claim; the message before it in the lane is the best guess. Holding one place for each,
    // a campaign of long texts ran past a slow route's rate, and a one-time password behind it waited 71 ms in place of 19 (p99).
    const { lane, place, way } = turn;
    const { partsHeld } = lane;
    way.route.limiter.take(partsHeld);
    picks.push({ messageId: place.id, way, lane, partsHeld });
  }
  return picks;
}

function claimIn(tables: Tables, picks: readonly ClaimCandidate[], ways: RouteSelector): (MessageRow | null)[] {
  return picks.map(({ messageId, way }) => claim(tables, messageId, (message) => ways.contextOfTry(way, message)));
}

/**
 * Claims them all; null stands for a message that there is nothing to send of. A claim that breaks off must not hold up the
 * others of its group. Rejects with StoreUnavailable when the disk refuses.
 */
export async function claimCandidates(
  store: Store,
  picks: readonly ClaimCandidate[],
  ways: RouteSelector,
  log: Logger,
) {
  try {
    return await store.write((tables) => claimIn(tables, picks, ways));
  } catch (reason) {
    if (reason instanceof StoreUnavailable || picks.length === 1) throw reason;
    return Promise.all(picks.map((pick) => claimAlone(store, pick, ways, log)));
  }
}

function claimAlone(store: Store, pick: ClaimCandidate, ways: RouteSelector, log: Logger): Promise<MessageRow | null> {
  return store
    .write((tables) => claimIn(tables, [pick], ways)[0] ?? null)
    .catch((defect: unknown) => {
      log.error({ messageId: pick.messageId, err: defect }, "a message cannot be claimed");
      return null;
    });
}
