/** A token's right, and changes that wait, as the code for users' programs takes them. */
import { PendingChanges } from "../../src/agents/pending-changes.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { TokenRight } from "../../src/users/user-token-service.ts";

export const createPendingChanges = (clock: Pick<Clock, "now">) => new PendingChanges({ clock, random: systemRandom });

export const rightOf = (): TokenRight => ({
  role: "owner",
  token: {
    id: 1,
    userId: 1,
    name: "agent",
    tokenHash: Buffer.alloc(32),
    role: "owner",
    expiresAt: Number.MAX_SAFE_INTEGER,
    allowFrom: [],
    operations: [],
    freed: [],
    readsTexts: false,
    createdAt: 0,
    seenAt: null,
  },
  user: {
    id: 1,
    name: "owner",
    role: "owner",
    accountId: null,
    passwordHash: null,
    sealedFactor: null,
    factorStep: 0,
    disabledAt: null,
    createdAt: 0,
    language: null,
    theme: "system",
    zone: null,
    hasShortcuts: true,
  },
});
