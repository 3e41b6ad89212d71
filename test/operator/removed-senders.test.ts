/** Messages that wait for a removed sender keep their way: no plan or route is taken from them, and none goes to the simulator. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
  for (const name of ["carrier", "other"]) await peyk("route", "add", name, "--kind", "simulator");
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli([...argv, "--data-dir", server.folder]);
const sender = (verb: string, ...argv: string[]) =>
  peyk("sender", verb, "--account", "acc_1", "--sender", "30001", ...argv);
const cancel = () => peyk("message", "cancel", "--sender", "30001");
const waits =
  "Messages of removed senders wait for it: 30001. Cancel those that no carrier was given (peyk message cancel), or";

test("a route stays while messages of a removed sender wait for it", async () => {
  await sender("add", "--route", "carrier");
  await server.storeMessage({ trackingCode: "A" });
  await sender("remove");
  expect((await peyk("route", "remove", "other")).code).toBe(0);
  const refused = await peyk("route", "remove", "carrier");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(waits)]);
  await cancel();
  expect((await peyk("route", "remove", "carrier")).code).toBe(0);
});

test("a plan stays while messages of a removed sender wait for it", async () => {
  await peyk("plan", "create", "iran");
  await peyk("plan", "rule", "add", "iran", "--target", "carrier");
  await sender("add");
  await peyk("plan", "use", "iran", "--account", "acc_1", "--sender", "30001");
  await server.storeMessage({ trackingCode: "A", sendAt: server.clock.now() + 3_600_000 });
  await sender("remove");
  expect((await peyk("plan", "remove", "iran")).err).toContain(waits);
  await cancel();
  expect((await peyk("plan", "remove", "iran")).code).toBe(0);
});

test("a sender that is added again names its routes while messages from before wait", async () => {
  await sender("add", "--route", "carrier");
  await server.storeMessage({ trackingCode: "A" });
  await sender("remove");
  const refused = await sender("add");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("must not go to the simulator")]);
  expect((await sender("add", "--route", "other")).code).toBe(0);
  await sender("remove");
  await cancel();
  expect((await sender("add")).code).toBe(0);
});
