/** A customer's queries to the operator API do not block the event loop, however much other accounts have. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { expectNoHold } from "../support/longest-turn.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeAll(async () => {
  server = await createOperatorServer();
  for (const name of ["Clinic", "Bank"]) await server.call("POST", "/accounts", { name });
});
afterAll(() => server.close());

const customer = { actor: "clinic", origin: "console 127.0.0.1", role: "customer", accountId: 1, userId: 1 } as const;

/** As the customer of account 1. */
const ask = (path: string) => server.askAs(customer, "GET", path);

test("a webhook is shown without reading those of all other accounts", async () => {
  const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  await server.store.write(({ webhooks }) => {
    for (let number = 1; number <= 10_000; number += 1) {
      webhooks.insert({
        publicId: idOf(number),
        accountId: number === 1 ? 1 : 2,
        url: "https://hooks.example.com/",
        events: ["message.status"],
        active: true,
        sealedSecret: new Uint8Array(60),
        createdAt: 1,
        updatedAt: 1,
      });
    }
  });
  const paths: [path: string, status: number][] = [
    [`/webhooks/${idOf(1)}/deliveries`, 200],
    [`/webhooks/${idOf(2)}/deliveries`, 404],
    ["/webhooks/none/deliveries", 404],
  ];
  for (const [path, status] of paths) {
    // Reading every webhook took 350 ms, and blocked the whole service on each of a customer's pages of callbacks.
    await expectNoHold(async () => expect((await ask(path)).status).toBe(status));
  }
  expect(await ask(`/webhooks/${idOf(1)}`)).toMatchObject({ status: 200, body: { id: idOf(1), waiting: 0 } });
  expect((await ask(`/webhooks/${idOf(2)}`)).status).toBe(404);
});
