/** Customers send septets in a country's alphabet: the stored text is what they wrote. */
import { afterEach, expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { rowsIn } from "../support/peyk-process.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const texts = () =>
  rowsIn<{ text: string }>(server.folder, "SELECT text FROM message ORDER BY id").map((row) => row.text);
const septets = (header: readonly number[], body: readonly number[], coding = 0) => ({
  esm_class: 0x40,
  data_coding: coding,
  short_message: Buffer.from([header.length, ...header, ...body]),
});

test.each(["gsm7", "latin1", "ascii"] as const)(
  "locking and single shift tables are applied, with %s as the default",
  async (charset) => {
    server = await CustomerServer.start([{ options: { charset } }]);
    const customer = await server.bound();
    await customer.submitted(septets([0x25, 1, 1], [0x1d, 0x07, 0x72]));
    await customer.submitted(septets([0x24, 1, 1], [0x1b, 0x73, 0x1b, 0x69, 0x72]));
    await customer.submitted(septets([0x24, 1, 13, 0x25, 1, 13], [0x4d, 0x00, 0x4e, 0x20, 0x1b, 0x1c], 0xf1));
    expect(texts()).toEqual(["şır", "şır", "لام ۰"]);
  },
);

test("each segment is read with the tables of its own header", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  const place = (part: number) => [0, 3, 9, 2, part];
  await customer.submitted(septets([...place(2), 0x25, 1, 3], [0x7b, 0x6f]));
  await customer.submitted(septets([0x24, 1, 2, ...place(1)], [0x1b, 0x61, 0x6e]));
  expect(texts()).toEqual(["ánão"]);
});

test("the header does not affect texts that are not septets", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  await customer.submitted(septets([0x25, 1, 1], [0x06, 0x33], 8));
  expect(texts()).toEqual(["س"]);
});
