/** Whatever customers and strangers send, as much and as fast as they can, does not block the event loop. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { CustomerServer } from "../support/customer-server.ts";
import { expectNoHold } from "../support/longest-turn.ts";

let server: CustomerServer;
beforeEach(async () => {
  server = await CustomerServer.start([
    {},
    { systemId: "flood", sender: "30005678", options: { window: 10, binds: 10 } },
  ]);
});
afterEach(() => server.stop());

const hostile = join(import.meta.dir, "../support/hostile-customers.ts");

test.each([
  "queries",
  "wrong numbers",
  "more than the window",
  "more than a text",
  "thousands of parameters",
  "questions whether it is there",
  "answers to nothing",
  "commands that are none",
  "wrong passwords",
  "requests before the bind",
  "lengths that lie",
  "half a PDU",
  "single octets",
])(
  "%s from a hostile client: the event loop is not blocked",
  async (what) => {
    const customer = await server.bound();
    await expectNoHold(
      async () => {
        const attack = Bun.spawn([process.execPath, hostile, String(server.port), what], { stdout: "pipe" });
        expect(JSON.parse(await new Response(attack.stdout).text())).toMatchObject({ answers: expect.any(Number) });
        expect((await customer.submit()).status).toBe(0);
      },
      { what },
    );
  },
  180_000,
);
