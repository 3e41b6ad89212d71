/** How long a connection to the console may be silent: as long as an answer is made or streamed. */
import { expect, test } from "bun:test";
import { listenForConsole } from "../../src/console/server/listener.ts";
import { rawConnection } from "../support/raw-http.ts";

const idleSeconds = 1;

test("a slow answer is sent whole, and a connection that is silent afterwards is closed", async () => {
  const listener = listenForConsole(
    async (_, { mayBeSilent }) => {
      mayBeSilent();
      // Bun looks for silent connections every four seconds.
      await Bun.sleep(6_000);
      return new Response("slow answer");
    },
    { hostname: "127.0.0.1", port: 0, tls: null, setting: "--console-listen", idleSeconds },
  );
  const connection = await rawConnection(Number(new URL(listener.url).port));
  connection.write("GET / HTTP/1.1\r\nHost: console\r\n\r\n");
  while (!connection.received().includes("slow answer")) {
    expect(connection.isClosed()).toBe(false);
    await Bun.sleep(50);
  }
  while (!connection.isClosed()) await Bun.sleep(50);
  await listener.stop();
}, 40_000);
