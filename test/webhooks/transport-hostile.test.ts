/** Responses that are built to take long: none of them holds the event loop, however its bytes are cut. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ResponseReader } from "../../src/webhooks/transport/response-reader.ts";
import { createCleanUp } from "../support/callbacks.ts";
import { okResponse } from "../support/tls-receiver.ts";
import { transportFixtures } from "../support/transport.ts";

const cleanUp = createCleanUp();
afterAll(() => cleanUp.run());
const { startAnswering, postOnce } = transportFixtures(cleanUp);

const blockedMsMax = 50;

/** The task's result, and the longest time for which the event loop was held meanwhile. */
async function watchingLoop<T>(task: () => Promise<T>): Promise<{ result: T; blockedMs: number }> {
  let isRunning = true;
  let blockedMs = 0;
  let lastTurnAt = performance.now();
  const turn = () => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - lastTurnAt);
    lastTurnAt = now;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await task();
  isRunning = false;
  turn();
  return { result, blockedMs };
}

const head = (lines: string) => `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${lines}\r\n\r\nok`;
const hostile: Record<string, readonly [string, string]> = {
  "16,000 spaces inside a value": [head(`X: a${" ".repeat(16_000)}b`), "200 ok"],
  "16,000 spaces and tabs inside a value": [head(`X: a${" \t".repeat(8_000)}b`), "200 ok"],
  "16,000 spaces before a value": [head(`X:${" ".repeat(16_000)}b`), "200 ok"],
  "16,000 spaces in Connection": [head(`Connection: a,${" ".repeat(16_000)}b`), "200 ok"],
  "16,000 commas in Connection": [head(`Connection: ${",".repeat(16_000)}b`), "200 ok"],
  "16,000 spaces in Transfer-Encoding": [
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip,${" ".repeat(16_000)}chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    "200 ok",
  ],
  "16,000 spaces in Content-Length": [
    `HTTP/1.1 200 OK\r\nContent-Length: 2${" ".repeat(16_000)}2\r\n\r\nok`,
    "malformed_answer",
  ],
  "a name of 16,000 characters without a colon": [head("x".repeat(16_000)), "malformed_answer"],
  "16,000 spaces in the status line": [`HTTP/1.1 200 ${" ".repeat(16_000)}\r\nContent-Length: 2\r\n\r\nok`, "200 ok"],
  "4,000 headers": [head(Array.from({ length: 4_000 }, () => "a:").join("\r\n")), "200 ok"],
  "2,000 headers of as many names": [
    head(Array.from({ length: 2_000 }, (_, index) => `h${index}:`).join("\r\n")),
    "200 ok",
  ],
  "a head of 64 KiB": [head(`X: a${" ".repeat(65_536)}b`), "malformed_answer"],
  "64 KiB of headers": [head(Array.from({ length: 8_000 }, () => "abcde:").join("\r\n")), "malformed_answer"],
  "a thousand interim heads at once": [`${"HTTP/1.1 103\r\n\r\n".repeat(1_000)}${okResponse}`, "200 ok"],
  "64 KiB of interim heads": [`${"HTTP/1.1 103\r\n\r\n".repeat(4_096)}${okResponse}`, "malformed_answer"],
  "a megabyte of line feeds": ["\n".repeat(1_000_000), "malformed_answer"],
};

describe("no response holds the event loop", () => {
  // The first post reads the system's authorities, which takes 20 ms.
  beforeAll(async () => expect(await postOnce((await startAnswering(okResponse)).port)).toBe("200 ok"));

  for (const [what, [text, expected]] of Object.entries(hostile)) {
    test(what, async () => {
      const { port } = await startAnswering(text);
      const blockedMs: number[] = [];
      // A busy machine may pause the process at any moment, but hardly three times in a row: the shortest of three counts.
      for (const _ of [1, 2, 3]) {
        const watched = await watchingLoop(() => postOnce(port));
        expect(watched.result).toBe(expected);
        blockedMs.push(watched.blockedMs);
      }
      expect(Math.min(...blockedMs)).toBeLessThan(blockedMsMax);
    });
  }
});

describe("however its bytes are cut", () => {
  const responses = [
    okResponse,
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${okResponse}`,
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n",
    "HTTP/1.1 503 Busy\r\nRetry-After:  120 \t\r\nContent-Length: 0\r\n\r\n",
    `${okResponse}HTTP/1.1 200 OK\r\n`,
    "HTTP/1.0 200 OK\r\n\r\nuntil the end",
    "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nshort",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  ];

  function read(text: string, cuts: readonly number[]) {
    const bytes = Buffer.from(text, "latin1");
    const reader = new ResponseReader();
    const edges = [0, ...[...cuts].map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
    for (const [index, edge] of edges.entries()) reader.push(bytes.subarray(edges[index - 1] ?? 0, edge));
    reader.close();
    const { state, status, isConnectionReusable } = reader;
    const retryAfter = reader.header("retry-after");
    return { state, status, isConnectionReusable, retryAfter, body: reader.body.toString() };
  }

  test("a response reads the same", () => {
    const cuts = fc.array(fc.nat(), { maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...responses), cuts, (text, at) => expect(read(text, at)).toEqual(read(text, []))),
      { numRuns: 500 },
    );
  });
});
