/** Releases what waits since a copy was restored. */

import { isoTime } from "../platform/clock.ts";
import type { OperatorDeps } from "./deps.ts";
import { changes } from "./operation.ts";

export const queueAdmin = {
  "POST /queue/release": changes({
    may: "system.change",
    scope: "none",
    input: {},
    run: async ({ sending, lanes }) => {
      const messages = lanes().reduce((sum, depth) => sum + depth.waiting, 0);
      const callbacks = sending.countCallbacks();
      return { released: await sending.release(), messages, callbacks };
    },
    audit: { action: "queue.release", target: () => "queue", told: (_, answer) => answer },
  }),
};

/** The warning of the status; none where nothing is held. */
export function heldWarning({ sending }: Pick<OperatorDeps, "sending">): string[] {
  const since = sending.heldSince();
  if (since === null) return [];
  return [
    `NOTHING IS SENT: a copy was restored at ${isoTime(since)}. What waits may have been sent since the copy was made. ` +
      "Look: peyk message search --status queued. Then: peyk queue release",
  ];
}
