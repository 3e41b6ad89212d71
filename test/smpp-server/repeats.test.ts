/** A submit that is repeated with its key gets the first id, whatever has changed since. */
import { afterEach, expect, test } from "bun:test";
import { absoluteTime } from "../../src/domain/smpp-time.ts";
import { runCli } from "../support/cli.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const keyOf = (letter: string) => Buffer.concat([Buffer.from([0x15, 0x00, 0, 1]), Buffer.from(letter)]);

async function peyk(...argv: string[]): Promise<void> {
  const { code, err } = await runCli([...argv, "--data-dir", server.folder]);
  if (code !== 0) throw new Error(err);
}

test("a message whose times have passed, or whose sender was deactivated since, is known by its key", async () => {
  server = await CustomerServer.start([{ options: { repeats: 0x1500 } }]);
  const customer = await server.bound("transmitter");
  const end = Date.now() + 2_500;
  const over = { validity_period: absoluteTime(end) };
  const id = await customer.submitWithTlv(over, keyOf("a"));
  await eventually(() => Date.now() > end);
  expect(await customer.submitWithTlv(over, keyOf("a"))).toBe(id);
  await expect(customer.submitWithTlv(over, keyOf("b"))).rejects.toThrow("refused: 0x62");
  await peyk("sender", "deactivate", "--account", "acc_1", "--sender", "30001234");
  expect(await customer.submitWithTlv(over, keyOf("a"))).toBe(id);
  await expect(customer.submitWithTlv({}, keyOf("b"))).rejects.toThrow("refused: 0xa");
  expect(rowsIn(server.folder, "SELECT 1 FROM message")).toHaveLength(1);
});
