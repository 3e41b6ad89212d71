/** `peyk simulator …`: what the simulator's phones received. */

import type { PhoneTextAnswer } from "../operator/simulator.ts";
import { calls, noun, typed } from "./declared.ts";
import { shortTime, tableOf } from "./text.ts";

function inboxText(texts: readonly PhoneTextAnswer[], recipient: string | undefined): string {
  const who = recipient === undefined ? "The simulated phones have" : `The simulated phone ${recipient} has`;
  const table = tableOf<PhoneTextAnswer>(`${who} received nothing since the start.`, {
    RECEIVED: ({ receivedAt }) => shortTime(receivedAt),
    PHONE: "recipient",
    SENDER: "sender",
    TEXT: "message",
  });
  return table(texts);
}

export const simulatorCommand = noun("simulator", "the simulated carrier and its phones", {
  inbox: calls({
    does: "show what the simulated phones received, newest first, one-time passwords too; the newest 200 since the start",
    examples: ["peyk simulator inbox", "peyk simulator inbox --recipient 09121234567"],
    options: { recipient: typed("recipient <number>", "only this phone, in any common spelling") },
    call: (api, given) => api("GET /simulator/inbox", given),
    text: (texts, { recipient }) => inboxText(texts, recipient),
  }),
});
