/** The frequent copies that following nodes of a cluster make, so that the leading one need not read its database for them. */
import type { ClusterFacts } from "./condition.ts";

/** A node that was silent for longer may be gone, and its copies with it. */
const unheardMsMax = 60_000;

export interface FollowerCopies {
  /** When the newest was made, epoch milliseconds; null if there is none. */
  copiedAt: number | null;
  /** When the newest that was brought elsewhere was made. */
  shippedAt: number | null;
}

export function followerCopies(facts: Pick<ClusterFacts, "followers"> | null, now: number): FollowerCopies {
  const heard = (facts?.followers ?? []).filter(({ unheardMs }) => unheardMs < unheardMsMax);
  const newest = (ages: readonly (number | null)[]) => {
    const known = ages.filter((age) => age !== null);
    return known.length === 0 ? null : now - Math.min(...known);
  };
  return {
    copiedAt: newest(heard.map(({ copiedMsAgo }) => copiedMsAgo)),
    shippedAt: newest(heard.map(({ shippedMsAgo }) => shippedMsAgo)),
  };
}

/** The later of two moments, either of which may be unknown. */
export const laterOf = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
