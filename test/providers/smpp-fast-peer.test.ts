/** The benchmarks' peer is an ordinary SMSC: Peyk understands its PDUs. */
import { expect, test } from "bun:test";
import { startFastSmsc } from "../support/fast-smsc.ts";
import { until } from "../support/manual-clock.ts";
import { message, routeTo } from "./support.ts";

test("the tests' fast SMSC accepts messages, sends receipts and unbinds", async () => {
  const smsc = await startFastSmsc({ receipts: true });
  const { provider, events } = await routeTo(smsc);
  const outcomes = await Promise.all(Array.from({ length: 30 }, () => provider.submit(message("x"))));
  expect(outcomes.at(-1)).toEqual({ kind: "accepted", partIds: ["0000001e"] });
  await until(() => smsc.receiptsAnswered === 30);
  expect(events.receipts.at(-1)).toMatchObject({ state: "delivered" });
  expect(events.receipts.at(-1)?.ids[0]).toBe("0000001e");
  expect(events.parts).toBeEmpty();
  await provider.stop(0);
  await smsc.stop();
});
