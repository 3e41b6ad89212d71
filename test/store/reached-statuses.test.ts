import { expect, test } from "bun:test";
import { createTestServer } from "../support/test-server.ts";

test("a new status is counted once it is on disk, once, and never if it was rolled back", async () => {
  const told: string[] = [];
  const server = await createTestServer({
    reached: (messages) => told.push(...messages.map(({ trackingCode, state }) => `${trackingCode} ${state}`)),
  });
  const later = new Date(server.clock.now() + 86_400_000);
  const [kept = "", undone = ""] = [
    await server.send({ sendAt: later.getTime() }),
    await server.send({ sendAt: later.getTime() }),
  ];
  const cancel = (code: string, failing: boolean) =>
    server.store.write((tables) => {
      const row = tables.messages.byCodeAnywhere(code);
      if (row === null) throw new Error(`No message ${code}`);
      tables.messages.move(row, { to: "cancelled", at: server.clock.now() });
      if (failing) throw new Error("undone");
    });
  const outcomes = await Promise.allSettled([cancel(undone, true), cancel(kept, false)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(told).toEqual([`${kept} cancelled`]);
  await server.stop();
});
