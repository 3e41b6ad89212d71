/** `peyk clock …`: confirms that the time is right after the clock jumped ahead. */

import { calls, noun } from "./declared.ts";

export const clockCommand = noun("clock", "the wall clock, after it jumped ahead or came back", {
  confirm: calls({
    does: "say that the time is right, so that expiry, retention, quotas and statements go by it",
    examples: ["peyk clock confirm"],
    call: (api) => api("POST /clock/confirm"),
    text: ({ now, wasInDoubt, wasBookedAhead }) => {
      if (wasInDoubt) return `${now} is taken as right. Expiry, retention, quotas and statements go on.\n`;
      if (wasBookedAhead) return `${now} is taken as right. Quotas and statements go by it again.\n`;
      return `${now} was not in doubt. Nothing has changed.\n`;
    },
  }),
});
