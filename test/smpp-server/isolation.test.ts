/** One credential's flood must not hold the event loop, nor make another's answers slow. */
import { afterEach, expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { SmppCustomer } from "../support/smpp-customer.ts";

let server: CustomerServer;
afterEach(() => server.stop());

test("a flood past the window and the rate is refused, and another credential is answered meanwhile", async () => {
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
  const flooding = (async () => {
    while (!isOver) {
      flood.socket.cork();
      const burst = Array.from({ length: 500 }, () => flood.submit({ source_addr: "30005678" }));
      flood.socket.uncork();
      for (const { status } of await Promise.all(burst)) if (status === 0x14 || status === 0x58) refused += 1;
    }
  })();
  for (let index = 0; index < 50; index += 1) expect((await customer.submit()).status).toBe(0);
  isOver = true;
  await flooding;
  expect(refused).toBeGreaterThan(400);
});
