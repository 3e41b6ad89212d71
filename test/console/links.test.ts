/** Every link of a page works for its reader: each is followed, by every role, starting with a new installation. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { conditionCodes } from "../../src/conditions/conditions.ts";
import { createLocale } from "../../src/console/locale.ts";
import { needText, needTexts } from "../../src/console/places/now/need.ts";
import { nowWords } from "../../src/console/places/now/words.ts";
import { isCustomerRole, type Role, roles } from "../../src/domain/roles.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";

let server: ConsoleProcess;
const clients = new Map<Role, FormClient>();
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await server.api("POST /accounts", { name: "Clinic" });
  for (const role of roles) {
    const portal = isCustomerRole(role) ? { account: "acc_1", url: server.portalUrl ?? "" } : {};
    clients.set(role, await signedInAs(server, role, portal));
  }
});
afterAll(() => server.stop());

/** The targets of the links on all pages that can be reached from the first one. */
async function followed(client: FormClient): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  const paths = ["/"];
  for (const path of paths) {
    if (statuses.has(path)) continue;
    const answer = await client.get(path);
    statuses.set(path, answer.status);
    const html = (answer.headers.get("Content-Type") ?? "").startsWith("text/html") ? await answer.text() : "";
    for (const [, href = ""] of html.matchAll(/<a [^>]*href="(\/[^"#?]*)/g)) paths.push(href);
  }
  return statuses;
}

test("no link leads to a page that its reader cannot open", async () => {
  for (const [role, client] of clients) {
    const statuses = [...(await followed(client))];
    expect(statuses.length).toBeGreaterThan(8);
    expect({ role, missing: statuses.filter(([, status]) => status >= 400) }).toEqual({ role, missing: [] });
  }
});

test("the steps to the first message are shown to roles that may take them", async () => {
  const firstPage = async (role: Role) => (await clients.get(role)?.get("/"))?.text();
  expect(await firstPage("operator")).toContain('href="/first/carrier"');
  expect(await firstPage("support")).not.toContain("begin-step");
});

test("a problem that only the system page can fix has no button for roles that cannot open it", () => {
  const locale = createLocale({ language: "en", zone: "UTC", now: 0 });
  const held = (role: Role) => needText({ kind: "condition", code: "Held", values: { since: 0 } }, locale, role).href;
  expect([held("owner"), held("support")]).toEqual(["/system#queue", null]);
  const down = { kind: "routeDown", route: "operator-a", since: 0, waiting: 0, cause: "", reason: null } as const;
  expect(needText(down, locale, "support").href).toBe("/routes/operator-a");
});

test("a failing webhook is shown with its last answer in the reader's language", () => {
  const [english, persian] = (["en", "fa"] as const).map((language) => createLocale({ language, zone: "UTC", now: 0 }));
  if (english === undefined || persian === undefined) throw new Error("no locale");
  const failing = { kind: "callbacksFailing", webhook: "w", account: "a", host: "h", since: 0, waiting: 2 } as const;
  const unreached = { answer: "connect_failed", attempt: { failure: "connect_failed", status: null, detail: null } };
  const refused = { answer: "503", attempt: { failure: "status", status: 503, detail: null } };
  const unknown = { answer: null, attempt: null };
  const causes = (locale: typeof english) =>
    [unreached, refused, unknown].map((answered) => needText({ ...failing, ...answered }, locale, "owner").cause);
  expect(causes(english)).toEqual([
    expect.stringContaining("connect_failed"),
    expect.stringContaining("503"),
    expect.stringContaining("switched off"),
  ]);
  expect(causes(persian)).toEqual([
    expect.stringContaining("اتصال پذیرفته نشد"),
    expect.stringContaining("۵۰۳"),
    expect.stringContaining("خاموش است"),
  ]);
});

test("hundreds of routes that are down are summed up in one line after the first", () => {
  const locale = createLocale({ language: "en", zone: "UTC", now: 0 });
  const down = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      return {
        kind: "routeDown",
        route: `operator-${index + 1}`,
        since: 0,
        waiting: 2,
        cause: "refused",
        reason: null,
      } as const;
    });
  const disk = { kind: "condition", code: "DiskFull", values: { bytes: 0 } } as const;
  const told = (count: number) => needTexts([...down(count), disk], locale, "owner").map(({ sentence }) => sentence);
  expect(told(4)).toHaveLength(5);
  const many = told(600);
  expect(many).toHaveLength(5);
  expect(many[3]).toStartWith("597 more routes are down: operator-4, operator-5,");
  expect(many[3]).toContain("589 more");
  expect(needTexts(down(600), locale, "owner").at(-1)).toMatchObject({ href: "/routes", state: "down" });
});

test("no cause is a command, and one that nobody told says so", () => {
  // Told with its last answer, and of a cluster that has no page yet.
  const others = ["RouteDown", "ClusterLogSilent", "EngineUnprotected"];
  const explained = conditionCodes.filter((code) => !others.includes(code) && !code.startsWith("Node"));
  for (const language of ["en", "fa"] as const) {
    const { why } = nowWords[language].need;
    expect(Object.keys(why).toSorted()).toEqual([...explained, "unknown"].toSorted());
    for (const text of Object.values(why)) expect(text).not.toMatch(/peyk |journalctl|systemctl|lsof|df -h/);
  }
  const locale = createLocale({ language: "en", zone: "UTC", now: 0 });
  const down = { kind: "routeDown", route: "b", since: 0, waiting: 2, cause: "", reason: null } as const;
  expect(needText(down, locale, "owner").cause).toContain("It gives no reason.");
  const away = { kind: "condition", code: "NodeAway", values: { node: "b", unheardMs: 1 } } as const;
  expect(needText(away, locale, "owner").cause).toBe("The cause is not known.");
});

test("the button under a need is the one that solves it for its reader", () => {
  const locale = createLocale({ language: "en", zone: "UTC", now: 0 });
  const reason = { code: "bind_refused", status: 14, statusName: "ESME_RINVPASWD", command: null } as const;
  const down = { kind: "routeDown", route: "b", since: 0, waiting: 2, cause: "wrong password", reason } as const;
  const throttled = { kind: "condition", code: "Throttled", values: { route: "b" } } as const;
  const empty = {
    kind: "condition",
    code: "BalanceLow",
    values: { account: "acc_1", name: "Mehr", isEmpty: true },
  } as const;
  const actsFor = (role: "operator" | "support") =>
    [down, throttled, empty].map((need) => {
      const { action, href } = needText(need, locale, role);
      return `${action}: ${href}`;
    });
  expect(actsFor("operator")).toEqual([
    "Change its sign-in: /routes/b/change",
    "Lower its speed: /routes/b/change",
    "Top up: /accounts/acc_1/balance",
  ]);
  expect(actsFor("support")).toEqual([
    "See the route: /routes/b",
    "See the route: /routes/b",
    "See the account: /accounts/acc_1",
  ]);
});
