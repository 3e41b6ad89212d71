/** The commands and requests that pages offer: the command line's own parser and the API accept each. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sameCalls } from "../../src/console/components/same.tsx";
import { sameCommands, sameRequests } from "../../src/console/components/same-calls.ts";
import { runCli } from "../support/cli.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { declaredPages } from "../support/declared-pages.ts";

let server: ConsoleProcess;
let owner: FormClient;
let customer: FormClient;
let apiKey = "";
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await server.api("POST /accounts", { name: "Clinic" });
  await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001234" });
  ({ apiKey } = await server.api("POST /keys", { account: "acc_1", name: "till" }));
  owner = await signedInAs(server, "owner");
  customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

/** What may be typed into a control, where any text does not do. */
const typed: Readonly<Record<string, string>> = {
  from: "acc_1/30001234",
  recipients: "09121234567",
  amount: "1000",
  note: "paid in June",
  url: "https://clinic.example/hook",
  events: "message.status",
  status: "failed",
  error: "expired",
  rate: "60",
  expiresAt: "2030-01-01",
  permissions: "messages:send",
  allowFrom: "192.0.2.0/24",
  countries: "IR",
  timeZone: "Asia/Tehran",
  quietHours: "22:00-07:00",
  quietSingles: "yes",
  suppression: "bulk",
};
/** Nothing is typed yet, or a file is named that the operator has. */
const expected = /Say at least one|not "AMOUNT"|There is no file route\.json/;

const wordFor = (control: string) => typed[control] ?? (/Days|Max|max|days/.test(control) ? "5" : "x y");
const params = { id: "acc_1", key: "key_1", code: "01JD0000000000000000000000", name: "a", number: "1", list: "base" };

/** As a shell reads it. */
const argvOf = (line: string) =>
  [...line.replaceAll(/ \\\n\s+/g, " ").matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );

test("every command is accepted by the command line's own parser, with and without what is typed", async () => {
  const isPage = new Set(declaredPages().map(({ path }) => path));
  const refused: string[] = [];
  for (const [page, commands] of Object.entries(sameCommands)) {
    expect({ page, isDeclared: isPage.has(page) }).toEqual({ page, isDeclared: true });
    const controls = commands.flatMap(({ flags }) => Object.keys(flags));
    const query = new URLSearchParams(controls.map((control) => [control, wordFor(control)]));
    for (const path of ["/", `/?${query}`])
      for (const { text } of sameCalls({ page, params }, path, false) ?? []) {
        // Those without any of their flags change nothing.
        const [, ...argv] = argvOf(text);
        const run = await runCli([
          ...argv,
          ...(["doctor", "config"].includes(argv[0] ?? "") ? ["--help"] : ["--socket", "/nowhere"]),
        ]);
        const isAsked = run.code === 0 || run.err.includes("nothing answers at /nowhere");
        if (!isAsked && !expected.test(run.err)) refused.push(`${text}: ${run.err}`);
      }
  }
  expect(refused).toEqual([]);
});

test("every request is accepted by the public API", async () => {
  for (const page of Object.keys(sameRequests)) {
    const query = new URLSearchParams({ from: "30001234", recipients: "09121234567", text: "سلام" });
    const [call] = sameCalls({ page, params }, `/?${query}`, true) ?? [];
    const words = argvOf(call?.text ?? "");
    const text = call?.text ?? "";
    const url = /"\$SMS_URL([^"]+)"/.exec(text)?.[1] ?? "";
    const body = words.at(words.indexOf("-d") + 1) ?? "";
    const isPost = text.includes("-X POST");
    const answer = await fetch(server.url + url, {
      method: isPost ? "POST" : "GET",
      headers: { "X-API-Key": apiKey, "Idempotency-Key": "one", "Content-Type": "application/json" },
      ...(isPost && words.includes("-d") && { body }),
    });
    // A message of that code does not exist.
    expect({ page, status: answer.status }).toEqual({
      page,
      status: url.includes(params.code) ? 404 : isPost ? 202 : 200,
    });
    expect(text).not.toContain(apiKey);
  }
});

test("operators see the command, customers the request, and neither sees a secret or the other's", async () => {
  const list = plainText(await (await owner.get("/accounts?q=city+clinic")).text());
  expect(list).toContain("peyk account list --query 'city clinic'");
  const send = plainText(await (await customer.get("/send?to=09121234567")).text());
  expect([send.includes("$SMS_URL/v1/messages"), send.includes("peyk ")]).toEqual([true, false]);
  expect(await (await owner.get("/routes/-new")).text()).not.toMatch(/data-same="[^"]*password/);
});
