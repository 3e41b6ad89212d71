/**
 * RapidPro's courier sends by its External API channel and its Kannel channel, and gets receipts and texts: its own
 * handlers, from its module, in the program of test/peers/courier. The first run fetches 60 MB.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority } from "../support/certificates.ts";
import { DropInServer } from "../support/drop-in-server.ts";
import { freePort } from "../support/free-ports.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
afterAll(folder.remove);
const program = join(folder.path, "courier");
const source = join(import.meta.dir, "courier");

const failureOf = (command: string[]): string | null => {
  if (Bun.which("go") === null) return "there is no go";
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: source, stdout: "ignore", stderr: "pipe" });
  return exitCode === 0 ? null : stderr.toString();
};
/** A registry or a network may refuse; what cannot be compiled is a failure. */
const missing = failureOf(["go", "mod", "download"]);
if (missing !== null) console.log(`skipped  RapidPro's courier cannot be fetched: ${missing.slice(0, 500)}`);

const password = "password-of-flows";
const uuid = (index: number) => `0191e180-7d60-7000-aded-7d8b151cb${`${index}`.padStart(3, "0")}`;
const line = "+989120000001";
const persian = "سلام، نوبت شما فردا ساعت ۱۰ صبح است. لطفاً ده دقیقه زودتر بیایید. ".repeat(3).trim();

interface Told {
  kind: "sent" | "receipt" | "text";
  uuid?: string;
  status?: string;
  error?: string;
  answer?: string;
  from?: string;
  text?: string;
}

class Courier {
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #lines: AsyncIterator<Told>;
  readonly #told: Told[] = [];

  constructor(argv: readonly string[]) {
    this.#child = Bun.spawn([program, ...argv], { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    this.#lines = linesOf(this.#child.stdout);
  }

  send(message: { uuid: string; to: string; text: string }): Promise<Told> {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    this.#child.stdin.flush();
    return this.next("sent");
  }

  /** The next line of this kind: receipts come between the others. */
  async next(kind: Told["kind"]): Promise<Told> {
    for (;;) {
      const at = this.#told.findIndex((told) => told.kind === kind);
      const [found] = at < 0 ? [] : this.#told.splice(at, 1);
      if (found !== undefined) return found;
      const { value, done } = await this.#lines.next();
      if (done) throw new Error("courier has ended");
      this.#told.push(value);
    }
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const told of lines) yield JSON.parse(told);
  }
}

describe.skipIf(missing !== null)("RapidPro's courier (wants go, and its module)", () => {
  const authority = createAuthority();
  const paths = Object.fromEntries(["ca", "cert", "key"].map((name) => [name, join(folder.path, `${name}.pem`)]));
  const open: { stop(): Promise<void> }[] = [];

  beforeAll(() => {
    const { cert, key } = authority.issue({ names: ["IP:127.0.0.1"] });
    for (const [name, pem] of Object.entries({ ca: authority.cert, cert, key })) {
      writeFileSync(join(folder.path, `${name}.pem`), pem);
    }
    expect(failureOf(["go", "build", "-o", program, "."])).toBeNull();
  }, 600_000);
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.stop();
  });

  async function start(kind: "intake" | "kannel", more: object) {
    const port = await freePort();
    const origin = `https://127.0.0.1:${port}`;
    const seed = { kind, name: "flows", password, callbackOrigins: [origin], ...more };
    const server = await DropInServer.start([seed], { PEYK_WEBHOOKS_CA_FILE: paths.ca ?? "" });
    open.push(server);
    const courier = (type: "EX" | "KN", config: object) => {
      const own = [type === "KN" ? `${port}` : "0", paths.cert ?? "", paths.key ?? "", folder.path];
      const started = new Courier([type, "30001234", JSON.stringify(config), ...own]);
      open.push(started);
      return started;
    };
    return { server, origin, courier };
  }

  test("its External API channel sends once, also when it repeats, and knows a refusal from a pause", async () => {
    const { server, courier } = await start("intake", {
      callbackOrigins: undefined,
      template: { preset: "rapidpro", sender: "30001234" },
    });
    const config = {
      send_url: `${server.url}/in/flows`,
      method: "POST",
      content_type: "urlencoded",
      send_authorization: `Bearer ${password}`,
      max_length: 1000,
      body: "id={{id}}&text={{text}}&to={{to}}&to_no_plus={{to_no_plus}}&from={{from}}&from_no_plus={{from_no_plus}}&channel={{channel}}",
    };
    const flows = courier("EX", config);
    const message = { uuid: uuid(1), to: "+989121234567", text: persian };
    expect(await flows.send(message)).toMatchObject({ status: "W", answer: expect.stringContaining("200 OK") });
    expect(await flows.send(message)).toMatchObject({ status: "W" });
    expect(await flows.send({ uuid: uuid(2), to: "+98912", text: "x" })).toMatchObject({
      status: "F",
      answer: expect.stringContaining('"recipient_invalid"'),
    });
    const wrong = courier("EX", { ...config, send_authorization: "Bearer wrong" });
    expect(await wrong.send({ ...message, uuid: uuid(3) })).toMatchObject({ status: "F" });
    await server.operate("PATCH", "/credentials/cred_1", { rate: 1 });
    let paused: Told | null = null;
    for (let index = 10; paused === null; index += 1) {
      const told = await flows.send({ uuid: uuid(index), to: "+989121234567", text: `${index}` });
      if (told.status !== "W") paused = told;
    }
    expect(paused).toMatchObject({ status: "E", answer: expect.stringContaining("503 Service Unavailable") });
    expect(server.messages().filter(({ text }) => text === persian)).toMatchObject([
      { recipient: "+989121234567", sender: "30001234" },
    ]);
  }, 180_000);

  test("its Kannel channel sends Latin and Persian, gets receipts, is told of a refusal, and takes a text", async () => {
    const { server, origin, courier } = await start("kannel", {
      requestKey: { from: "query", name: "dlr-url" },
      requestKeyFreeAfterFailure: true,
    });
    const receive = `${origin}/c/kn/8eb23e93-5ecb-45ba-b726-3b064e0c56ab/receive`;
    const url = `${receive}?id=%I&ts=%T&sender=%p&message=%b`;
    await server.operate("POST", "/lines", { number: line, account: server.accountId });
    await server.operate("PUT", `/lines/${encodeURIComponent(line)}/credential`, { credential: "cred_1" });
    const forward = { preset: "kannel", inbound: { url, method: "POST" } };
    await server.operate("PUT", "/credentials/cred_1/forward", { forward });
    const flows = courier("KN", { send_url: `${server.url}/cgi-bin/sendsms`, username: "flows", password });
    for (const [index, text] of ["Hello {world} €", persian].entries()) {
      const sent = await flows.send({ uuid: uuid(index), to: "+989121234567", text });
      expect(sent).toMatchObject({ status: "W", answer: expect.stringContaining("0: Accepted for delivery") });
    }
    expect(await flows.send({ uuid: uuid(1), to: "+989121234567", text: persian })).toMatchObject({ status: "W" });
    expect(server.messages().map(({ text }) => text)).toEqual(["Hello {world} €", persian]);
    const receipts: Told[] = [];
    while (receipts.length < 4) receipts.push(await flows.next("receipt"));
    const of = (index: number) => receipts.filter((told) => told.uuid === uuid(index)).map(({ status }) => status);
    expect([of(0), of(1)]).toEqual([
      ["S", "D"],
      ["S", "D"],
    ]);
    expect(await flows.send({ uuid: uuid(2), to: "+98912", text: "x" })).toMatchObject({
      status: "F",
      answer: expect.stringContaining("Number(s) has/have been denied"),
    });
    await server.operate("POST", "/inbound/simulate", { from: "+989121234567", to: line, message: "بله & نه" });
    expect(await flows.next("text")).toMatchObject({ from: "+989121234567", text: "بله & نه" });
  }, 180_000);
});
