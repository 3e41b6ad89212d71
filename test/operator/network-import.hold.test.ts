/** Files of number ranges: as many networks as exist in the world do not block the event loop. */
import { afterEach, expect, test } from "bun:test";
import { expectNoHold } from "../support/longest-turn.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

/** Ten thousand ranges of the country code 4n, of four thousand networks. */
function fileOf(country: number): string {
  const line = (_: unknown, index: number) => `Network ${country}.${index % 4_000},+4${country}${10_000 + index}`;
  return `network,range\n${Array.from({ length: 10_000 }, line).join("\n")}\n`;
}

let server: OperatorServer | null = null;
const close = () => server?.close();
afterEach(close);

test("an import of ten thousand ranges of four thousand networks does not block the event loop", async () => {
  const importing = async (country: number) => {
    const answer = await server?.call("POST", "/networks/import", { csv: fileOf(country) });
    expect(answer?.body).toEqual({ added: 10_000, unchanged: 0 });
  };
  // Networks were looked up by name one by one: the second such file took 7 s.
  const before = async () => {
    await close();
    server = await createOperatorServer();
    await importing(0);
  };
  await expectNoHold(() => importing(1), { before });
}, 180_000);
