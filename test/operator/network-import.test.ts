/** Files of number ranges: every error is reported with its line. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

/** Ten thousand ranges of the country code 4n, each network with some of them. */
function fileOf(country: number, networks: number): string {
  const line = (_: unknown, index: number) => `Network ${country}.${index % networks},+4${country}${10_000 + index}`;
  return `network,range\n${Array.from({ length: 10_000 }, line).join("\n")}\n`;
}

const importing = (csv: string) => server.call("POST", "/networks/import", { csv });

test("a file with too many networks is refused at the first line beyond the limit, and changes nothing", async () => {
  const before = (await server.call("GET", "/networks")).body;
  const refused = await importing(fileOf(0, 4_001));
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ problems: [{ key: "line 4002" }] });
  expect((await server.call("GET", "/networks")).body).toEqual(before);
});

test("a name that is not UTF-8 is reported by its line", async () => {
  const refused = await importing("\ufeffnetwork,range\r\nGood,+4912\r\n\ufffd\ufffd,+4913\r\n");
  expect(refused.body).toMatchObject({ problems: [{ key: "line 3", message: "the network's name was not UTF-8" }] });
});
