/** Very large requests are stored in slices, with which accounts take turns, however many requests each has. */
import { expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { Stager } from "../../src/messaging/messages/staging.ts";
import { silentLog } from "../../src/platform/log.ts";
import { callerAt } from "../support/caller.ts";
import { createTestServer, senderOf } from "../support/test-server.ts";

const sliceMessages = 256;

test("a request waits for one slice of another account that sends twenty, not for all twenty", async () => {
  const server = await createTestServer();
  try {
    const { store, clock, acceptor, dispatch } = server;
    const stager = new Stager({ store, clock, log: silentLog, accepted: dispatch.accepted });
    /** Slices of each account that were built, without the last message that each request begins with. */
    const slices = [0, 0, 0];
    const send = (account: number, count: number) => {
      const caller = callerAt(clock.now(), account);
      const message = { sender: senderOf(account), recipient: "+989120000010", text: "a", clientReference: null };
      const draft = { ...message, class: messageClasses.bulk, sendAt: null };
      const build = (_: number, wanted: number) => {
        if (wanted > 1) slices[account] = (slices[account] ?? 0) + 1;
        return Array.from({ length: wanted }, () => acceptor.rowOf(caller, draft));
      };
      return stager.store(count, caller, build, () => null);
    };
    const many = Array.from({ length: 20 }, () => send(1, 4 * sliceMessages));
    await send(2, 4 * sliceMessages);
    const [, ofMany = 0, ofOther = 0] = slices;
    expect(ofOther).toBe(4);
    expect(ofMany).toBeLessThanOrEqual(2 * ofOther);
    await Promise.all(many);
    await stager.stop();
  } finally {
    await server.stop();
  }
});
