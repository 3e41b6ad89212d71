/** Certificates that the transport accepts and refuses, names, and reuse of connections, against real TLS servers. */
import { afterAll, describe, expect, test } from "bun:test";
import { createSecureContext, createServer as createTlsServer } from "node:tls";
import { systemClock } from "../../src/platform/clock.ts";
import { verifiedMsMax } from "../../src/webhooks/transport/idle-connections.ts";
import { TlsTransport } from "../../src/webhooks/transport/tls-transport.ts";
import { createCleanUp } from "../support/callbacks.ts";
import { createAuthority, selfSigned } from "../support/certificates.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { okResponse } from "../support/tls-receiver.ts";
import { authority, host, listening, outcomeOf, pair, requestTo, transportFixtures } from "../support/transport.ts";

const cleanUp = createCleanUp();
afterAll(() => cleanUp.run());
const { createTransport, startReceiver, startAnswering, postOnce } = transportFixtures(cleanUp);

describe("a callback's request", () => {
  test("arrives complete: target, host, headers, length and body", async () => {
    const { port, requests } = await startAnswering(okResponse);
    expect(await postOnce(port)).toBe("200 ok");
    const lines = requests[0]?.head.split("\r\n") ?? [];
    expect(lines[0]).toBe("POST /hook?a=b HTTP/1.1");
    expect(new Set(lines.slice(1))).toEqual(
      new Set([`Host: ${host}:${port}`, "X-Service-Event-Id: e1", "Accept-Encoding: identity", "Content-Length: 19"]),
    );
    expect(requests[0]?.body).toBe(`{"text":"سلام"}`);
  });

  test("reuses the connection of an earlier one to the same destination", async () => {
    const receiver = await startAnswering(okResponse);
    const transport = createTransport();
    for (const _ of [1, 2, 3]) await transport.post(requestTo(receiver.port), AbortSignal.timeout(3_000));
    expect([receiver.requests.length, receiver.connections()]).toEqual([3, 1]);
  });

  test("is sent again at once on a new connection if the receiver had closed the old one", async () => {
    const receiver = await startReceiver((socket, { connection }) => {
      if (connection === 1 && receiver.requests.length === 2) socket.destroy();
      else socket.write(okResponse);
    });
    const transport = createTransport();
    expect(await outcomeOf(transport.post(requestTo(receiver.port), AbortSignal.timeout(3_000)))).toBe("200 ok");
    expect(await outcomeOf(transport.post(requestTo(receiver.port), AbortSignal.timeout(3_000)))).toBe("200 ok");
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  test("ends its connection if bytes follow the response, or the response says close", async () => {
    for (const text of [
      `${okResponse}HTTP/1.1 200 OK\r\n`,
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
      "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ]) {
      const receiver = await startAnswering(text);
      const transport = createTransport();
      for (const _ of [1, 2])
        expect(await outcomeOf(transport.post(requestTo(receiver.port), AbortSignal.timeout(3_000)))).toBe("200 ok");
      expect(receiver.connections()).toBe(2);
    }
  });
});

describe("TLS sessions of callbacks", () => {
  const closing = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
  for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
    test(`are resumed by a new connection for a minute, and only for the same name (${maxVersion})`, async () => {
      const resumed: boolean[] = [];
      const both = authority.issue({ names: [`DNS:${host}`, "DNS:other.lan"] });
      const server = createTlsServer({ ...both, maxVersion }, (socket) => {
        resumed.push(socket.isSessionReused());
        socket.on("error", () => undefined);
        socket.on("data", () => void socket.write(closing));
      });
      cleanUp.add(() => server.close());
      const port = await listening(server);
      const clock = new ManualClock();
      const transport = new TlsTransport(clock, authority.cert);
      const post = (name = host) =>
        outcomeOf(transport.post(requestTo(port, { host: name }), AbortSignal.timeout(3_000)));
      for (const name of [host, host, "other.lan", "other.lan"]) expect(await post(name)).toBe("200 ok");
      expect(resumed).toEqual([false, true, false, true]);
      await clock.advance(verifiedMsMax - 1);
      expect(await post()).toBe("200 ok");
      await clock.advance(1);
      expect(await post()).toBe("200 ok");
      expect(await post()).toBe("200 ok");
      expect(resumed.slice(4)).toEqual([true, false, true]);
    });
  }
});

describe("certificates of receivers", () => {
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
    "a certificate for a subdomain": authority.issue({ names: [`DNS:a.${host}`] }),
    "a wildcard that does not match": authority.issue({ names: ["DNS:*.lan.lan"] }),
    "a self-signed certificate": selfSigned(host),
    "a certificate of an unknown authority": createAuthority("Somebody else").issue({ names: [`DNS:${host}`] }),
  };
  for (const [what, refused] of Object.entries(refusedPairs)) {
    test(`with ${what} are refused before a byte of the request is sent`, async () => {
      const receiver = await startReceiver((socket) => void socket.write(okResponse), undefined, refused);
      expect(await postOnce(receiver.port)).toBe("certificate_refused");
      expect(receiver.requests).toEqual([]);
    });
  }

  test("match by a wildcard of the name, and an address only by an entry of its own", async () => {
    const wildcard = await startReceiver(
      (socket) => void socket.write(okResponse),
      undefined,
      authority.issue({ names: ["DNS:*.hooks.lan"] }),
    );
    expect(await postOnce(wildcard.port, { host: "a.hooks.lan" })).toBe("200 ok");
    const address = await startReceiver(
      (socket) => void socket.write(okResponse),
      undefined,
      authority.issue({ names: ["IP:127.0.0.1"] }),
    );
    expect(await postOnce(address.port, { host: "127.0.0.1" })).toBe("200 ok");
    expect(await postOnce(wildcard.port, { host: "127.0.0.1" })).toBe("certificate_refused");
  });

  test("of the operator's authority are refused without that authority", async () => {
    const receiver = await startAnswering(okResponse);
    const plain = new TlsTransport(systemClock);
    expect(await outcomeOf(plain.post(requestTo(receiver.port), AbortSignal.timeout(3_000)))).toBe(
      "certificate_refused",
    );
  });

  test("for one of two names on one address are refused for the other, whatever connections are open", async () => {
    const receiver = await startAnswering(okResponse);
    const transport = createTransport();
    const post = (name: string) =>
      outcomeOf(transport.post(requestTo(receiver.port, { host: name }), AbortSignal.timeout(3_000)));
    expect(await post(host)).toBe("200 ok");
    expect(await post("other.lan")).toBe("certificate_refused");
    expect(await post(host)).toBe("200 ok");
    expect(await Promise.all([post(host), post("other.lan"), post(host), post("other.lan")])).toEqual([
      "200 ok",
      "certificate_refused",
      "200 ok",
      "certificate_refused",
    ]);
    expect(receiver.requests.every(({ head }) => head.includes(`Host: ${host}`))).toBe(true);
  });

  test("may differ for two names on one address, and each gets its own", async () => {
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
        socket.on("data", () => void socket.write(okResponse));
      },
    );
    cleanUp.add(() => server.close());
    const port = await listening(server);
    const transport = createTransport();
    for (const name of [host, "other.lan"]) {
      expect(await outcomeOf(transport.post(requestTo(port, { host: name }), AbortSignal.timeout(3_000)))).toBe(
        "200 ok",
      );
    }
  });

  test("are verified without a proxy, whatever the environment says", async () => {
    const receiver = await startReceiver((socket) => void socket.write(okResponse), undefined, selfSigned(host));
    const script = `
      import { verifiedMsMax } from "../../src/webhooks/transport/idle-connections.ts";
import { TlsTransport } from "${import.meta.dir}/../../src/webhooks/transport/tls-transport.ts";
      import { systemClock } from "${import.meta.dir}/../../src/platform/clock.ts";
      const request = { address: "127.0.0.1", port: ${receiver.port}, host: "${host}", target: "/", headers: {}, body: new Uint8Array() };
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
    expect(receiver.requests).toEqual([]);
  });
});
