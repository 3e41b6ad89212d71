/** The simulator's answers by the recipient's last two digits. */
import { expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { SimulatorProvider } from "../../src/providers/simulator.ts";
import { ManualClock } from "../support/manual-clock.ts";

test("a throttled message sent again early waits for whole milliseconds, as the store keeps them", async () => {
  const clock = new ManualClock();
  const events = {
    receipt: async () => {},
    inbound: async () => {},
    lateAnswer: () => {},
    healthChanged: () => {},
  };
  const simulator = new SimulatorProvider({ delayMs: 0, partsPerSecond: null, window: 10 }, events, { clock });
  simulator.start();
  const submission = { messageId: 1, accountId: 1, trackingCode: "A", sender: "30001", recipient: "+989121234505" };
  const text = {
    text: "x",
    encoding: "Latin",
    partCount: 1,
    class: messageClasses.single,
    validUntil: clock.now(),
    attempt: 1,
  } as const;
  const waits: number[] = [];
  for (const advanceMs of [0, 0.4]) {
    await clock.advance(advanceMs);
    const outcome = simulator.submit({ ...submission, ...text });
    await clock.advance(0);
    const answered = await outcome;
    if (answered.kind === "throttled") waits.push(answered.retryAfterMs);
  }
  expect(waits).toEqual([3_000, 3_000]);
});
