/** How the transport reads responses: every framing, at most 4 KiB, no redirect followed, nothing decompressed. */
import { afterAll, describe, expect, test } from "bun:test";
import { createCleanUp } from "../support/callbacks.ts";
import { until } from "../support/manual-clock.ts";
import { okResponse } from "../support/tls-receiver.ts";
import { requestTo, transportFixtures } from "../support/transport.ts";

const cleanUp = createCleanUp();
afterAll(() => cleanUp.run());
const { createTransport, startReceiver, startAnswering, postOnce } = transportFixtures(cleanUp);

describe("a callback's response", () => {
  const responses: Record<string, readonly [string, string]> = {
    "a redirect is a response like any other": [
      "HTTP/1.1 301 Moved\r\nLocation: https://10.0.0.1/\r\nContent-Length: 0\r\n\r\n",
      "301 ",
    ],
    "304 has no body, whatever it says": ["HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n", "304 "],
    "204 has no body": ["HTTP/1.1 204 No Content\r\n\r\n", "204 "],
    "410 is a response": ["HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\ngone", "410 gone"],
    "interim responses are skipped": [
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${okResponse}`,
      "200 ok",
    ],
    "chunks are put together": [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n",
      "200 abcde",
    ],
    "a switch of protocols is refused": ["HTTP/1.1 101 Switching Protocols\r\n\r\n", "malformed_answer"],
    "another protocol is refused": ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "malformed_answer"],
    "HTTP/2 is refused": ["HTTP/2 200 OK\r\n\r\n", "malformed_answer"],
    "a status outside of its range is refused": ["HTTP/1.1 999 What\r\n\r\n", "malformed_answer"],
    "two different lengths are refused": [
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
      "malformed_answer",
    ],
    "a negative length is refused": ["HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok", "malformed_answer"],
    "a chunk without a size is refused": [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "malformed_answer",
    ],
    "a head of more than 16 KiB is refused": [`HTTP/1.1 200 OK\r\nX: ${"x".repeat(17_000)}`, "malformed_answer"],
    "a header line without a colon is refused": ["HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", "malformed_answer"],
  };
  for (const [what, [text, expected]] of Object.entries(responses)) {
    test(what, async () => {
      const { port } = await startAnswering(text);
      expect(await postOnce(port)).toBe(expected);
    });
  }

  test("with a redirect to an internal address is never followed", async () => {
    const inside = await startAnswering(okResponse);
    const { port } = await startAnswering(
      `HTTP/1.1 301 Moved\r\nLocation: https://127.0.0.1:${inside.port}/\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(await postOnce(port)).toBe("301 ");
    expect(inside.connections()).toBe(0);
  });

  test("without a length ends with its connection", async () => {
    const { port } = await startReceiver((socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
    expect(await postOnce(port)).toBe("200 all of it");
  });

  test("that arrives byte by byte reads the same", async () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
    const { port } = await startReceiver(async (socket) => {
      for (const byte of text) {
        socket.write(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(await postOnce(port)).toBe("200 abc");
  });

  test("returns its Retry-After unchanged", async () => {
    const { port } = await startAnswering("HTTP/1.1 429 Too Many\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n");
    const { status, retryAfter } = await createTransport().post(requestTo(port), AbortSignal.timeout(3_000));
    expect([status, retryAfter]).toEqual([429, "120"]);
  });

  test("keeps exactly 4 KiB of a longer body, and a body of 4 KiB whole", async () => {
    for (const length of [4_095, 4_096, 4_097, 100_000]) {
      const { port } = await startAnswering(
        `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${"a".repeat(length)}`,
      );
      const { body } = await createTransport().post(requestTo(port), AbortSignal.timeout(3_000));
      expect(body.length).toBe(Math.min(length, 4_096));
    }
  });

  for (const [framing, head] of Object.entries({
    "a body without end": "HTTP/1.1 200 OK\r\n\r\n",
    "chunks without end": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a body that says it is 9 TB": "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000\r\n\r\n",
  })) {
    test(`with ${framing} is read up to 4 KiB, then its connection is closed`, async () => {
      let isClosed = false;
      const piece = framing === "chunks without end" ? `400\r\n${"a".repeat(1024)}\r\n` : "a".repeat(1024);
      const { port } = await startReceiver((socket) => {
        socket.write(head);
        const flood = setInterval(() => socket.write(piece), 1);
        socket.on("close", () => {
          isClosed = true;
          clearInterval(flood);
        });
      });
      expect((await postOnce(port)).length).toBe(4_100);
      await until(() => isClosed);
      expect(isClosed).toBe(true);
    });
  }

  test("with a gzip bomb is not decompressed", async () => {
    const bomb = Bun.gzipSync(new Uint8Array(50_000_000));
    const { port } = await startReceiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    const { body } = await createTransport().post(requestTo(port), AbortSignal.timeout(3_000));
    expect(Buffer.from(body).equals(Buffer.from(bomb.subarray(0, 4_096)))).toBe(true);
  });
});
