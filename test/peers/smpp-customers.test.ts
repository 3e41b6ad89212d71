/**
 * Customers built on third-party SMPP libraries: long Persian texts in, receipts of each part and a phone's text out,
 * by transceivers and by separate transmitters and receivers, with a connection that is reset and a server that is
 * killed in mid-window.
 */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type EsmeProgram, ForeignEsme, foreignEsmes, removeEsmes } from "../support/foreign-esme.ts";
import { freePort } from "../support/free-ports.ts";
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import { eventually, PeykProcess, rowsIn } from "../support/peyk-process.ts";
import { ResettingProxy } from "../support/resetting-proxy.ts";
import { type SeededCustomer, seedCustomer, seedLine } from "../support/smpp-customer.ts";
import { temporaryFolder } from "../support/test-server.ts";

setDefaultTimeout(120_000);
afterAll(removeEsmes);

const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();
const text = "سلام و درود فراوان به شما مشتری گرامی، پیام شما رسید. ".repeat(4).slice(0, 190);
const shares = [text.slice(0, 67), text.slice(67, 134), text.slice(134)];
const parts = shares.map((share, index) => Buffer.concat([Buffer.from([5, 0, 3, 9, 3, index + 1]), ucs2(share)]));
const windowSize = 10;

/** Peyk in its own process, which can be killed and restarted on the same port. */
class Rig {
  readonly #folder = temporaryFolder();
  #port = 0;
  #customer: SeededCustomer | null = null;
  #peyk: PeykProcess | null = null;
  #proxy: ResettingProxy | null = null;

  get folder(): string {
    return this.#folder.path;
  }

  get proxy(): ResettingProxy {
    if (this.#proxy === null) throw new Error("The proxy does not run");
    return this.#proxy;
  }

  async start(repeats: EsmeProgram["repeats"]): Promise<void> {
    this.#customer = await seedCustomer(this.folder, {
      options: { window: windowSize, repeats },
    });
    await seedLine(this.folder, "30001234", this.#customer.credentialId);
    this.#port = await freePort();
    this.#peyk = await this.#started();
    this.#proxy = await ResettingProxy.start(this.#port);
    const fromPhone = { from: "+989121234567", to: "30001234", message: "پاسخ" };
    await this.#peyk.operate("POST", "/inbound/simulate", fromPhone);
  }

  async killAndStart(): Promise<void> {
    await this.#peyk?.kill();
    this.#peyk = await this.#started();
  }

  argv(mode: string, count: number): string[] {
    const { systemId = "", password = "" } = this.#customer ?? {};
    return [
      String(this.proxy.port),
      systemId,
      password,
      mode,
      String(count),
      ...parts.map((part) => part.toString("hex")),
    ];
  }

  async stop(): Promise<void> {
    this.#proxy?.stop();
    await this.#peyk?.stop();
    this.#folder.remove();
  }

  #started(): Promise<PeykProcess> {
    return PeykProcess.start({ folder: this.folder, env: { PEYK_SMPP_SERVER_LISTEN: `127.0.0.1:${this.#port}` } });
  }
}

let rig: Rig | null = null;
afterEach(async () => {
  await rig?.stop();
  rig = null;
});

interface Disruption {
  mode: "transceiver" | "apart";
  /** Happens once a third of the submits has been answered. */
  disrupt?: (rig: Rig) => Promise<void> | void;
}

const cases: Readonly<Record<string, Disruption>> = {
  "as a transceiver": { mode: "transceiver" },
  "as a transmitter and a receiver": { mode: "apart" },
  "whose connections are reset in mid-window": { mode: "apart", disrupt: ({ proxy }) => proxy.reset() },
  "whose server is killed in mid-window": { mode: "transceiver", disrupt: (one) => one.killAndStart() },
};

async function run(program: EsmeProgram, { mode, disrupt }: Disruption): Promise<void> {
  const started = new Rig();
  rig = started;
  await started.start(program.repeats);
  const count = disrupt === undefined ? 20 : 300;
  const esme = new ForeignEsme(program, started.argv(mode, count));
  const ids = () => esme.of("submitted").map(({ id = "" }) => id);
  const all = count + parts.length;
  if (disrupt !== undefined) {
    await eventually(() => ids().length > all / 3, 60_000);
    await disrupt(started);
  }
  const reported = () => new Set(esme.of("receipt").map(({ id }) => id));
  await eventually(() => ids().length === all && ids().every((id) => reported().has(id)), 60_000);
  await eventually(() => esme.of("text").length > 0, 60_000);
  await eventually(() => rowsIn(started.folder, "SELECT 1 FROM credential_delivery").length === 0, 60_000);
  await esme.end();
  expect(new Set(ids()).size).toBe(all);
  expect(new Set(esme.of("receipt").map(({ state }) => state))).toEqual(new Set(["DELIVRD"]));
  expect(esme.of("text")[0]).toMatchObject({ source: "989121234567", octets: ucs2("پاسخ").toString("hex") });
  expect(esme.of("failed")).toEqual([]);
  expectMessages(started.folder, count, program.repeats !== "off" || disrupt === undefined ? 0 : windowSize);
}

/** None is lost; of those that were never answered, up to this many are doubled. */
function expectMessages(folder: string, count: number, doubleMax: number): void {
  const rows = rowsIn<{ text: string }>(folder, "SELECT text FROM message").map((row) => row.text);
  expect(new Set(rows)).toEqual(new Set([text, ...Array.from({ length: count }, (_, index) => `item ${index}`)]));
  expect(rows.length - count - 1).toBeLessThanOrEqual(doubleMax);
}

/** Kannel does not know keys: it resends what was never answered. Its receipts name the message by the URL that it calls. */
async function runKannel({ mode, disrupt }: Disruption): Promise<void> {
  const started = new Rig();
  rig = started;
  await started.start("off");
  const [, systemId = "", password = ""] = started.argv(mode, 0);
  const heard: URL[] = [];
  await using http = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      heard.push(new URL(request.url));
      return new Response("");
    },
  });
  const url = `http://127.0.0.1:${http.port}`;
  const kannel = await startKannel({
    smscPort: started.proxy.port,
    username: "u",
    password: "p",
    bindsAs: { systemId, password },
    isApart: mode === "apart",
    getUrl: `${url}/inbound?text=%b`,
  });
  try {
    const texts = [text, ...Array.from({ length: disrupt === undefined ? 10 : 100 }, (_, index) => `item ${index}`)];
    const send = (one: string, index: number) => {
      const query = { username: "u", password: "p", from: "30001234", to: "+989121234500", text: one, coding: "2" };
      const report = { charset: "UTF-8", "dlr-mask": "3", "dlr-url": `${url}/receipt?type=%d&number=${index}` };
      return fetch(`${kannel.sendsmsUrl}?${new URLSearchParams({ ...query, ...report })}`);
    };
    // It accepts nothing before its bind is up.
    await eventually(async () => (await send(text, 0)).status === 202, 60_000);
    for (const [index, one] of texts.entries()) if (index > 0) expect((await send(one, index)).status).toBe(202);
    const delivered = () => {
      const receipts = heard.filter(
        ({ pathname, searchParams }) => pathname === "/receipt" && searchParams.get("type") === "1",
      );
      return new Set(receipts.map(({ searchParams }) => searchParams.get("number")));
    };
    if (disrupt !== undefined) {
      await eventually(() => delivered().size > texts.length / 5, 60_000);
      await disrupt(started);
    }
    await eventually(() => delivered().size === texts.length, 60_000);
    await eventually(() => heard.some(({ pathname }) => pathname === "/inbound"), 60_000);
    await eventually(() => rowsIn(started.folder, "SELECT 1 FROM credential_delivery").length === 0, 60_000);
    // Its %b is the octets as received.
    const octets = heard.find(({ pathname }) => pathname === "/inbound")?.searchParams.get("text") ?? "";
    expect(Buffer.from(octets, "latin1")).toEqual(ucs2("پاسخ"));
    expectMessages(started.folder, texts.length - 1, disrupt === undefined ? 0 : windowSize);
  } finally {
    await kannel.stop();
  }
}

describe.skipIf(!isKannelInstalled())("Kannel", () => {
  test.each(Object.entries(cases))("%s gets every receipt and an inbound text, and loses no message", (_, disruption) =>
    runKannel(disruption),
  );
});

for (const [library, { missing, make }] of Object.entries(foreignEsmes)) {
  if (missing.length > 0) console.log(`skipped  ${library} as a customer: ${missing.join(", ")} not found`);
  describe.skipIf(missing.length > 0)(`${library} ${missing.length > 0 ? `(wants ${missing.join(", ")})` : ""}`, () => {
    let program: EsmeProgram;
    // Its packages are downloaded and compiled, on a machine that may be busy.
    beforeAll(async () => {
      program = await make();
    }, 900_000);
    test.each(Object.entries(cases))(
      "%s gets every receipt and an inbound text, and loses no message",
      (_, disruption) => run(program, disruption),
    );
  });
}
