/** Responses that are built to take long: none of them blocks the event loop. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createCleanUp } from "../support/callbacks.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { okResponse } from "../support/tls-receiver.ts";
import { transportFixtures } from "../support/transport.ts";

const cleanUp = createCleanUp();
afterAll(() => cleanUp.run());
const { startAnswering, postOnce } = transportFixtures(cleanUp);

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

describe("no hostile response blocks the event loop", () => {
  // The first post reads the system's authorities, which takes 20 ms.
  beforeAll(async () => expect(await postOnce((await startAnswering(okResponse)).port)).toBe("200 ok"));

  for (const [what, [text, expected]] of Object.entries(hostile)) {
    test(what, async () => {
      const { port } = await startAnswering(text);
      await expectNoHold(async () => expect(await postOnce(port)).toBe(expected));
    });
  }
});
