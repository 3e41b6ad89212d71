/** The transport against real TLS servers: who is trusted, what is read, what is never followed, what ends an attempt. */
import { afterAll, describe, expect, test } from "bun:test";
import { connect as connectTcp, createServer as createTcpServer, type Server } from "node:net";
import { createSecureContext, createServer as createTlsServer, type TLSSocket } from "node:tls";
import { TlsTransport } from "../../src/events/tls-transport.ts";
import { type CallbackAnswer, type CallbackRequest, TransportFailed } from "../../src/events/transport.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createAuthority, selfSigned } from "../support/certificates.ts";
import { okAnswer, type ReceivedRequest, tlsReceiver } from "../support/tls-receiver.ts";

const authority = createAuthority();
const host = "hooks.lan";
const pair = authority.issue({ names: [`DNS:${host}`] });
const cleanUps: (() => void)[] = [];
afterAll(() => {
  for (const cleanUp of cleanUps) cleanUp();
});

function transport(): TlsTransport {
  const made = new TlsTransport(systemClock, authority.cert);
  cleanUps.push(() => made.close());
  return made;
}

function requestTo(port: number, overrides: Partial<CallbackRequest> = {}): CallbackRequest {
  const body = new TextEncoder().encode(`{"text":"سلام"}`);
  return {
    address: "127.0.0.1",
    port,
    host,
    target: "/hook?a=b",
    headers: { "X-Service-Event-Id": "e1" },
    body,
    ...overrides,
  };
}

async function receiver(
  answer: (socket: TLSSocket, request: ReceivedRequest) => void,
  greet?: (socket: TLSSocket) => void,
  own = pair,
) {
  const made = await tlsReceiver(own, answer, greet);
  cleanUps.push(() => made.stop());
  return made;
}

const answering = (text: string) => receiver((socket) => void socket.write(Buffer.from(text, "latin1")));

async function outcome(posting: Promise<CallbackAnswer>): Promise<string> {
  try {
    const { status, body } = await posting;
    return `${status} ${Buffer.from(body).toString("latin1")}`;
  } catch (error) {
    if (error instanceof TransportFailed) return error.failure;
    throw error;
  }
}

/** Posts once with a deadline far beyond what the test needs, so that a hang shows as `aborted` and not as a stuck test. */
const postOnce = (port: number, overrides: Partial<CallbackRequest> = {}, deadlineMs = 3_000) =>
  outcome(transport().post(requestTo(port, overrides), AbortSignal.timeout(deadlineMs)));

describe("the request", () => {
  test("arrives as it was made: target, host, headers, length and body", async () => {
    const { port, requests } = await answering(okAnswer);
    expect(await postOnce(port)).toBe("200 ok");
    const lines = requests[0]?.head.split("\r\n") ?? [];
    expect(lines[0]).toBe("POST /hook?a=b HTTP/1.1");
    expect(new Set(lines.slice(1))).toEqual(
      new Set([`Host: ${host}:${port}`, "X-Service-Event-Id: e1", "Accept-Encoding: identity", "Content-Length: 19"]),
    );
    expect(requests[0]?.body).toBe(`{"text":"سلام"}`);
  });

  test("a second one to the same place travels on the same connection", async () => {
    const made = await answering(okAnswer);
    const sender = transport();
    for (const _ of [1, 2, 3]) await sender.post(requestTo(made.port), AbortSignal.timeout(3_000));
    expect([made.requests.length, made.connections()]).toEqual([3, 1]);
  });

  test("a connection that the receiver closed meanwhile is replaced at once, and the request sent again", async () => {
    const made = await receiver((socket, { connection }) => {
      if (connection === 1 && made.requests.length === 2) socket.destroy();
      else socket.write(okAnswer);
    });
    const sender = transport();
    expect(await outcome(sender.post(requestTo(made.port), AbortSignal.timeout(3_000)))).toBe("200 ok");
    expect(await outcome(sender.post(requestTo(made.port), AbortSignal.timeout(3_000)))).toBe("200 ok");
    expect(made.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  test("an answer with bytes behind it, or one that says close, ends its connection", async () => {
    for (const text of [
      `${okAnswer}HTTP/1.1 200 OK\r\n`,
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
      "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ]) {
      const made = await answering(text);
      const sender = transport();
      for (const _ of [1, 2])
        expect(await outcome(sender.post(requestTo(made.port), AbortSignal.timeout(3_000)))).toBe("200 ok");
      expect(made.connections()).toBe(2);
    }
  });
});

describe("whom it trusts", () => {
  const refusedPairs = {
    "an expired certificate": authority.issue({
      names: [`DNS:${host}`],
      notBefore: "20200101000000Z",
      notAfter: "20200201000000Z",
    }),
    "a certificate that is not valid yet": authority.issue({
      names: [`DNS:${host}`],
      notBefore: "20990101000000Z",
      notAfter: "20990201000000Z",
    }),
    "a certificate for another name": authority.issue({ names: ["DNS:other.lan"] }),
    "a certificate for a name below": authority.issue({ names: [`DNS:a.${host}`] }),
    "a wildcard that does not reach": authority.issue({ names: ["DNS:*.lan.lan"] }),
    "a certificate that signed itself": selfSigned(host),
    "a certificate of an unknown authority": createAuthority("Somebody else").issue({ names: [`DNS:${host}`] }),
  };
  for (const [what, refused] of Object.entries(refusedPairs)) {
    test(`${what} is refused before a byte of the request is sent`, async () => {
      const made = await receiver((socket) => void socket.write(okAnswer), undefined, refused);
      expect(await postOnce(made.port)).toBe("certificate_refused");
      expect(made.requests).toEqual([]);
    });
  }

  test("a wildcard that covers the name is accepted, and an address by its own entry only", async () => {
    const wildcard = await receiver(
      (socket) => void socket.write(okAnswer),
      undefined,
      authority.issue({ names: ["DNS:*.hooks.lan"] }),
    );
    expect(await postOnce(wildcard.port, { host: "a.hooks.lan" })).toBe("200 ok");
    const address = await receiver(
      (socket) => void socket.write(okAnswer),
      undefined,
      authority.issue({ names: ["IP:127.0.0.1"] }),
    );
    expect(await postOnce(address.port, { host: "127.0.0.1" })).toBe("200 ok");
    expect(await postOnce(wildcard.port, { host: "127.0.0.1" })).toBe("certificate_refused");
  });

  test("without the operator's authority its certificates are unknown", async () => {
    const made = await answering(okAnswer);
    const plain = new TlsTransport(systemClock);
    expect(await outcome(plain.post(requestTo(made.port), AbortSignal.timeout(3_000)))).toBe("certificate_refused");
  });

  test("two names on one address with a certificate for one: the other is refused, whatever connections stand already", async () => {
    const made = await answering(okAnswer);
    const sender = transport();
    const post = (name: string) =>
      outcome(sender.post(requestTo(made.port, { host: name }), AbortSignal.timeout(3_000)));
    expect(await post(host)).toBe("200 ok");
    expect(await post("other.lan")).toBe("certificate_refused");
    expect(await post(host)).toBe("200 ok");
    expect(await Promise.all([post(host), post("other.lan"), post(host), post("other.lan")])).toEqual([
      "200 ok",
      "certificate_refused",
      "200 ok",
      "certificate_refused",
    ]);
    expect(made.requests.every(({ head }) => head.includes(`Host: ${host}`))).toBe(true);
  });

  test("two names on one address, each with its own certificate: each gets its own", async () => {
    const names: string[] = [];
    const other = authority.issue({ names: ["DNS:other.lan"] });
    const server = createTlsServer(
      {
        ...pair,
        SNICallback: (name, done) => {
          names.push(name);
          done(null, createSecureContext(name === "other.lan" ? other : pair));
        },
      },
      (socket) => {
        socket.on("error", () => undefined);
        socket.on("data", () => void socket.write(okAnswer));
      },
    );
    cleanUps.push(() => server.close());
    const port = await listening(server);
    const sender = transport();
    for (const name of [host, "other.lan"]) {
      expect(await outcome(sender.post(requestTo(port, { host: name }), AbortSignal.timeout(3_000)))).toBe("200 ok");
    }
  });

  test("the environment cannot switch verification off or send it through a proxy", async () => {
    const made = await receiver((socket) => void socket.write(okAnswer), undefined, selfSigned(host));
    const script = `
      import { TlsTransport } from "${import.meta.dir}/../../src/events/tls-transport.ts";
      import { systemClock } from "${import.meta.dir}/../../src/platform/clock.ts";
      const request = { address: "127.0.0.1", port: ${made.port}, host: "${host}", target: "/", headers: {}, body: new Uint8Array() };
      const end = await new TlsTransport(systemClock).post(request, AbortSignal.timeout(3000)).then((a) => a.status, (e) => e.failure);
      console.log(end);
      process.exit(0);`;
    const proxy = "http://127.0.0.1:9";
    const env = {
      ...process.env,
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      https_proxy: proxy,
    };
    const child = Bun.spawn([process.execPath, "-e", script], { env, stdout: "pipe", stderr: "ignore" });
    expect((await new Response(child.stdout).text()).trim()).toBe("certificate_refused");
    expect(made.requests).toEqual([]);
  });
});

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port"));
      else resolve(address.port);
    });
  });
}

describe("answers", () => {
  const answers: Record<string, readonly [string, string]> = {
    "a redirect is an answer like any other": [
      "HTTP/1.1 301 Moved\r\nLocation: https://10.0.0.1/\r\nContent-Length: 0\r\n\r\n",
      "301 ",
    ],
    "304 has no body, whatever it says": ["HTTP/1.1 304 Not Modified\r\nContent-Length: 50\r\n\r\n", "304 "],
    "204 has no body": ["HTTP/1.1 204 No Content\r\n\r\n", "204 "],
    "410 is an answer": ["HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\ngone", "410 gone"],
    "an interim answer is passed over": [
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${okAnswer}`,
      "200 ok",
    ],
    "chunks are put together": [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n",
      "200 abcde",
    ],
    "a switch of protocols is none that we asked for": ["HTTP/1.1 101 Switching Protocols\r\n\r\n", "malformed_answer"],
    "another protocol is refused": ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "malformed_answer"],
    "HTTP/2 without being asked is refused": ["HTTP/2 200 OK\r\n\r\n", "malformed_answer"],
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
  for (const [what, [text, expected]] of Object.entries(answers)) {
    test(what, async () => {
      const { port } = await answering(text);
      expect(await postOnce(port)).toBe(expected);
    });
  }

  test("a 301 into the network is never followed", async () => {
    const inside = await answering(okAnswer);
    const { port } = await answering(
      `HTTP/1.1 301 Moved\r\nLocation: https://127.0.0.1:${inside.port}/\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(await postOnce(port)).toBe("301 ");
    expect(inside.connections()).toBe(0);
  });

  test("an answer without a length ends with its connection", async () => {
    const { port } = await receiver((socket) => void socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
    expect(await postOnce(port)).toBe("200 all of it");
  });

  test("one byte at a time makes the same answer", async () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
    const { port } = await receiver(async (socket) => {
      for (const byte of text) {
        socket.write(byte);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(await postOnce(port)).toBe("200 abc");
  });

  test("Retry-After is handed on as it came", async () => {
    const { port } = await answering("HTTP/1.1 429 Too Many\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n");
    const answer = await transport().post(requestTo(port), AbortSignal.timeout(3_000));
    expect([answer.status, answer.retryAfter]).toEqual([429, "120"]);
  });

  test("exactly 4 KiB are kept of a longer body; one of 4 KiB is kept whole", async () => {
    for (const length of [4_095, 4_096, 4_097, 100_000]) {
      const { port } = await answering(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${"a".repeat(length)}`);
      const { body } = await transport().post(requestTo(port), AbortSignal.timeout(3_000));
      expect(body.length).toBe(Math.min(length, 4_096));
    }
  });

  for (const [framing, head] of Object.entries({
    "a body without end": "HTTP/1.1 200 OK\r\n\r\n",
    "chunks without end": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a body that says it is 9 TB": "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000\r\n\r\n",
  })) {
    test(`${framing} is left after 4 KiB, and its connection closed`, async () => {
      let isClosed = false;
      const piece = framing === "chunks without end" ? `400\r\n${"a".repeat(1024)}\r\n` : "a".repeat(1024);
      const { port } = await receiver((socket) => {
        socket.write(head);
        const flood = setInterval(() => socket.write(piece), 1);
        socket.on("close", () => {
          isClosed = true;
          clearInterval(flood);
        });
      });
      expect((await postOnce(port)).length).toBe(4_100);
      for (let waits = 0; !isClosed && waits < 100; waits += 1) await Bun.sleep(5);
      expect(isClosed).toBe(true);
    });
  }

  test("a gzip bomb stays packed: what came is kept as it came", async () => {
    const bomb = Bun.gzipSync(new Uint8Array(50_000_000));
    const { port } = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    const { body } = await transport().post(requestTo(port), AbortSignal.timeout(3_000));
    expect(Buffer.from(body).equals(Buffer.from(bomb.subarray(0, 4_096)))).toBe(true);
  });
});

describe("connections that fail", () => {
  test("nobody listens", async () => {
    const made = await answering(okAnswer);
    made.stop();
    expect(await postOnce(made.port)).toBe("connect_failed");
  });

  test("a reset before the handshake", async () => {
    const server = createTcpServer((socket) => void socket.destroy());
    cleanUps.push(() => server.close());
    expect(await postOnce(await listening(server))).toBe("connect_failed");
  });

  test("a server that speaks no TLS", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    cleanUps.push(() => server.close());
    expect(["tls_failed", "connect_failed"]).toContain(await postOnce(await listening(server)));
  });

  test("a reset as soon as TLS stands", async () => {
    const { port } = await receiver(
      () => undefined,
      (socket) => void socket.destroy(),
    );
    expect(await postOnce(port)).toBe("connection_lost");
  });

  test("a reset after the request, before any answer: sent once, not again", async () => {
    const made = await receiver((socket) => void socket.destroy());
    expect(await postOnce(made.port)).toBe("connection_lost");
    expect(made.requests.length).toBe(1);
  });

  test("a reset within the head and within the body", async () => {
    for (const text of [
      "HTTP/1.1 200",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    ]) {
      const { port } = await receiver((socket) => void socket.end(text));
      expect(await postOnce(port)).toBe("connection_lost");
    }
  });

  test("a reset in the middle of a large request", async () => {
    const server = createTlsServer(pair, (socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.destroy());
    });
    cleanUps.push(() => server.close());
    const body = new Uint8Array(8_000_000);
    expect(await postOnce(await listening(server), { body })).toBe("connection_lost");
  });
});

describe("the deadline ends an attempt at any stage", () => {
  test("a handshake that never ends", async () => {
    const sockets: { destroyed: boolean }[] = [];
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume();
      sockets.push(socket);
    });
    cleanUps.push(() => server.close());
    const port = await listening(server);
    expect(await postOnce(port, {}, 100)).toBe("aborted");
    for (let waits = 0; sockets[0]?.destroyed !== true && waits < 100; waits += 1) await Bun.sleep(5);
    expect(sockets[0]?.destroyed).toBe(true);
  });

  test("a connect that nobody answers, because the listener's backlog is full", async () => {
    const script = `require("net").createServer(() => {}).listen({ port: 0, host: "127.0.0.1", backlog: 511 }, function () { console.log(this.address().port); })`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    cleanUps.push(() => child.kill("SIGKILL"));
    const { value } = await child.stdout.getReader().read();
    const port = Number(new TextDecoder().decode(value));
    child.kill("SIGSTOP");
    const fillers = Array.from({ length: 600 }, () => connectTcp(port, "127.0.0.1").on("error", () => undefined));
    expect(await postOnce(port, {}, 150)).toBe("aborted");
    for (const filler of fillers) filler.destroy();
  });

  const drips: Record<string, string> = {
    "no answer at all": "",
    "a head that drips": "HTTP/1.1 200 OK\r\nX-Slow: ",
    "a body that drips": "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n",
    "a chunk size that drips": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "interim answers without end": "HTTP/1.1 100 Continue\r\n\r\n",
  };
  for (const [what, start] of Object.entries(drips)) {
    test(what, async () => {
      const { port } = await receiver((socket) => {
        socket.write(start);
        const drip = setInterval(() => start !== "" && socket.write(what.startsWith("interim") ? start : "0"), 5);
        socket.on("close", () => clearInterval(drip));
      });
      expect(await postOnce(port, {}, 150)).toBe("aborted");
    });
  }

  test("a signal that ended before anything began", async () => {
    const made = await answering(okAnswer);
    expect(await outcome(transport().post(requestTo(made.port), AbortSignal.abort()))).toBe("aborted");
    expect(made.requests).toEqual([]);
  });

  test("hundreds of attempts that are ended leave no socket behind", async () => {
    const { port } = await receiver(() => undefined);
    const sender = transport();
    const openSockets = () => new Bun.Glob("*").scanSync({ cwd: "/proc/self/fd", onlyFiles: false });
    const before = [...openSockets()].length;
    for (let round = 0; round < 5; round += 1) {
      const attempts = Array.from({ length: 40 }, () => outcome(sender.post(requestTo(port), AbortSignal.timeout(60))));
      expect(new Set(await Promise.all(attempts))).toEqual(new Set(["aborted"]));
    }
    let after = Number.POSITIVE_INFINITY;
    for (let waits = 0; after > before + 20 && waits < 200; waits += 1) {
      await Bun.sleep(10);
      after = [...openSockets()].length;
    }
    expect(after).toBeLessThanOrEqual(before + 20);
  });
});
