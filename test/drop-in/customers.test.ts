/** What the log says of requests whose sender is unknown. */
import { expect, test } from "bun:test";
import pino from "pino";
import { DropInCustomers } from "../../src/drop-in/customers.ts";
import { CredentialUses } from "../../src/messaging/directory/credential-uses.ts";
import { RefusedRequests } from "../../src/messaging/refusals/refused-requests.ts";
import { ManualClock } from "../support/manual-clock.ts";

test("unread requests are logged once a minute per network and route, however many addresses the network has", async () => {
  const lines: string[] = [];
  const clock = new ManualClock();
  const customers = new DropInCustomers({
    gate: { open: () => ({ refused: "wrong" }), openBy: () => ({ refused: "wrong" }) },
    uses: new CredentialUses(),
    refusedRequests: new RefusedRequests(clock),
    clock,
    log: pino({}, { write: (line: string) => lines.push(line) }),
  });
  for (let host = 1; host < 200; host += 1) customers.unread("kannel sendsms", { address: `2001:db8:1::${host}` });
  expect(lines.length).toBe(1);
  customers.unread("jasmin send", { address: "2001:db8:1::1" });
  customers.unread("kannel sendsms", { address: "2001:db8:2::1" });
  expect(lines.length).toBe(3);
  await clock.advance(60_000);
  customers.unread("kannel sendsms", { address: "2001:db8:1::1" });
  expect(lines.length).toBe(4);
});
