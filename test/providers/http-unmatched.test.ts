/** An HTTP provider whose answers match no rule of the route's file: a maintenance page, a refusal for lack of credit. */
import { afterEach, describe, expect, test } from "bun:test";
import { silentLog } from "../../src/platform/log.ts";
import { HttpProvider } from "../../src/providers/http/http-provider.ts";
import { parseHttpOptions } from "../../src/providers/http/options.ts";
import { until } from "../support/manual-clock.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";
import { fixedRandom, passTimeUntil } from "./support.ts";

const maintenance = () => new Response("<html>Back soon</html>");
const noCredit = () => Response.json({ error: "no_credit" }, { status: 400 });
const good = () => Response.json({ status: "queued", id: crypto.randomUUID() });

let provider: { url: string; answer: () => Response; texts: string[]; stop(): void };
let server: TestServer;
const logged: string[] = [];

function startProvider(answer: () => Response) {
  const texts: string[] = [];
  const listener = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      texts.push(await request.text());
      return provider.answer();
    },
  });
  provider = {
    url: `http://127.0.0.1:${listener.port}/send`,
    answer,
    texts,
    stop: () => void listener.stop(true),
  };
}

/** Peyk's queue over a route to the provider. */
async function openOver(answer: () => Response): Promise<TestServer> {
  startProvider(answer);
  const log = {
    ...silentLog,
    warn: (line: unknown) => void logged.push(String(line)),
    info: (line: unknown) => void logged.push(String(line)),
  };
  server = await createTestServer({
    build: (_, events, clock, storage) => {
      const parsed = parseHttpOptions({
        request: { url: provider.url, body: { text: "{{text}}" } },
        answer: { accepted: { json: { path: "status", equals: "queued" } }, id: { json: "id" } },
        window: 1,
        // The clock is the test's and runs ahead of a busy machine: an answer that will arrive must not count as missing.
        responseTimeoutMs: 300_000,
      });
      if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
      return new HttpProvider(parsed.options, events, { clock, random: fixedRandom, log, storage });
    },
  });
  await server.start();
  return server;
}

afterEach(async () => {
  provider.stop();
  logged.length = 0;
  await server.stop();
});

const link = () => server.routes.get(1)?.provider.health().links[0];

const passUntil = (holds: () => boolean, withinMs: number) => passTimeUntil(server.clock, holds, withinMs);

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `message ${index}` }));

async function campaign(count: number): Promise<string[]> {
  const { results } = await server.sendAll(numbered(count));
  return results.map(({ trackingCode }) => trackingCode);
}

const sentCount = (codes: readonly string[]) => codes.filter((code) => server.statusOf(code) === "sent").length;

describe.each([
  ["a maintenance page with status 200", maintenance],
  ["a refusal that the file does not know", noCredit],
])("%s", (_, strange) => {
  test("makes the route rest after several in a row, then it tries one message, and finally the campaign is sent", async () => {
    await openOver(strange);
    const codes = await campaign(20);
    await passUntil(() => link()?.state === "resting", 60_000);
    expect(provider.texts).toHaveLength(5);
    expect(server.routes.get(1)?.up).toBe(false);
    expect(link()?.lastError).toMatch(
      /answered (200|400), which no rule of the route's file matches: .*the route rests, then tries one message/,
    );
    expect(logged.join("\n")).toContain("the route rests for 5.0 s, then tries one message");

    await passUntil(() => provider.texts.length === 6, 60_000);
    await passUntil(() => link()?.state === "resting", 60_000);
    expect(provider.texts).toHaveLength(6);

    provider.answer = good;
    await passUntil(() => sentCount(codes) === codes.length, 600_000);
    expect(link()?.state).toBe("up");
    expect(logged.join("\n")).toContain("the provider answers as it should again; the route is up");
    expect(new Set(provider.texts.slice(6)).size).toBe(20);
  });
});

test("one strange answer among good ones does not make the route rest", async () => {
  let asked = 0;
  await openOver(() => (++asked % 3 === 0 ? noCredit() : good()));
  const codes = await campaign(12);
  await passUntil(() => sentCount(codes) === 12, 600_000);
  expect(logged).toEqual([]);
});

test("a single message is not sent three times in a row to a maintenance page", async () => {
  await openOver(maintenance);
  const code = await server.send();
  await until(() => link()?.lastError !== null);
  await server.clock.advance(15_000);
  expect(provider.texts).toHaveLength(1);
  provider.answer = good;
  await passUntil(() => server.statusOf(code) === "sent", 30_000);
});
