/** Many idle binds cost the loop nothing: they connect, stay, and disconnect all at once. */
import { afterEach, expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { eventually } from "../support/peyk-process.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const bindsEach = 100;
const crowds = Array.from({ length: 20 }, (_, index) => ({
  systemId: `idle${index}`,
  sender: String(30_005_000 + index),
  options: { binds: bindsEach },
}));

const boundNow = async () =>
  (await server.operate<{ binds: unknown[] }[]>("GET", "/credentials")).reduce(
    (sum, { binds }) => sum + binds.length,
    0,
  );

test("two thousand binds come and go at once without blocking the event loop", async () => {
  server = await CustomerServer.start([{}, ...crowds]);
  const customer = await server.bound();
  // In its own process: the work of these customers is not part of the server's turn.
  const start = () =>
    Bun.spawn(
      [
        process.execPath,
        `${import.meta.dir}/../support/idle-customers.ts`,
        String(server.port),
        String(bindsEach),
        ...crowds.map(({ systemId }) => systemId),
      ],
      { stdout: "pipe", stderr: "inherit" },
    );
  await expectNoHold(
    async () => {
      const crowd = start();
      const { value } = await crowd.stdout.getReader().read();
      expect(Buffer.from(value ?? []).toString()).toBe("2000\n");
      expect((await customer.submit()).status).toBe(0);
      // The kernel closes all of its connections together.
      crowd.kill("SIGKILL");
      await crowd.exited;
      await eventually(async () => (await boundNow()) === 1);
      expect((await customer.submit()).status).toBe(0);
    },
    { before: () => eventually(async () => (await boundNow()) === 1) },
  );
}, 180_000);
