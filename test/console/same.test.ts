/** The commands and requests that pages offer: the command line's own parser and the API accept each. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { SameText } from "../../src/console/client/same-text.ts";
import { sameCalls, writtenCall } from "../../src/console/components/same.tsx";
import { sameCommands, sameForms, sameRequests } from "../../src/console/components/same-calls.ts";
import { roleMay } from "../../src/domain/roles.ts";
import { runCli } from "../support/cli.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { declaredPages } from "../support/declared-pages.ts";
import { drawerControls } from "../support/drawer-controls.ts";

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
  from: "2026-11-20",
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
  kind: "smpp",
  traffic: "bulk",
  mode: "prepaid",
  billing: "prepaid",
  price: "120",
  prefix: "98912",
  role: "support",
  span: "day",
  range: "24h",
  condition: "RouteDown",
  hours: "4",
  classes: "otp",
  accounts: "acc_1",
  ranges: "+98912",
  number: "2",
  to: "2",
  by: "day",
  parts: "2",
  day: "100",
  "month of settings": "200",
  grace: "900",
  "to of messages": "2026-11-21",
  month: "2026-11",
  class: "single",
  match: "any",
  place: "2",
  outcome: "done",
  binds: "4",
  window: "10",
  charset: "gsm7",
  ia5: "gsm7",
  messageIds: "code",
  repeats: "off",
  requestKey: "header",
  requestKeyName: "X-Id",
  repeatsTag: "0x1500",
  requestKeySeconds: "۸۶٬۴۰۰",
  requestKeyFreeAfterFailure: "yes",
  sendAt: "2030-01-01T08:00:00.000Z",
  operations: "reads",
  readsTexts: "yes",
  free: "POST /messages",
  "weight-0": "3",
  "weight-1": "1",
};
/** Nothing is changed yet, or a file is named that the operator has. */
const expected =
  /Say (at least one|what changes|either|a tracking code|--account or --route)|There is no file|cannot be read: it does not exist/;
/** What is needed and not typed yet. */
const isMissing = (text: string, problem: string) =>
  (text.match(/(?<=[ '])[A-Z]{2,}(?=[ ']|$)/g) ?? []).some((word) => problem.includes(word));

const wordFor = (page: string, control: string) =>
  typed[`${control} of ${page.startsWith("/messages") ? "messages" : (page.split("/").at(-1) ?? "")}`] ??
  typed[control] ??
  (/Days|Max|max|days/.test(control) ? "5" : "x y");
const code = "01JD0000000000000000000000";
const params = { id: "acc_1", key: "key_1", code, name: "a", number: "1", list: "base", channel: "mail" };

/** As a shell reads it. */
const argvOf = (line: string) =>
  [
    ...line
      .replaceAll(/ \\\n\s+/g, " ")
      .replaceAll(/"\$\(date [^)]*\)"/g, "2026-11-20")
      .matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g),
  ].map(([, quoted, bare]) => quoted?.replaceAll("'\\''", "'") ?? bare ?? "");

const writtenOf = (page: string, query: URLSearchParams, isCustomer = false) =>
  sameCalls({ page, params }, isCustomer).map((call) => writtenCall(call, `/?${query}`));

test("every command is accepted by the command line's own parser, with and without what is typed", async () => {
  const isAddress = new Set(declaredPages().map(({ path }) => path));
  const refused: string[] = [];
  const unknown = [...Object.keys(sameCommands), ...Object.keys(sameForms)].filter((path) => !isAddress.has(path));
  expect(unknown).toEqual([]);
  for (const page of Object.keys(sameCommands)) {
    const controls = sameCalls({ page, params }, false).flatMap(({ flags }) => drawerControls(flags));
    const all = new Set(controls);
    const query = new URLSearchParams([...all].map((one) => [one, wordFor(page, one)]));
    for (const asked of [new URLSearchParams(), query])
      for (const text of writtenOf(page, asked)) {
        // Those without any of their flags change nothing.
        const [, ...argv] = argvOf(text);
        const run = await runCli([
          ...argv,
          ...(["doctor", "config", "backup"].includes(argv[0] ?? "") ? ["--help"] : ["--socket", "/nowhere"]),
        ]);
        const isAsked = run.code === 0 || run.err.includes("nothing answers at /nowhere");
        const isEmpty = asked !== query && isMissing(text, run.err);
        if (!isAsked && !isEmpty && !expected.test(run.err)) refused.push(`${text}: ${run.err}`);
      }
  }
  expect(refused).toEqual([]);
});

/** Pages and forms that have neither, or one of them only, and why. */
const without: readonly (readonly [addresses: RegExp, why: string])[] = [
  [/\/live$/, "the stream of a page"],
  [/\.csv$|\/(refused|wrong|download)$|^\/system\/licences$/, "a file that is downloaded, from a page that has one"],
  [/^\/(choices\/|send\/|first)/, "a step of a form, or its choices"],
  [/\/(preview|import|-import|imports)\/:/, "a later step of an import, whose page has it"],
  [/^\/(settings|confirm\/|menu|keyboard|search|kept-form)/, "a user's own, or a way about the console"],
  [/^\/help/, "read alone"],
  [/^\/callbacks\/:id\/(switch|secret)/, "a button beside the deliveries, whose page has it"],
  [/^\/callbacks\/:id\/test$/, "the same"],
  [
    /^\/alerts\/(silence|receivers\/:channel)\/end$/,
    "/alerts/conditions has it; receivers are set here or in the file",
  ],
  [/^\/(keys(\/|$)|account(\/|$)|errors$|balance-alert)/, "a customer's own; the account's pages have the command"],
  [/^\/(colleagues|senders\/ask|approvals\/senders)/, "people ask people: there is no command"],
  [/^\/(conversation|begin|intakes)$/, "several lists side by side"],
  [/^\/(patterns\/:code\/preview|prices\/:list\/cost|routes\/:name\/match)$/, "a trial on the page"],
  [/^\/system\/certificate\/reload$/, "a signal does it"],
];

/** The public API sends, tracks and receives; the rest of the portal is the console's alone. */
const ofPortal =
  /^\/$|^\/(accounts\/:id\/keys|credentials|intakes|usage|money|campaigns|inbound\/|groups\/|patterns\/)|^\/messages(\/cancel)?$|\/callbacks\/:id\/replay$/;

function unlisted(role: "owner" | "customer", calls: Readonly<Record<string, unknown>>) {
  const paths = declaredPages().flatMap((page) => ("action" in page && roleMay(role, page.action) ? [page.path] : []));
  return [...new Set(paths)].filter(
    (path) => !Object.hasOwn(calls, path) && !without.some(([addresses]) => addresses.test(path)),
  );
}

test("every page and form has its command and its request, or there is a reason why not", () => {
  expect(unlisted("owner", { ...sameCommands, ...sameForms })).toEqual([]);
  expect(unlisted("customer", sameRequests).filter((path) => !ofPortal.test(path))).toEqual([]);
  const paths = declaredPages().map(({ path }) => path);
  expect(without.filter(([addresses]) => !paths.some((path) => addresses.test(path)))).toEqual([]);
});

/** As the script in the browser fills it in. */
function typedIn(page: string, values: Readonly<Record<string, string>>): string[] {
  const calls = sameCalls({ page, params }, page !== "" && Object.hasOwn(sameRequests, page));
  return calls.map(
    (call) => new SameText(call, (control) => (values[control] === undefined ? [] : [values[control]])).text,
  );
}

/** Runs a written curl, with the key in place of its name. */
async function asked(text: string) {
  const words = argvOf(text);
  const valuesAfter = (flag: string) => words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const url = /"\$SMS_URL([^"]+)"/.exec(text)?.[1] ?? "";
  const headers = [...text.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [name, value]);
  const [body] = valuesAfter("-d");
  const answer = await fetch(server.url + url, {
    method: valuesAfter("-X")[0] ?? "GET",
    headers: { ...Object.fromEntries(headers), "X-API-Key": apiKey },
    ...(body !== undefined && { body }),
  });
  return answer.status;
}

test("every request is accepted by the public API", async () => {
  for (const page of Object.keys(sameRequests))
    for (const text of typedIn(page, {
      from: "30001234",
      recipients: "09121234567",
      text: "سلام",
      url: "http://127.0.0.1:1/hook",
      events: "message.status",
    })) {
      // Nothing of that code exists, and callbacks go to public addresses alone.
      const expected = /:(code|id)\b/.test(page) ? 404 : page === "/callbacks/new" ? 400 : page === "/send" ? 202 : 200;
      expect({ page, status: await asked(text) }).toEqual({ page, status: expected });
      expect(text).not.toContain(apiKey);
    }
});

test("a send to many, or at a later time, is written as the requests that do it", async () => {
  const fields = { from: "acc_1/30001234", text: "it's", reference: "r-1", key: "0f3f" };
  const [many = ""] = typedIn("/send", { ...fields, recipients: "09121234567, 09121234568\n09121234569" });
  expect([many.includes("/v1/messages/batch"), many.match(/"recipient"/g)?.length]).toEqual([true, 3]);
  expect(many).toContain('-H "Idempotency-Key: 0f3f"');
  expect(await asked(many)).toBe(202);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const [later = ""] = typedIn("/send", { ...fields, key: "0f40", recipients: "09121234567 09121234568", sendAt });
  const each = later.split("\n\n");
  expect(each.map((one) => /Idempotency-Key: ([^"]+)/.exec(one)?.[1])).toEqual(["0f40", "0f40-2"]);
  for (const one of each) expect(await asked(one)).toBe(202);
  const crowd = Array.from({ length: 2_600 }, (_, index) => String(9_121_000_000 + index)).join("\n");
  const [six = ""] = typedIn("/send", { ...fields, recipients: crowd });
  expect([six.match(/batch/g)?.length, six.endsWith("# +3")]).toEqual([3, true]);
  // Nothing is typed yet: each run is a request of its own.
  expect(typedIn("/send", {})[0]).toContain("$(uuidgen)");
});

test("operators see the command, customers the request, and neither sees a secret or the other's", async () => {
  const list = plainText(await (await owner.get("/accounts?q=city+clinic")).text());
  expect(list).toContain("peyk account list --query 'city clinic'");
  const balance = plainText(await (await owner.get("/accounts/acc_1/balance")).text());
  expect([balance.includes("peyk account topup acc_1"), balance.includes("peyk account correct acc_1")]).toEqual([
    true,
    true,
  ]);
  const send = plainText(await (await customer.get("/send?to=09121234567")).text());
  expect([send.includes("$SMS_URL/v1/messages"), send.includes("peyk ")]).toEqual([true, false]);
  expect(await (await owner.get("/routes/-new")).text()).not.toMatch(/data-same="[^"]*password/);
});
