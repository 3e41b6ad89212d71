/** A response is read the same way, however its bytes are split. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ResponseReader } from "../../src/webhooks/transport/response-reader.ts";
import { okResponse } from "../support/tls-receiver.ts";

describe("however its bytes are split", () => {
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
