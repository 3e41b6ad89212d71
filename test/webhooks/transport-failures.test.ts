/** Connections that fail at every stage, and the deadline that ends an attempt at any of them. */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect as connectTcp, createServer as createTcpServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createCleanUp } from "../support/callbacks.ts";
import { until } from "../support/manual-clock.ts";
import { okResponse } from "../support/tls-receiver.ts";
import { listening, outcomeOf, pair, requestTo, transportFixtures } from "../support/transport.ts";

const cleanUp = createCleanUp();
afterAll(() => cleanUp.run());
const { createTransport, startReceiver, startAnswering, postOnce } = transportFixtures(cleanUp);

describe("a connection fails", () => {
  test("when nobody listens", async () => {
    const receiver = await startAnswering(okResponse);
    receiver.stop();
    expect(await postOnce(receiver.port)).toBe("connect_failed");
  });

  test("with a reset before the handshake", async () => {
    const server = createTcpServer((socket) => void socket.destroy());
    cleanUp.add(() => server.close());
    expect(await postOnce(await listening(server))).toBe("connect_failed");
  });

  test("when the server does not speak TLS", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    cleanUp.add(() => server.close());
    expect(["tls_failed", "connect_failed"]).toContain(await postOnce(await listening(server)));
  });

  test("with a reset right after the TLS handshake", async () => {
    const { port } = await startReceiver(
      () => undefined,
      (socket) => void socket.destroy(),
    );
    expect(await postOnce(port)).toBe("connection_lost");
  });

  test("with a reset after the request and before any response, and it is not sent again", async () => {
    const receiver = await startReceiver((socket) => void socket.destroy());
    expect(await postOnce(receiver.port)).toBe("connection_lost");
    expect(receiver.requests.length).toBe(1);
  });

  test("with a reset within the head and within the body", async () => {
    for (const text of [
      "HTTP/1.1 200",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    ]) {
      const { port } = await startReceiver((socket) => void socket.end(text));
      expect(await postOnce(port)).toBe("connection_lost");
    }
  });

  test("with a reset in the middle of a large request", async () => {
    const server = createTlsServer(pair, (socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.destroy());
    });
    cleanUp.add(() => server.close());
    const body = new Uint8Array(8_000_000);
    expect(await postOnce(await listening(server), { body })).toBe("connection_lost");
  });
});

describe("the deadline ends an attempt at any stage", () => {
  test("during a handshake that never ends", async () => {
    const sockets: { destroyed: boolean }[] = [];
    const server = createTcpServer((socket) => {
      socket.on("error", () => undefined);
      socket.resume();
      sockets.push(socket);
    });
    cleanUp.add(() => server.close());
    const port = await listening(server);
    expect(await postOnce(port, {}, 100)).toBe("aborted");
    await until(() => sockets[0]?.destroyed === true);
    expect(sockets[0]?.destroyed).toBe(true);
  });

  test("during a connect that nobody answers, because the listener's backlog is full", async () => {
    const script = `require("net").createServer(() => {}).listen({ port: 0, host: "127.0.0.1", backlog: 511 }, function () { console.log(this.address().port); })`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    cleanUp.add(() => child.kill("SIGKILL"));
    const { value } = await child.stdout.getReader().read();
    const port = Number(new TextDecoder().decode(value));
    child.kill("SIGSTOP");
    const fillers = Array.from({ length: 600 }, () => connectTcp(port, "127.0.0.1").on("error", () => undefined));
    expect(await postOnce(port, {}, 150)).toBe("aborted");
    for (const filler of fillers) filler.destroy();
  });

  const drips: Record<string, string> = {
    "no response at all": "",
    "a head that drips": "HTTP/1.1 200 OK\r\nX-Slow: ",
    "a body that drips": "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n",
    "a chunk size that drips": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "endless interim responses": "HTTP/1.1 100 Continue\r\n\r\n",
  };
  for (const [what, start] of Object.entries(drips)) {
    test(what, async () => {
      const { port } = await startReceiver((socket) => {
        socket.write(start);
        const drip = setInterval(() => start !== "" && socket.write(what.startsWith("endless") ? start : "0"), 5);
        socket.on("close", () => clearInterval(drip));
      });
      expect(await postOnce(port, {}, 150)).toBe("aborted");
    });
  }

  test("before anything began, if the signal was already aborted", async () => {
    const receiver = await startAnswering(okResponse);
    expect(await outcomeOf(createTransport().post(requestTo(receiver.port), AbortSignal.abort()))).toBe("aborted");
    expect(receiver.requests).toEqual([]);
  });

  test("and hundreds of ended attempts leave no socket behind", async () => {
    const { port } = await startReceiver(() => undefined);
    const transport = createTransport();
    const openSockets = () => readdirSync("/proc/self/fd").length;
    const before = openSockets();
    for (let round = 0; round < 5; round += 1) {
      const attempts = Array.from({ length: 40 }, () =>
        outcomeOf(transport.post(requestTo(port), AbortSignal.timeout(60))),
      );
      expect(new Set(await Promise.all(attempts))).toEqual(new Set(["aborted"]));
    }
    await until(() => openSockets() <= before + 20);
    expect(openSockets()).toBeLessThanOrEqual(before + 20);
  });
});
