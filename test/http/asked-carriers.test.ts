/** The whole service with a carrier that must be polled, takes lists, and signs its calls. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { CarrierService } from "../support/carrier-service.ts";
import { eventually } from "../support/peyk-process.ts";

// Processes and sockets on a busy machine.
setDefaultTimeout(60_000);

const secret = "s3cret-of-the-callbacks";
const key = "key of the carrier";
const inbox = [{ n: 1, from: "09121234567", to: "3000123", text: "سلام از گوشی" }];
const requests: { text: string }[][] = [];
let service: CarrierService;
let carrier: ReturnType<typeof Bun.serve>;

async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/inbox") {
    return Response.json({ items: inbox.filter(({ n }) => n > Number(searchParams.get("after"))) });
  }
  if (pathname === "/status") {
    const ids = searchParams.get("ids")?.split(",") ?? [];
    return Response.json({ entries: ids.map((id) => ({ id, status: id.endsWith("bad") ? 11 : 10 })) });
  }
  const { items }: { items: { text: string }[] } = await request.json();
  requests.push(items);
  return Response.json({ items: items.map(({ text }) => ({ id: `${crypto.randomUUID()}${text}` })) });
}

beforeAll(async () => {
  carrier = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  service = await CarrierService.start();
  const url = `http://127.0.0.1:${carrier.port}`;
  const options = {
    request: { url: `${url}/send`, body: { json: { items: { "{{each}}": { text: "{{text}}" } } } } },
    batch: { messages: 50, list: "items", id: { json: "id" } },
    reportPoll: {
      request: { url: `${url}/status`, query: { ids: "{{ids}}" } },
      everySeconds: 1,
      each: "entries",
      id: { json: "id" },
      state: { json: "status" },
      delivered: 10,
      failed: [11],
    },
    inboundPoll: {
      request: { url: `${url}/inbox`, query: { after: "{{cursor}}" } },
      everySeconds: 1,
      each: "items",
      sender: { json: "from" },
      receiver: { json: "to" },
      text: { json: "text" },
      id: { json: "n" },
      cursor: { greatest: "n" },
      cursorStart: "0",
    },
    receipts: { id: "id", state: "state", delivered: "ok", failed: "bad" },
    caller: { signature: { header: "X-Signature" } },
    callbackUrl: `${service.peyk.url}/from/carrier`,
    callbackSecret: secret,
    callbackKey: key,
  };
  await service.peyk.operate("POST", "/routes", { name: "asked", kind: "http", options });
  await service.customerOver("asked");
  await service.addLine("3000123");
});

afterAll(async () => {
  await service.stop();
  void carrier.stop(true);
});

test("messages share a request to a polled carrier, and its polled reports end them", async () => {
  const codes = await service.sendMany([...Array.from({ length: 20 }, (_, index) => `text ${index}`), "bad"]);
  await eventually(async () => (await service.statusOf(codes.at(-1) ?? "")) === "failed");
  for (const code of codes.slice(0, -1)) await service.untilStatus(code, "delivered");
  expect(requests.flat()).toHaveLength(21);
  expect(requests.length).toBeLessThan(10);
  const { figures } = await service.peyk.operate("GET", "/routes/asked");
  expect(figures).toMatchObject({ refusals: [{ kind: "receipt", code: "status:11", hour: 1 }] });
});

test("polled texts arrive once, also after a restart", async () => {
  await eventually(async () => (await service.inbound()).length === 1);
  inbox.push({ n: 2, from: "09121234567", to: "3000123", text: "دوباره" });
  await service.peyk.kill();
  await service.startAgain();
  await eventually(async () => (await service.inbound()).length === 2);
  expect((await service.inbound()).map(({ message }) => message)).toEqual(["سلام از گوشی", "دوباره"]);
});

test("a callback without the carrier's signature is refused", async () => {
  const body = '{"id":"7","state":"ok"}';
  const call = (signature: string) =>
    fetch(`${service.peyk.url}/from/carrier/${secret}/receipts`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Signature": signature },
      body,
    });
  expect((await call("")).status).toBe(403);
  const { callbacks } = await service.peyk.operate("GET", "/routes/asked");
  expect(callbacks).toMatchObject({ refused: { calls: 1, problem: "the signature is missing or wrong" } });
  expect((await call(createHmac("sha256", key).update(body).digest("hex"))).status).toBe(200);
});
