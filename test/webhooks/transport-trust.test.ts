/** Whom the transport trusts, against real TLS servers: certificates good and bad, names, connections that are used again. */
import { afterAll, describe, expect, test } from "bun:test";
import { createSecureContext, createServer as createTlsServer } from "node:tls";
import { systemClock } from "../../src/platform/clock.ts";
import { TlsTransport } from "../../src/webhooks/transport/tls-transport.ts";
import { cleaning } from "../support/callbacks.ts";
import { createAuthority, selfSigned } from "../support/certificates.ts";
import { okAnswer } from "../support/tls-receiver.ts";
import { authority, host, listening, outcome, pair, requestTo, transportSettings } from "../support/transport.ts";

const cleanUp = cleaning();
afterAll(() => cleanUp.run());
const { transport, receiver, answering, postOnce } = transportSettings(cleanUp);

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
    cleanUp.add(() => server.close());
    const port = await listening(server);
    const sender = transport();
    for (const name of [host, "other.lan"]) {
      expect(await outcome(sender.post(requestTo(port, { host: name }), AbortSignal.timeout(3_000)))).toBe("200 ok");
    }
  });

  test("the environment cannot switch verification off or send it through a proxy", async () => {
    const made = await receiver((socket) => void socket.write(okAnswer), undefined, selfSigned(host));
    const script = `
      import { TlsTransport } from "${import.meta.dir}/../../src/webhooks/transport/tls-transport.ts";
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
