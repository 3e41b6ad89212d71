/** The path of a new installation: where it stands, what is asked, skipped and taken up again; who may walk it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { tellFirstOwner } from "../../src/cli/first-owner.ts";
import { readFileOrNull } from "../../src/cli/io.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";

let server: ConsoleProcess;
let owner: FormClient;
beforeAll(async () => {
  server = await startConsole();
});
afterAll(() => server.stop());

/** What `peyk serve` prints where its output goes. */
async function told(outIsTerminal: boolean, env: Record<string, string> = {}): Promise<string> {
  let out = "";
  const io = {
    env,
    outIsTerminal,
    out: (text: string) => {
      out += text;
    },
    err: () => undefined,
    readFile: readFileOrNull,
    readStdin: () => Promise.resolve(""),
    stream: () => Promise.resolve(),
  };
  await tellFirstOwner(io, { dataDir: server.folder, path: server.socketPath });
  return out;
}

const next = async (path: string) => (await owner.get(path)).headers.get("Location");
const shown = async (path: string) => (await owner.get(path)).text();

test("the link of the first owner is printed on a terminal, and never where it is kept", async () => {
  expect(await told(false)).toBe("");
  expect(await told(true, { NOTIFY_SOCKET: "/run/systemd/notify" })).toBe("");
  expect(await told(true)).toMatch(/http:\/\/127\.0\.0\.1:\d+\/setup\/\S{20,}/);
  owner = await signedInAs(server, "owner", { name: "leila" });
  expect(await told(true)).toBe("");
});

test("each step can be skipped, and the first page leads back to the one that is left", async () => {
  expect(await next("/first")).toBe("/first/carrier");
  expect(await shown("/")).toContain('href="/first/carrier"');
  const carrier = await shown("/first/carrier");
  expect([carrier.includes('href="/first/account"'), carrier.includes('href="/"')]).toEqual([true, true]);
  expect(carrier).not.toContain('class="menu"');
  // Without a sender there is neither a key nor a text.
  expect([await next("/first/key"), await next("/first/text")]).toEqual(["/first/account", "/first/account"]);
});

test("a carrier that is saved leads to an account, whose sender goes over it and never over the simulator", async () => {
  const carrier = { carrier: "smpp", rest: "{}", host: "127.0.0.1", port: "9", systemId: "peyk", password: "secret" };
  const wrong = await owner.post("/first/carrier", { ...carrier, name: "Not a name" });
  expect([wrong.status, (await wrong.text()).includes('aria-current="step"')]).toEqual([422, true]);
  const saved = await owner.post("/first/carrier", { ...carrier, name: "operator-a" });
  expect(saved.headers.get("Location")).toBe("/first/account");
  const form = await shown("/first/account");
  expect([form.includes('value="operator-a"'), form.includes('value="simulator"')]).toEqual([true, false]);
  const fields = { name: "Mehr Clinics", route: "operator-a", account: "" };
  const refused = await owner.post("/first/account", { ...fields, sender: "!" });
  expect(refused.status).toBe(422);
  // The account was made; its sender is asked for again.
  const account = /name="account" value="(acc_\d+)"/.exec(await refused.text())?.[1] ?? "";
  const done = await owner.post("/first/account", { ...fields, account, sender: "۳۰۰۰۱۲۳۴" });
  expect(done.headers.get("Location")).toBe("/first/key");
  expect((await server.api("GET /accounts", {})).rows.length).toBe(1);
  const { rows } = await server.api("GET /senders", { account });
  expect(rows.map(({ sender, routes }) => [sender, routes])).toEqual([["30001234", ["operator-a"]]]);
  expect(await next("/first")).toBe("/first/key");
  // So does the form of any further sender.
  expect(await shown(`/accounts/${account}/senders/new`)).toMatch(/<option[^>]*value="operator-a"[^>]* selected/);
});

test("a key is shown once, a wrong number comes back with what was typed, and the text is on its way", async () => {
  const made = await owner.post("/first/key", { name: "backend" });
  expect(plainText(await made.text())).toContain("curl -X POST");
  expect(await next("/first")).toBe("/first/text");
  const wrong = await owner.post("/first/text", { number: "12", message: "سلام", key: "one" });
  expect([wrong.status, (await wrong.text()).includes('value="12"')]).toEqual([422, true]);
  const sent = await owner.post("/first/text", { number: "۰۹۱۲۱۲۳۴۵۰۰", message: "سلام", key: "two" });
  const path = sent.headers.get("Location") ?? "";
  expect(path).toMatch(/^\/first\/text\/[0-9A-Z]{26}$/);
  const way = await shown(path);
  expect([way.includes("/first/done"), way.includes("Accepted")]).toEqual([true, true]);
  expect(await next("/first")).toBe("/");
  expect((await owner.get("/first/done")).status).toBe(200);
});

test("only who may add accounts walks it, and who may make no key goes past that step", async () => {
  const support = await signedInAs(server, "support", { name: "sam" });
  expect((await support.get("/first/account")).status).toBe(404);
  const operator = await signedInAs(server, "operator", { name: "olga" });
  expect((await operator.get("/first/key")).headers.get("Location")).toBe("/first/text");
});
