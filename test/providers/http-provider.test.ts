/** An HTTP provider that answers, refuses, does not answer or hangs up; and the outcome of the route. */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { messageClasses } from "../../src/domain/message.ts";
import { silentLog } from "../../src/platform/log.ts";
import { HttpProvider } from "../../src/providers/http/http-provider.ts";
import { parseHttpOptions } from "../../src/providers/http/options.ts";
import { createAuthority } from "../support/certificates.ts";
import { ManualClock, settleLoop, until } from "../support/manual-clock.ts";
import { RawPeer } from "../support/raw-peer.ts";
import { fixedRandom, message, noStorage, RecordedEvents, worded } from "./support.ts";

let closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

function routeTo(url: string, set: Readonly<Record<string, unknown>> = {}) {
  const answer = { accepted: { status: "2xx" }, id: { json: "id" } };
  const file = { request: { url, body: { json: { to: "{{recipient}}", text: "{{text}}" } } }, answer, ...set };
  const parsed = parseHttpOptions(file);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const clock = new ManualClock();
  const events = new RecordedEvents();
  const provider = new HttpProvider(parsed.options, events, {
    clock,
    random: fixedRandom,
    log: silentLog,
    storage: noStorage,
  });
  provider.start();
  closing.unshift(async () => {
    const stopped = provider.stop(0);
    await clock.advance(0);
    await stopped;
  });
  return { provider, clock, events };
}

function serve(fetch: (request: Request) => Response | Promise<Response>, tls?: { key: string; cert: string }) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch, ...(tls === undefined ? {} : { tls }) });
  // Not awaited: it never ends after a connection that was opened and closed without a request.
  closing.push(() => void server.stop(true));
  return { url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${server.port}/send`, server };
}

describe("an HTTP provider that answers", () => {
  test("gets the message and returns its id", async () => {
    const bodies: unknown[] = [];
    const { url } = serve(async (request) => {
      bodies.push(await request.json());
      return Response.json({ id: "m-1" });
    });
    const { provider } = routeTo(url);
    expect(provider.health()).toMatchObject({ up: true, window: 10, links: [{ state: "up" }] });
    expect(await provider.submit(message("سلام"))).toEqual({ kind: "accepted", partIds: ["m-1"] });
    expect(bodies).toEqual([{ to: "+989121234567", text: "سلام" }]);
  });

  test("without the id that the file names makes the route say so, until an id is returned again", async () => {
    let answer: unknown = { ref: "m-1" };
    const { url } = serve(() => Response.json(answer));
    const { provider } = routeTo(url);
    for (let count = 0; count < 3; count += 1)
      expect(await provider.submit(message("x"))).toEqual({ kind: "accepted", partIds: [null] });
    expect(provider.health()).toMatchObject({
      up: true,
      warnings: [expect.stringContaining("the last 3 messages")],
      warningReasons: [{ code: "receipts_without_id", messages: 3 }],
    });
    answer = { id: "m-2" };
    await provider.submit(message("x"));
    expect(provider.health().warnings).toEqual([]);
  });

  test("with a redirect is not followed", async () => {
    let asked = 0;
    const { url } = serve(() => {
      asked += 1;
      return Response.redirect("http://127.0.0.1:1/", 307);
    });
    expect(await routeTo(url).provider.submit(message("x"))).toMatchObject({ kind: "temporary" });
    expect(asked).toBe(1);
  });

  test("without end is cut off", async () => {
    const { url } = serve(
      () =>
        new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) })),
    );
    expect(await routeTo(url).provider.submit(message("x"))).toEqual({ kind: "accepted", partIds: [null] });
  });

  test("is asked for no compression, whatever the file says, and a gzip bomb stays compressed", async () => {
    const asked: (string | null)[] = [];
    // A gigabyte of zeros in a megabyte.
    const bomb = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(16 * 1024 * 1024))));
    const { url } = serve((request) => {
      asked.push(request.headers.get("Accept-Encoding"));
      return new Response(bomb, { headers: { "Content-Encoding": "gzip" } });
    });
    const request = { url, headers: { "accept-encoding": "gzip" } };
    const { provider } = routeTo(url, { request, answer: { accepted: { body: "ok" } } });
    const before = process.memoryUsage().rss;
    expect(worded(await provider.submit(message("x")))).toMatchObject({
      kind: "uncertain",
      detail: expect.stringContaining("not read: encoded as gzip, which was not asked for"),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024);
    expect(asked).toEqual(["identity"]);
  });

  test("with the text of a one-time password, spaced or not, leaves no word of it anywhere", async () => {
    const statuses = [200, 400, 401, 429, 500];
    const words: string[] = [];
    for (const status of statuses) {
      const { url } = serve(() => new Response("refused: your code is 4 8 1 5", { status }));
      const { provider } = routeTo(url, { answer: { accepted: { body: "^ok" } } });
      const outcome = await provider.submit(message("Your code: 4815", { class: messageClasses.otp }));
      words.push(JSON.stringify(outcome), JSON.stringify(provider.health()));
    }
    expect(words.filter((said) => said.includes("4 8 1 5") || said.includes("refused: your"))).toEqual([]);
    expect(words.filter((said) => said.includes("200"))).not.toEqual([]);
  });

  test("that the credentials are wrong fails no message, and the route rests, longer each time", async () => {
    let status = 401;
    const { url } = serve(() => Response.json({ id: 1 }, { status }));
    const { provider, clock } = routeTo(url);
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "not_sent" });
    expect(provider.health()).toMatchObject({ up: false, window: 0, links: [{ state: "resting" }] });
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "not_sent" });
    await clock.advance(5_000);
    expect(provider.health().up).toBe(true);
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "not_sent" });
    await clock.advance(5_000);
    expect(provider.health().up).toBe(false);
    await clock.advance(5_000);
    status = 200;
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "accepted" });
  });
});

describe("a route on trial after a rest", () => {
  test("takes one message, uses no attempt of it, and rests again while the provider is silent", async () => {
    let answer = () => new Response("no_credit", { status: 402 });
    let asked = 0;
    const { url } = serve(() => {
      asked += 1;
      return answer();
    });
    const { provider, clock } = routeTo(url);
    for (let sent = 0; sent < 5; sent += 1)
      expect(await provider.submit(message("x"))).toMatchObject({ kind: "temporary", attemptsMax: 10 });
    expect(provider.health()).toMatchObject({ up: false, window: 0, links: [{ state: "resting" }] });
    await clock.advance(5_000);
    expect(provider.health()).toMatchObject({ up: true, window: 1, links: [{ state: "probing" }] });
    expect((await provider.submit(message("x"))).kind).toBe("not_sent");
    expect(provider.health().links[0]?.state).toBe("resting");
    await clock.advance(10_000);
    answer = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    const silent = provider.submit(message("x"));
    await until(() => asked === 7);
    await clock.advance(10_000);
    expect((await silent).kind).toBe("uncertain");
    expect(provider.health().links[0]?.state).toBe("resting");
    await clock.advance(20_000);
    answer = () => Response.json({ id: 8 });
    expect((await provider.submit(message("x"))).kind).toBe("accepted");
    expect(provider.health()).toMatchObject({ up: true, window: 10, links: [{ state: "up" }] });
  });
});

describe("an HTTP provider without an answer", () => {
  test("within the timeout leaves the message uncertain", async () => {
    let asked = 0;
    const { url } = serve(() => {
      asked += 1;
      return new Promise(() => {});
    });
    const { provider, clock } = routeTo(url);
    const submitted = provider.submit(message("x"));
    await until(() => asked === 1);
    await clock.advance(10_000);
    expect(worded(await submitted)).toMatchObject({
      kind: "uncertain",
      lateAnswer: false,
      detail: expect.stringContaining("10 s"),
    });
    expect(provider.health().up).toBe(true);
  });

  test("that hangs up halfway leaves the message uncertain", async () => {
    const peer = await RawPeer.start((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
      setTimeout(() => socket.resetAndDestroy(), 5);
    });
    closing.push(() => peer.stop());
    const { provider } = routeTo(`http://127.0.0.1:${peer.port}/`);
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "uncertain" });
  });

  test("because nothing listens there gets nothing, and is tried again after a rest", async () => {
    const { url, server } = serve(() => Response.json({ id: 1 }));
    await server.stop(true);
    const { provider, clock } = routeTo(url, { username: "u", password: "geheim" });
    const outcome = await provider.submit(message("x"));
    expect(worded(outcome)).toMatchObject({
      kind: "not_sent",
      detail: expect.stringContaining("could not be reached"),
    });
    expect(provider.health()).toMatchObject({
      up: false,
      links: [{ lastError: expect.stringContaining("not be reached"), lastReason: { code: "http_rests" } }],
    });
    await clock.advance(1_000);
    expect(provider.health().up).toBe(true);
  });

  test("because its name does not resolve gets nothing", async () => {
    const { provider } = routeTo("http://no-such-host.invalid/send");
    expect(await provider.submit(message("x"))).toMatchObject({ kind: "not_sent" });
  });
});

describe("stopping an HTTP route", () => {
  test("waits for requests in flight, accepts no new ones, and ends after its grace period", async () => {
    const answers: ((response: Response) => void)[] = [];
    const { url } = serve(() => new Promise((resolve) => answers.push(resolve)));
    const { provider, clock } = routeTo(url);
    const open = provider.submit(message("x"));
    void provider.submit(message("y"));
    await until(() => answers.length === 2);
    let stopped = false;
    const stop = provider.stop(5_000).then(() => (stopped = true));
    expect(await provider.submit(message("z"))).toMatchObject({ kind: "not_sent" });
    answers[0]?.(Response.json({ id: 1 }));
    expect(await open).toMatchObject({ kind: "accepted" });
    await settleLoop(20);
    expect(stopped).toBe(false);
    await clock.advance(5_000);
    await stop;
    expect(provider.health()).toMatchObject({ up: false, links: [{ state: "stopped" }] });
  });
});

describe("route test and TLS of an HTTP route", () => {
  test("a trusted certificate carries a message, and route test connects without sending", async () => {
    const authority = createAuthority();
    const folder = mkdtempSync(join(tmpdir(), "peyk-http-tls-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const caFile = join(folder, "ca.pem");
    writeFileSync(caFile, authority.cert);
    let asked = 0;
    const { url } = serve(
      () => {
        asked += 1;
        return Response.json({ id: 7 });
      },
      authority.issue({ names: ["IP:127.0.0.1"] }),
    );
    const { provider } = routeTo(url, { caFile });
    expect(await provider.probe()).toMatchObject([
      { step: "connect", ok: true },
      { step: "tls", ok: true },
      { step: "login", ok: null, detail: expect.stringContaining("credentials not tried") },
    ]);
    expect(asked).toBe(0);
    expect(await provider.submit(message("x"))).toEqual({ kind: "accepted", partIds: ["7"] });
    const stranger = routeTo(url).provider;
    expect(await stranger.submit(message("x"))).toMatchObject({ kind: "not_sent" });
    expect((await stranger.probe()).at(-1)).toMatchObject({ step: "tls", ok: false });
    const noFile = routeTo(url, { caFile: "/nowhere/ca.pem" }).provider;
    expect(worded(await noFile.submit(message("x")))).toMatchObject({
      kind: "not_sent",
      detail: expect.stringContaining("/nowhere"),
    });
    expect((await noFile.probe()).at(-1)).toMatchObject({ step: "tls", ok: false });
    expect(asked).toBe(1);
  });

  test("a message is shown as sent, without secrets", () => {
    const request = {
      url: "https://sms.example/send",
      query: { user: "{{username}}", pass: "{{password}}", auth: "{{basicAuth}}" },
      body: { json: { to: "{{recipient}}", text: "{{text}}", key: "{{token}}" } },
    };
    const { provider } = routeTo("https://sms.example/send", {
      request,
      username: "peyk",
      password: "s3cret",
      token: "t0ken",
    });
    expect(provider.describe(message("سلام"))).toEqual([
      'POST https://sms.example/send?user=***&pass=***&auth=*** {"to":"+989121234567","text":"سلام","key":"***"}',
    ]);
  });

  test("route test finds a wrong password if the file says how to check", async () => {
    const { url } = serve((request) => {
      const isRight = request.headers.get("Authorization") === `Basic ${btoa("u:right")}`;
      return new Response("who are you?", { status: isRight ? 200 : 401 });
    });
    const probe = { request: { url, headers: { Authorization: "Basic {{basicAuth}}" } } };
    const right = routeTo(url, { username: "u", password: "right", probe }).provider;
    expect((await right.probe()).at(-1)).toEqual({
      step: "login",
      ok: true,
      detail: "the provider takes the credentials",
      reason: { code: "test_credentials_taken" },
      ms: expect.any(Number),
    });
    const wrong = routeTo(url, { username: "u", password: "wrong", probe }).provider;
    expect((await wrong.probe()).at(-1)).toMatchObject({
      step: "login",
      ok: false,
      detail: expect.stringContaining("401"),
    });
  });
});
