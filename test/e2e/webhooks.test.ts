/** Webhooks of the whole service as a process: what a customer's receiver gets, whatever happens to the service. */
import { afterEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { createAuthority, selfSigned } from "../support/certificates.ts";
import { type Customer, eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { okResponse, type ReceivedRequest, type TlsReceiver, tlsReceiver } from "../support/tls-receiver.ts";

const authority = createAuthority();
const pair = authority.issue({ names: ["IP:127.0.0.1"] });
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Answer = (socket: TLSSocket, request: ReceivedRequest) => void;
const ok: Answer = (socket) => void socket.write(okResponse);

async function receiver(answer: Answer, own = pair): Promise<TlsReceiver> {
  const made = await tlsReceiver(own, answer);
  cleanUps.push(() => made.stop());
  return made;
}

/** A service that trusts these receivers and the test's authority. `start` starts it again on the same folder. */
function service(receivers: readonly TlsReceiver[], env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  cleanUps.push(folder.remove);
  const caFile = join(folder.path, "authority.pem");
  writeFileSync(caFile, authority.cert);
  const trusted = receivers.map(({ port }) => `127.0.0.1:${port}`).join(",");
  const settings = { PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: trusted, PEYK_WEBHOOKS_CA_FILE: caFile };
  async function start(): Promise<PeykProcess> {
    const peyk = await PeykProcess.start({ folder: folder.path, env: { ...settings, ...env } });
    cleanUps.push(() => peyk.stop());
    return peyk;
  }
  return { folder: folder.path, start };
}

async function register(peyk: PeykProcess, customer: Customer, { port }: TlsReceiver, events = ["message.status"]) {
  const body = JSON.stringify({ url: `https://127.0.0.1:${port}/hook`, events });
  const response = await peyk.request(customer, "/v1/webhooks/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  const webhook: { id: string; signingSecret: string } = await response.json();
  expect(response.status).toBe(201);
  return webhook;
}

interface Event {
  id: string;
  type: string;
  data: Record<string, string>;
}
const eventOf = ({ body }: ReceivedRequest): Event => JSON.parse(body);
const headerOf = (name: string, { head }: ReceivedRequest) =>
  new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
const trackingCodeOf = (answer: { body: { trackingCode?: string } }) => answer.body.trackingCode ?? "";

describe("a webhook's receiver", () => {
  test("gets a message's steps and an inbound message, signed", async () => {
    const target = await receiver(ok);
    const peyk = await service([target]).start();
    const customer = await peyk.customer();
    const { signingSecret } = await register(peyk, customer, target, ["message.status", "inbound.received"]);
    const code = trackingCodeOf(await peyk.send(customer, { recipient: "09121234500" }));
    await eventually(() => target.requests.length === 3);
    expect(
      target.requests.map((request) => [eventOf(request).data.trackingCode, eventOf(request).data.status]),
    ).toEqual([
      [code, "processing"],
      [code, "sent"],
      [code, "delivered"],
    ]);
    await peyk.operate("POST", "/lines", { number: "30001234", account: customer.accountId });
    await peyk.operate("POST", "/inbound/simulate", { from: "09121234567", to: "30001234", message: "سلام" });
    await eventually(() => target.requests.length === 4);
    expect(target.requests.map(eventOf)[3]).toMatchObject({
      type: "inbound.received",
      data: { receiver: "30001234", message: "سلام" },
    });
    for (const request of target.requests) {
      const payload = `${headerOf("X-Service-Timestamp", request)}.${request.body}`;
      expect(headerOf("X-Service-Signature", request)).toBe(
        `v1=${createHmac("sha256", signingSecret).update(payload).digest("hex")}`,
      );
      expect(headerOf("X-Service-Event-Id", request)).toBe(eventOf(request).id);
    }
  }, 180_000);

  test("gets a delivery again from the operator's commands, which show it", async () => {
    const target = await receiver(ok);
    const { folder, start } = service([target]);
    const peyk = await start();
    const customer = await peyk.customer();
    const { id } = await register(peyk, customer, target);
    await peyk.send(customer, { recipient: "09121234502" });
    await eventually(() => target.requests.length === 2);
    const run = async (...args: string[]) => {
      const child = Bun.spawn([...peykCommand, "webhook", ...args, "--json", "--data-dir", folder], {
        stdout: "pipe",
        stderr: "pipe",
      });
      const out = await new Response(child.stdout).text();
      return { code: await child.exited, answer: out === "" ? null : JSON.parse(out) };
    };
    await eventually(async () => (await run("list")).answer[0].waiting === 0);
    expect((await run("list")).answer).toMatchObject([{ id, isActive: true, latest: { state: "delivered" } }]);
    const { answer } = await run("deliveries", id);
    expect(answer.map(({ step, state }: { step: string; state: string }) => [step, state])).toEqual([
      ["failed", "delivered"],
      ["processing", "delivered"],
    ]);
    expect(answer[0].attempts).toMatchObject([{ number: 1, outcome: "delivered", status: 200, excerpt: "ok" }]);
    expect((await run("replay", "--event", answer[0].event)).answer).toEqual({ deliveries: 1 });
    await eventually(() => target.requests.length === 3);
    expect(target.requests[2]?.body).toBe(target.requests[1]?.body ?? "");
    expect((await run("replay", "--since", "2020-01-01", "--subscription", id)).answer).toEqual({ deliveries: 2 });
    await eventually(() => target.requests.length === 5);
    expect((await run("replay", "--event", "nothing")).code).toBe(1);
    expect((await run("replay", "--since", "2020-01-01")).code).toBe(2);
    expect((await run("deliveries", "nothing")).code).toBe(1);
  }, 180_000);

  test("of a suspended account gets its callbacks after the account is resumed", async () => {
    const pending: TLSSocket[] = [];
    const target = await receiver((socket) => void pending.push(socket));
    const peyk = await service([target]).start();
    const customer = await peyk.customer();
    await register(peyk, customer, target);
    await peyk.send(customer);
    await eventually(() => target.requests.length === 1);
    await peyk.operate("POST", `/accounts/${customer.accountId}/suspend`);
    pending[0]?.write(okResponse);
    await Bun.sleep(300);
    expect(target.requests.length).toBe(1);
    await peyk.operate("POST", `/accounts/${customer.accountId}/resume`);
    await eventually(() => target.requests.length === 2);
  }, 180_000);
});

describe("the environment of webhooks", () => {
  for (const [what, content] of [
    ["is not there", null],
    ["holds no certificate", "hello"],
    ["holds a broken one", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
  ] as const) {
    test(`with a certificate authority file that ${what} stops the start with the file's name`, async () => {
      const folder = temporaryFolder();
      cleanUps.push(folder.remove);
      const caFile = join(folder.path, "authority.pem");
      if (content !== null) writeFileSync(caFile, content);
      const args = ["serve", "--data-dir", folder.path, "--listen", "127.0.0.1:0", "--console-listen", "127.0.0.1:0"];
      const env = { ...process.env, PEYK_WEBHOOKS_CA_FILE: caFile };
      const child = Bun.spawn([...peykCommand, ...args], { env, stdout: "ignore", stderr: "pipe" });
      const said = await new Response(child.stderr).text();
      expect([await child.exited, said.includes(caFile)]).toEqual([1, true]);
    }, 180_000);
  }

  test("cannot add a proxy or switch verification off", async () => {
    let proxied = 0;
    const countConnection = () => {
      proxied += 1;
    };
    const proxy = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { open: countConnection, data: () => undefined },
    });
    cleanUps.push(() => proxy.stop(true));
    const at = `http://127.0.0.1:${proxy.port}`;
    const good = await receiver(ok);
    const bad = await receiver(ok, selfSigned("127.0.0.1"));
    const env = {
      HTTP_PROXY: at,
      HTTPS_PROXY: at,
      ALL_PROXY: at,
      http_proxy: at,
      https_proxy: at,
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    };
    const peyk = await service([good, bad], env).start();
    const customer = await peyk.customer();
    await register(peyk, customer, good);
    const { id } = await register(peyk, customer, bad);
    await peyk.send(customer);
    await eventually(() => good.requests.length === 3);
    const outcomeAtBad = async () => {
      const deliveries = Object.values(await peyk.operate("GET", `/webhooks/${id}/deliveries`));
      return JSON.stringify(deliveries);
    };
    await eventually(async () => (await outcomeAtBad()).includes("certificate_refused"));
    expect([bad.requests.length, proxied]).toEqual([0, 0]);
  }, 180_000);
});

/** The steps of a message, without the first `queued`, as `code status`. */
async function stepsOf(peyk: PeykProcess, customer: Customer, code: string): Promise<string[]> {
  const response = await peyk.request(customer, `/v1/messages/${code}`);
  const { history }: { history: { status: string }[] } = await response.json();
  return history.slice(1).map(({ status }) => `${code} ${status}`);
}

/** Every event that arrived, with the ids under which it did. */
function heard({ requests }: TlsReceiver): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const request of requests) {
    const { id, data } = eventOf(request);
    const step = `${data.trackingCode} ${data.status}`;
    ids.set(step, (ids.get(step) ?? new Set()).add(id));
  }
  return ids;
}

describe("a kill (SIGKILL) of Peyk", () => {
  for (const moment of ["before", "during", "after"] as const) {
    test(`${moment} an attempt still delivers the event, under the same id`, async () => {
      let isFirstLife = true;
      const target = await receiver((socket, request) => {
        if (!isFirstLife || moment === "after") ok(socket, request);
      });
      const { start } = service([target]);
      const first = await start();
      const customer = await first.customer();
      await register(first, customer, target);
      // Two hanging attempts occupy both attempts that the webhook may have at once: the third message's events have had none.
      const count = moment === "before" ? 3 : 1;
      const codes: string[] = [];
      for (let sent = 0; sent < count; sent += 1) codes.push(trackingCodeOf(await first.send(customer)));
      await eventually(() => target.requests.length >= Math.min(count, 2));
      for (const code of codes) await eventually(async () => (await first.statusOf(customer, code)) === "delivered");
      await first.kill();
      isFirstLife = false;
      const second = await start();
      await eventually(async () => {
        const steps = (await Promise.all(codes.map((code) => stepsOf(second, customer, code)))).flat();
        return steps.length === 3 * count && steps.every((step) => heard(target).has(step));
      });
      expect([...heard(target).values()].filter(({ size }) => size > 1)).toEqual([]);
      for (const request of target.requests) expect(headerOf("X-Service-Event-Id", request)).toBe(eventOf(request).id);
    }, 180_000);
  }

  test("again and again under load loses no event, and gives none two ids", async () => {
    const target = await receiver(ok);
    const { start } = service([target]);
    let peyk = await start();
    const customer = await peyk.customer();
    await register(peyk, customer, target);
    const accepted: string[] = [];
    for (let life = 0; life < 4; life += 1) {
      const sending = Array.from({ length: 40 }, (_, index) =>
        peyk.send(customer, { key: `load-${life}-${index}`, recipient: "09121234500" }).then(
          (answer) => void accepted.push(trackingCodeOf(answer)),
          () => undefined,
        ),
      );
      const enough = accepted.length + 12 + life;
      await eventually(() => accepted.length >= enough);
      await peyk.kill();
      await Promise.all(sending);
      peyk = await start();
    }
    const isComplete = async () => {
      const steps = await Promise.all(accepted.map((code) => stepsOf(peyk, customer, code)));
      const ids = heard(target);
      return steps.every((taken) => taken.length >= 2 && taken.every((step) => ids.has(step)));
    };
    await eventually(isComplete, 40_000);
    expect(accepted.length).toBeGreaterThan(40);
    expect([...heard(target).values()].filter(({ size }) => size > 1)).toEqual([]);
  }, 90_000);
});
