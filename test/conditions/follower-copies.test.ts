/** Which copies on other nodes count for the leader. */
import { expect, test } from "bun:test";
import { followerCopies, laterOf } from "../../src/conditions/follower-copies.ts";

const follower = {
  node: "b",
  unheardMs: 0,
  behind: 0,
  canWrite: true,
  differs: null,
  copiedMsAgo: 300,
  shippedMsAgo: null,
};
const of = (...followers: (typeof follower)[]) => followerCopies({ followers }, 1_000);

test("the newest copy counts if its node was heard from recently", () => {
  expect(of(follower, { ...follower, node: "c", copiedMsAgo: 100 })).toEqual({ copiedAt: 900, shippedAt: null });
  expect(of({ ...follower, unheardMs: 60_000 })).toEqual({ copiedAt: null, shippedAt: null });
  expect(followerCopies(null, 1_000)).toEqual({ copiedAt: null, shippedAt: null });
});

test("the later of two moments is the known one, or the greater", () => {
  expect([laterOf(null, 1), laterOf(2, null), laterOf(2, 1), laterOf(null, null)]).toEqual([1, 2, 2, null]);
});
