/** A test server over real SMPP sessions: the effect of a carrier's behaviour on the messages in the store. */

import { describeReason } from "../../src/domain/reason.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Random } from "../../src/platform/random.ts";
import { parseSmppOptions } from "../../src/providers/smpp/options.ts";
import { SmppProvider } from "../../src/providers/smpp/smpp-provider.ts";
import { settleLoop } from "./manual-clock.ts";
import { createTestServer, type TestServer } from "./test-server.ts";

const evenRandom: Random = {
  bytes: (count) => new Uint8Array(count),
  uuid: () => "00000000-0000-4000-8000-000000000000",
  fraction: () => 0.5,
};

export interface SmppServer extends TestServer {
  /**
   * Advances the clock by a tenth of a second at a time, with room for the sockets, until `holds` returns true. Limit
   * in milliseconds of the clock.
   */
  passUntil(holds: () => boolean, withinMs: number): Promise<void>;
  /** The route's only link, as an operator sees it. */
  link(): { state: string; lastError: string | null };
  /** Kinds and reasons in a message's timeline, one line each. */
  timelineOf(trackingCode: string): string[];
}

export async function createSmppServer(
  smsc: { port: number },
  file: Readonly<Record<string, unknown>> = {},
  onUncertain: "resend" | "fail" = "resend",
): Promise<SmppServer> {
  const server = await createTestServer({
    routes: [{ onUncertain }],
    build: (_, events, clock) => {
      const parsed = parseSmppOptions({
        host: "127.0.0.1",
        port: smsc.port,
        systemId: "peyk",
        password: "secret",
        onUncertain,
        ...file,
      });
      if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
      const storage = { cursor: () => null, setCursor: () => Promise.resolve() };
      return new SmppProvider(parsed.options, events, { clock, random: evenRandom, log: silentLog, storage });
    },
  });
  await server.start();

  return {
    ...server,
    async passUntil(holds, withinMs) {
      for (let passedMs = 0; !holds(); passedMs += 100) {
        if (passedMs > withinMs) throw new Error(`Not within ${withinMs} ms: ${holds}`);
        await settleLoop(30);
        await server.clock.advance(100);
      }
    },
    link() {
      const [link] = server.routes.get(1)?.provider.health().links ?? [];
      if (link === undefined) throw new Error("The route has no link");
      return link;
    },
    timelineOf(trackingCode) {
      const id = server.store.tables.messages.byCodeAnywhere(trackingCode)?.id ?? 0;
      return server.store.tables.timeline.ofMessage(id).map(({ kind, reason }) => `${kind}: ${describeReason(reason)}`);
    },
  };
}
