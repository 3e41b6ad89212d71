/** One credential's flood must neither block the event loop nor slow down another's answers. */
import { afterEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CustomerServer } from "../support/customer-server.ts";
import { SmppCustomer } from "../support/smpp-customer.ts";

const hostile = join(import.meta.dir, "../support/hostile-customers.ts");
let server: CustomerServer;
afterEach(() => server.stop());

test("a flood beyond the window and the rate is refused, and another credential is answered meanwhile", async () => {
  server = await CustomerServer.start([
    { systemId: "flood", sender: "30005678", ratePerSecond: 10, options: { window: 10 } },
    {},
  ]);
  const [flooder, quiet] = server.customers;
  if (flooder === undefined || quiet === undefined) throw new Error("There are two customers");
  const flood = await SmppCustomer.bound(server.port, flooder);
  const customer = await SmppCustomer.bound(server.port, quiet);
  let isOver = false;
  let refused = 0;
  const many = Promise.withResolvers<void>();
  const submitted = async () => {
    const { status } = await flood.submit({ source_addr: "30005678" });
    if (status === 0x14 || status === 0x58) refused += 1;
    if (refused > 400) many.resolve();
  };
  const flooding = (async () => {
    while (!isOver) {
      flood.socket.cork();
      const burst = Array.from({ length: 500 }, submitted);
      flood.socket.uncork();
      await Promise.allSettled(burst);
    }
  })();
  for (let index = 0; index < 50; index += 1) expect((await customer.submit()).status).toBe(0);
  await many.promise;
  isOver = true;
  flood.socket.destroy();
  await flooding;
});

/** Its first number is how long this thread has run, in nanoseconds. */
const schedulerFile = "/proc/thread-self/schedstat";
const ranMs = () => Number(readFileSync(schedulerFile, "utf8").split(" ")[0]) / 1e6;

// Ten binds, each as fast as it can: their share of the thread is lost to other customers.
test.skipIf(!existsSync(schedulerFile)).each(["more than the window", "queries", "wrong numbers"])(
  "a flood of %s takes less than 10 % of the time that others could have",
  async (what) => {
    const window = { window: 1, binds: 10 };
    server = await CustomerServer.start([
      {},
      { systemId: "flood", sender: "30005678", ratePerSecond: 50, options: window },
    ]);
    const seconds = 3;
    const ranFor = async (work: () => Promise<unknown>) => {
      const before = ranMs();
      await work();
      return ranMs() - before;
    };
    const idleMs = await ranFor(() => Bun.sleep(1_000));
    const attack = [process.execPath, hostile, String(server.port), what, String(seconds * 1_000)];
    const allowedMs = seconds * 100;
    // The best of three counts: the first compiles its code, and other programs evict the processor's caches.
    let takenMs = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3 && takenMs >= allowedMs; attempt += 1) {
      const floodedMs = await ranFor(() => Bun.spawn(attack, { stdout: "ignore" }).exited);
      takenMs = Math.min(takenMs, floodedMs - idleMs * seconds);
    }
    expect(takenMs).toBeLessThan(allowedMs);
  },
);
