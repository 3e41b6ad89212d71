/** A service with some of everything, under a clock that stands still, and what its pages show to each role. */
import { streamed } from "../../src/cli/client.ts";
import type { Language } from "../../src/console/language.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { type Random, systemRandom } from "../../src/platform/random.ts";
import { type ConsoleProcess, chooseFile, FormClient, importChosen, signedInAs, startConsole } from "./console.ts";
import { reaches } from "./console-traffic.ts";
import { freePort } from "./free-ports.ts";

/** A Friday afternoon in Tehran: 29 Aban 1405. */
const seededAt = Date.UTC(2026, 10, 20, 12, 42, 7);

/** Timers that may fire anywhere in a run: what they start would be done in one run and not in another. */
const repeatableMsMax = 900;

/** The clock stands still, but timers run: the service's work takes no wall-clock time. */
class StandingClock implements Clock {
  #now = seededAt;
  #aheadMs = 0;
  readonly monotonic = () => systemClock.monotonic() + this.#aheadMs;
  readonly after: Clock["after"];

  constructor(readonly isRepeatable: boolean) {
    this.after = (delayMs, task) =>
      isRepeatable && delayMs > repeatableMsMax ? { cancel: () => undefined } : systemClock.after(delayMs, task);
  }

  readonly now = () => this.#now;

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Rates forget what was sent. */
  forgetRates(): void {
    this.#aheadMs += ms.hour;
  }
}

export type Reader = "owner" | "customer" | "nobody";

export interface ShownPage {
  /** Usable as a file name. */
  name: string;
  reader: Reader;
  path: string;
  /** What is posted there, for a page that answers a form. */
  form?: Readonly<Record<string, string>>;
}

export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
}

/** The user, language and theme with which a page is requested. */
export interface Look {
  language: Language;
  theme?: "system" | "light" | "dark";
}

const ms = { minute: 60_000, hour: 3_600_000 };

async function addAccounts({ api }: ConsoleProcess) {
  for (const [name, senders] of [
    ["Mehr Clinics", ["30001234", "MehrClinic"]],
    ["بانک آینده‌سازان", ["30005555"]],
    ["Tooba Books", ["30007777"]],
  ] as const) {
    const { id } = await api("POST /accounts", { name });
    for (const sender of senders) await api("POST /accounts/:id/senders", { id, sender });
  }
  await api("PATCH /accounts/:id", { id: "acc_1", note: "Calls on Sundays only.", defaultSender: "30001234" });
  await api("PUT /quotas/:of", { of: "acc_1", day: 5_000, month: 90_000 });
  await api("POST /keys", {
    account: "acc_1",
    name: "till",
    allowFrom: ["192.0.2.0/24"],
    expiresAt: "2027-01-31T08:00:30Z",
  });
  const revoked = await api("POST /keys", { account: "acc_1", name: "old" });
  await api("POST /keys/:id/revoke", { id: revoked.id });
  await api("POST /accounts/:id/suspend", { id: "acc_3" });
  return (await api("POST /keys", { account: "acc_1", name: "backend" })).apiKey;
}

async function addCredentials({ api }: ConsoleProcess) {
  await api("POST /credentials", {
    key: "key_1",
    traffic: "bulk",
    kind: "smpp",
    name: "clinic",
    rate: 50,
    repeats: 0x1500,
  });
}

async function addRoutes({ api }: ConsoleProcess) {
  // Nobody listens on it, and it is the same in each run.
  const down = { host: "127.0.0.1", port: 1, systemId: "peyk", password: "secret", tls: false };
  await api("POST /routes", { name: "operator-b", kind: "smpp", options: down });
  await api("POST /routes", { name: "backup", kind: "simulator", options: { partsPerSecond: 30 } });
  await api("POST /plans", { name: "iran" });
  const targets = [{ routes: ["simulator", "operator-b"], weight: 3 }, { routes: ["backup"] }];
  await api("POST /plans/:name/rules", { name: "iran", classes: ["bulk"], networks: ["Irancell"], targets });
  await api("POST /plans/:name/rules", { name: "iran", targets: [{ routes: ["backup"] }] });
  await api("POST /plans", { name: "empty" });
  await api("PATCH /accounts/:id/senders/:sender", { id: "acc_2", sender: "30005555", plan: "iran" });
}

async function addMoney({ api }: ConsoleProcess) {
  await api("POST /prices/:list", { list: "retail", prefix: "*", price: "120" });
  await api("POST /prices/:list", { list: "retail", prefix: "98", price: "90" });
  await api("POST /prices/:list", { list: "retail", prefix: "*", price: "150", from: "2099-01-01" });
  await api("POST /prices/:list", { list: "draft", prefix: "98", price: "70" });
  await api("PUT /accounts/:id/billing", { id: "acc_1", mode: "prepaid", list: "retail" });
  await api("POST /accounts/:id/topup", { id: "acc_1", amount: 500_000, note: "Invoice 12" });
}

async function addContent({ api, socketPath, folder }: ConsoleProcess) {
  const socket = { path: socketPath, dataDir: folder, user: "owner" };
  for (const [code, text] of [
    ["ready", "Dear {{name}}, your order {{order}} is ready."],
    ["visit", "{{name}} عزیز، نوبت شما {{day}} است."],
  ] as const) {
    await api("POST /patterns", { account: "acc_1", code, name: code, text });
  }
  await api("POST /patterns/:code/approve", { code: "ready", by: "owner" });
  const members = "mobile,firstName\n09120000000,علی\n09120000010,Sara\n";
  for (const code of ["friends", "spring"]) {
    await api("POST /groups", { account: "acc_1", code, name: code === "friends" ? "Friends" : "بهار" });
    await new Response(await streamed(socket, "POST /groups/:code/import", { code }, members)).text();
  }
  await api("POST /groups/:code/approve", { code: "friends", by: "owner" });
  await api("POST /suppressions", { number: "09121110000", note: "Asked by phone." });
  await api("POST /suppressions", { number: "09121110001", account: "acc_1" });
  await api("POST /lines", { number: "30005555", account: "acc_2" });
  await api("POST /lines", { number: "30001234", account: "acc_1" });
  const number = "30001234";
  const rule = { words: ["نوبت", "time"], match: "contains", reply: "نوبت شما فردا ساعت ۹ است." } as const;
  await api("POST /lines/:number/rules", { number, ...rule, words: [...rule.words] });
  const last = { match: "any", reply: "Thank you.", closedReply: "Closed.", joins: "friends" } as const;
  await api("POST /lines/:number/rules", { number, ...last, hours: ["09:00-17:00 Sat Sun"] });
  for (const message of ["سلام، نوبت من کی است؟", "Thank you", "لغو"]) {
    await api("POST /inbound/simulate", { from: "09121234567", to: "30001234", message });
  }
  await api("POST /inbound/simulate", { from: "09121234567", to: "30009999", message: "To nobody" });
}

/** Waits until the service has nothing left to do: states and attempts stay as they are. */
export async function settled({ api }: ConsoleProcess): Promise<void> {
  let [before, same] = ["", 0];
  while (same < 5) {
    await Bun.sleep(20);
    const [messages, { rows }] = [await api("GET /messages", {}), await api("GET /webhooks", {})];
    const deliveries = await Promise.all(rows.map(({ id }) => api("GET /webhooks/:id/deliveries", { id })));
    const now = JSON.stringify([messages, rows, deliveries]);
    same = now === before ? same + 1 : 0;
    before = now;
  }
}

/**
 * Delivered, failed, waiting, scheduled, without a receipt: the simulator decides by the last two digits. Returns their
 * codes.
 */
async function send(server: ConsoleProcess, key: string, clock: StandingClock, destination: string): Promise<string[]> {
  const { api, url } = server;
  const post = (path: string, body: object, idempotencyKey: string, more: Readonly<Record<string, string>> = {}) => {
    const own = { "X-API-Key": key, "Content-Type": "application/json", "Idempotency-Key": idempotencyKey };
    const headers = { ...own, ...more };
    return fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  };
  await post("/v1/webhooks", { url: `https://${destination}/sms`, events: ["message.status"] }, "hook");
  // Their charges are booked one by one.
  if (clock.isRepeatable) await api("PUT /routes/:name", { name: "simulator", options: { partsPerSecond: 20 } });
  const codes: string[] = [];
  for (let index = 0; index < 26; index += 1) {
    const recipient = `091212345${String(index).padStart(2, "0")}`;
    const message = index % 2 === 0 ? `سلام، نوبت شما ساعت ${index} است.` : "Your order is ready.";
    const at = index === 10 ? { sendAt: new Date(clock.now() + ms.hour).toISOString() } : {};
    const body = { sender: "30001234", recipient, message, clientReference: `order-${index}`, ...at };
    const sent: { trackingCode?: string } = await (await post("/v1/messages", body, `m-${index}`)).json();
    codes.push(String(sent.trackingCode));
    if (clock.isRepeatable) await settled(server);
    if (index % 5 === 0) clock.pass(ms.minute);
  }
  const messages = ["00", "01", "02", "10"].map((end) => ({ recipient: `091234567${end}`, message: "یلدا مبارک!" }));
  await post("/v1/messages/batch", { sender: "30001234", messages }, "batch", { "Peyk-Campaign": "yalda-1405" });
  const typed = { account: "acc_2", sender: "30005555", message: "From the console", idempotencyKey: "typed" };
  await api("POST /messages", { ...typed, recipients: ["09121234599"] });
  if (clock.isRepeatable) await settled(server);
  for (const code of [codes[25], codes[0]]) await reaches(server, code ?? "", "delivered");
  await reaches(server, codes[1] ?? "", "failed");
  while ((await api("GET /webhooks", {})).rows[0]?.lastAttempt == null) await Bun.sleep(20);
  return codes;
}

/** Pages that no link leads to: for wrong addresses, for forms, and for readers who are not signed in. */
const otherPages: readonly ShownPage[] = [
  { name: "send-wrong", reader: "owner", path: "/send/review", form: { recipients: "12", text: "", when: "later" } },
  {
    name: "send-review",
    reader: "owner",
    path: "/send/review",
    form: { from: "acc_1/30001234", recipients: "09121234567\n0912", text: "سلام", when: "", key: "seeded" },
  },
  { name: "account-new-wrong", reader: "owner", path: "/accounts/new", form: { name: "" } },
  { name: "account-settings-wrong", reader: "owner", path: "/accounts/acc_1/settings", form: { name: "", day: "x" } },
  { name: "route-new-json", reader: "owner", path: "/routes/-new?carrier=other&example=json-example" },
  {
    name: "route-tested",
    reader: "owner",
    path: "/routes/-new",
    form: { carrier: "smpp", name: "c", host: "127.0.0.1", port: "1", systemId: "p", password: "s", do: "test" },
  },
  {
    name: "route-new-wrong",
    reader: "owner",
    path: "/routes/-new",
    form: { carrier: "smpp", name: "operator c", port: "x", rest: '{"tlvs": 1}' },
  },
  { name: "key-new-wrong", reader: "owner", path: "/accounts/acc_1/keys/new", form: { name: "", rate: "many" } },
  {
    name: "key-issued",
    reader: "owner",
    path: "/accounts/acc_2/keys/new",
    form: { name: "new", permissions: "messages:send" },
  },
  {
    name: "credential-new-wrong",
    reader: "owner",
    path: "/credentials/new",
    form: { key: "key_1", kind: "smpp", name: "شعبه", traffic: "bulk", binds: "101" },
  },
  {
    name: "credential-issued",
    reader: "customer",
    path: "/credentials/new",
    form: { key: "key_1", kind: "smpp", traffic: "single", charset: "gsm7", messageIds: "code" },
  },
  {
    name: "receiver-wrong",
    reader: "owner",
    path: "/alerts/receivers/mail",
    form: { server: "mail", user: "p", to: "x" },
  },
  { name: "receiver-webhook", reader: "owner", path: "/alerts/receivers/webhook" },
  { name: "plan-test", reader: "owner", path: "/plans/iran/test", form: { numbers: "09121234567 12", class: "bulk" } },
  {
    name: "rule-tried",
    reader: "owner",
    path: "/inbound/lines/30001234/rules",
    form: { from: "09121234567", text: "My time?" },
  },
  { name: "rule-wrong", reader: "owner", path: "/inbound/lines/30001234/rules/-new", form: { match: "prefix" } },
  { name: "suppression-wrong", reader: "owner", path: "/suppression", form: { number: "12", account: "" } },
  {
    name: "price-cost",
    reader: "owner",
    path: "/prices/retail/cost",
    form: { recipient: "09121234567", text: "سلام، نوبت شما ساعت ۵ است." },
  },
  { name: "price-wrong", reader: "owner", path: "/prices/retail/set", form: { prefix: "x", price: "-" } },
  {
    name: "pattern-sample",
    reader: "owner",
    path: "/patterns/ready/preview",
    form: { "value-name": "Sara", to: "09121234567" },
  },
  { name: "messages-filtered", reader: "owner", path: "/messages?status=failed&account=acc_1" },
  { name: "conversation", reader: "owner", path: "/conversation?number=%2B989121234567&account=acc_1" },
  { name: "messages-none", reader: "owner", path: "/messages?q=nothing-like-this" },
  { name: "not-found", reader: "owner", path: "/nothing/here" },
  { name: "wrong-address", reader: "owner", path: "/messages?before=nothing" },
  {
    name: "settings-wrong",
    reader: "owner",
    path: "/settings/password",
    form: { current: "no", next: "short", again: "" },
  },
  { name: "sign-in", reader: "nobody", path: "/sign-in" },
  { name: "sign-in-wrong", reader: "nobody", path: "/sign-in", form: { user: "nobody", password: "no" } },
  { name: "setup-ended", reader: "nobody", path: "/setup/ended" },
];

/** Equates pages of things that differ only in their ids. */
const shapeOf = (path: string) =>
  path.replace(/\/(?=[^/]*\d)[^/]*/g, "/one").replace(otherHelp, "/help$1/troubleshooting");
/** The documentation's pages differ only in their text. */
const otherHelp = /^\/help(\/fa)?\/(?!fa$)[^/]+$/;
const nameOf = (path: string) =>
  shapeOf(path)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "first";

/** Every page that a link leads to, starting from the first page; of pages that show one thing each, only the first. */
async function linkedPages(client: FormClient, reader: Reader): Promise<ShownPage[]> {
  const [paths, found] = [["/"], new Map<string, ShownPage | null>()];
  for (const path of paths) {
    if (found.has(shapeOf(path))) continue;
    const answer = await client.get(path);
    const isPage = answer.status === 200 && (answer.headers.get("Content-Type") ?? "").startsWith("text/html");
    found.set(shapeOf(path), isPage ? { name: `${reader}-${nameOf(path)}`, reader, path } : null);
    if (!isPage) continue;
    for (const [, href = ""] of (await answer.text()).matchAll(/<a [^>]*href="(\/[^"#?]*)/g)) paths.push(href);
  }
  return [...found.values()].filter((page) => page !== null);
}

async function madePages(server: ConsoleProcess, owner: FormClient, codes: readonly string[]): Promise<ShownPage[]> {
  const csv = "mobile,firstName\n09120000011,Reza\n0912,x\n";
  const numbers = await chooseFile(owner, "/suppression/preview", csv);
  const ended = await importChosen(owner, numbers, { header: "on" });
  const preview = await chooseFile(owner, "/groups/friends/preview", csv);
  const { setup } = await server.api("POST /users", { name: "newcomer", role: "support" });
  const ofOwner = { "import-preview": preview, "import-ended": ended.path, "message-failed": `/messages/${codes[1]}` };
  return [
    ...Object.entries(ofOwner).map(([name, path]): ShownPage => ({ name, reader: "owner", path })),
    { name: "setup", reader: "nobody", path: setup.path },
  ];
}

export type SeededConsole = Awaited<ReturnType<typeof startSeededConsole>>;

interface Seed {
  /** Only accounts, for what pages say when there is nothing to show. */
  isEmpty?: boolean;
  /** For pages that are the same in each run: every message is done before the next, and long timers never fire. */
  random?: Random;
}

export async function startSeededConsole({ isEmpty = false, random }: Seed = {}) {
  const clock = new StandingClock(random !== undefined);
  const destination = `127.0.0.1:${await freePort()}`;
  const settings = { portalListen: "127.0.0.1:0", timeZone: "Asia/Tehran" };
  const server = await startConsole(
    ({ webhooks }) => ({ ...settings, webhooks: { ...webhooks, trustedDestinations: [destination] } }),
    { clock, random: random ?? systemRandom },
  );
  const key = await addAccounts(server);
  let codes: string[] = [];
  if (!isEmpty) {
    await addCredentials(server);
    await addRoutes(server);
    await addMoney(server);
    await addContent(server);
    codes = await send(server, key, clock, destination);
    if (clock.isRepeatable) clock.forgetRates();
    await server.api("POST /backups", {});
  }
  const owner = await signedInAs(server, "owner");
  const portal = server.portalUrl ?? "";
  const customer = await signedInAs(server, "customer", { account: isEmpty ? "acc_2" : "acc_1", url: portal });
  const clients: Readonly<Record<Reader, FormClient>> = { owner, customer, nobody: new FormClient(server.consoleUrl) };
  const linked = [...(await linkedPages(owner, "owner")), ...(await linkedPages(customer, "customer"))];
  /** For an empty service the lists, which differ from full ones. */
  const pages = isEmpty
    ? linked.filter(({ path }) => /^\/[^/]*$/.test(path)).map((page) => ({ ...page, name: `empty-${page.name}` }))
    : [...linked, ...(await madePages(server, owner, codes)), ...otherPages];
  return {
    ...server,
    clock,
    clients,
    pages,
    codes,
    async speak({ language, theme = "light" }: Look) {
      for (const client of Object.values(clients)) await client.post("/preferences", { language, theme, back: "/" });
    },
    async answer({ reader, path, form }: ShownPage): Promise<PageAnswer> {
      const client = clients[reader];
      const answer = await (form === undefined ? client.get(path) : client.post(path, { ...form }));
      return { status: answer.status, headers: answer.headers, html: await answer.text() };
    },
  };
}
