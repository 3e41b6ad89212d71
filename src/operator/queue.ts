/** Releases messages held since a copy was restored. */

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
