/** A form posted after its session has ended is shown on its own page after the next sign-in, with what was typed. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { TOTP } from "otpauth";
import { passwordFields } from "../../src/console/forms/form-fields.ts";
import { languages } from "../../src/domain/console-look.ts";
import { sessionIdleMs } from "../../src/users/session-service.ts";
import {
  type ConsoleProcess,
  chooseFile,
  copyOf,
  FormClient,
  goodPassword,
  LateClock,
  signedInAs,
  startConsole,
} from "../support/console.ts";
import { type FormControl, type PageForm, pageForms } from "../support/page-forms.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let owner: FormClient;
/** The same browser, left alone until its session had ended. */
let left: FormClient;
let groupPath = "";
const clock = new LateClock();
beforeAll(async () => {
  server = await startConsole(undefined, { clock });
  owner = await signedInAs(server, "owner", { name: "olga" });
  const { api } = server;
  const id = (await replyOf(api("POST /accounts", { name: "Shop" }))).data?.id ?? "";
  await api("POST /accounts/:id/senders", { id, sender: "30001234" });
  await api("POST /routes", { name: "carrier", kind: "simulator", options: {} });
  await api("POST /prices/:list", { list: "list", prefix: "98", price: "500" });
  await owner.post("/plans/-new", { name: "plan" });
  await owner.post("/patterns/new", { account: id, code: "welcome", name: "Welcome", text: "Hi {{name}}" });
  const made = await owner.post("/groups/new", { account: id, code: "spring", name: "Spring" });
  groupPath = made.headers.get("Location") ?? "";
  left = owner;
  clock.pass(sessionIdleMs);
  owner = new FormClient(server.consoleUrl);
  await owner.post("/sign-in", { user: "olga", password: goodPassword });
});
afterAll(() => server.stop());

/** As a browser posts it whose session has ended; then its user signs in again. */
async function keptPage(path: string, fields: URLSearchParams): Promise<string> {
  const lost = await left.post(path, fields);
  expect({ path, to: lost.headers.get("Location") }).toEqual({ path, to: "/sign-in?to=%2Fkept-form" });
  owner.cookies.set("peyk_console_form", left.cookies.get("peyk_console_form") ?? "");
  const kept = await owner.get("/kept-form");
  expect({ path, status: kept.status }).toEqual({ path, status: 200 });
  return kept.text();
}

const isTyped = ({ type }: FormControl) => !["hidden", "file", "password"].includes(type);
const isOwn = ({ action }: PageForm) => /^\/(settings|preferences|sign-out)/.test(action);

/** Every form with an input, of all pages that links lead to. */
async function allForms(): Promise<PageForm[]> {
  const found = new Map<string, PageForm>();
  const seen = new Set<string>();
  const paths = ["/", groupPath, "/plans/plan/rules/-new", "/routes/-new?carrier=other", "/callbacks"];
  for (const path of paths) {
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await owner.get(path);
    if (!(answer.headers.get("Content-Type") ?? "").startsWith("text/html")) continue;
    const html = await answer.text();
    for (const form of await pageForms(html)) {
      const typed = form.controls.filter(isTyped);
      if (typed.length > 0 && !isOwn(form)) found.set(`${form.action} ${typed.map(({ name }) => name)}`, form);
    }
    for (const [, href = ""] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g)) paths.push(href.replaceAll("&amp;", "&"));
  }
  return [...found.values()];
}

/** Plausible input for each field; checkboxes are toggled. */
function filledIn({ name, type, value, choices }: FormControl): string | null {
  if (type === "hidden") return value;
  if (type === "select") return choices.at(-1) ?? null;
  if (type === "textarea") return `\nfirst & <b>${name}</b>\n"last"`;
  const [choice = null] = choices;
  if (type === "checkbox") return value === null ? choice : null;
  return type === "radio" ? value : `${name} & "more" <i>`;
}

test("every form is shown again by its own page, filled with what was typed", async () => {
  const forms = await allForms();
  expect(forms.map(({ action }) => action).toSorted()).toEqual(
    expect.arrayContaining([
      "/accounts/new",
      "/send/review",
      "/routes/-new",
      "/plans/-new",
      "/prices/-set",
      "/users?open=add",
    ]),
  );
  expect(forms.length).toBeGreaterThan(20);
  const passwords = forms.flatMap(({ controls }) => controls.filter(({ type }) => type === "password"));
  expect(passwords.map(({ name }) => name).filter((name) => !passwordFields.includes(name))).toEqual([]);
  expect(new Set(passwords.map(({ name }) => name)).size).toBeGreaterThan(1);
  for (const form of forms) {
    const fields = new URLSearchParams();
    const sent = form.controls.map((control) => ({ ...control, value: filledIn(control) }));
    for (const { name, value } of sent) if (value !== null) fields.append(name, value);
    const again = await pageForms(await keptPage(form.action, fields));
    const isSecret = ({ name }: FormControl) => form.action === "/routes/-new" && name === "file";
    const shownOf = (controls: FormControl[]) =>
      controls
        .filter((one) => isTyped(one) && !isSecret(one))
        .map(({ name, type, value }) => `${name} ${type} ${value}`);
    const shown = again.filter(({ action }) => action === form.action).map(({ controls }) => shownOf(controls));
    expect({ action: form.action, shown }).toEqual({
      action: form.action,
      shown: expect.arrayContaining([shownOf(sent)]),
    });
  }
}, 180_000);

test("the page says in the reader's language that nothing was done, and has the form's own labels", async () => {
  const said = { en: "so nothing was done", fa: "پس کاری انجام نشد" };
  const labels = { en: "Recipients", fa: "گیرندگان" };
  for (const language of languages) {
    await owner.post("/settings", { language, zone: "", theme: "system", shortcuts: "yes" });
    const page = await keptPage(
      "/send",
      new URLSearchParams({
        from: "acc_1/30001234",
        recipients: "09121234567",
        text: "kept text",
        key: "k",
        typed: "",
      }),
    );
    expect(page).toContain(said[language]);
    expect(page).toContain(labels[language]);
    expect(page).toContain("kept text");
    expect(page).not.toMatch(/>(sender_id|recipients|form-number)</);
  }
});

test("the file of an import is previewed once more, with the chosen columns", async () => {
  const preview = await chooseFile(owner, groupPath.replace("?", "/preview?"), "a,b\n09121234567,Sara\n");
  const path = preview.replace("/preview/", "/import/");
  const page = await keptPage(path, new URLSearchParams({ "column-0": "mobile", "column-1": "lastName" }));
  const [form] = (await pageForms(page)).filter(({ action }) => action === path);
  expect(form?.controls.map(({ name, value }) => [name, value])).toEqual(
    expect.arrayContaining([
      ["column-0", "mobile"],
      ["column-1", "lastName"],
      ["header", null],
    ]),
  );
});

test("a form whose page is gone shows what was typed without it, and cannot be sent", async () => {
  const page = await keptPage("/accounts/acc_99/note", new URLSearchParams({ note: "typed in vain" }));
  expect(page).toContain("typed in vain");
  expect(page).not.toContain('action="/accounts/acc_99/note"');
  expect(page).not.toContain(">note<");
});

test("a kept form's page has its own address, where its search and links lead", async () => {
  for (let count = 0; count < 51; count += 1)
    await server.api("POST /users", { name: `user-${count}`, role: "support" });
  const page = await keptPage("/users?open=add", new URLSearchParams({ name: "typed", role: "support", account: "" }));
  expect(page).toContain('value="typed"');
  expect(page).toContain('href="/users?page=2"');
  expect(page).not.toContain("/kept-form");
});

test("a button without fields is not kept, and its reader returns to its page", async () => {
  const from = { Referer: `${server.consoleUrl}/accounts/acc_1` };
  const lost = await left.post("/accounts/acc_1/suspend", { "form-number": "12345678" }, from);
  expect(lost.headers.get("Location")).toBe("/sign-in?to=%2Faccounts%2Facc_1");
});

test("a form is kept for a browser whose session was once valid, however it ended, and for no other", async () => {
  const isKept = async (client: FormClient) => {
    const lost = await client.post("/accounts/new", { name: "Shop" });
    return lost.headers.get("Location") === "/sign-in?to=%2Fkept-form";
  };
  const browser = copyOf(left);
  expect(await isKept(browser)).toBe(true);
  browser.cookies.set("peyk_console", "x".repeat(43));
  expect(await isKept(browser)).toBe(false);
  browser.cookies.delete("peyk_console");
  expect(await isKept(browser)).toBe(false);

  const other = await signedInAs(server, "operator", { name: "otto" });
  const [copy, signedOut] = [copyOf(other), other];
  await signedOut.post("/sign-out");
  expect([await isKept(copy), await isKept(signedOut)]).toEqual([true, false]);
  // At the other listener it is not a session.
  copy.cookies.set("peyk_portal", copy.cookies.get("peyk_console") ?? "");
  copy.cookies.delete("peyk_console");
  expect(await isKept(copy)).toBe(false);
  await server.api("POST /users/:name/disable", { name: "otto" });
  copy.cookies.set("peyk_console", copy.cookies.get("peyk_portal") ?? "");
  expect(await isKept(copy)).toBe(false);
});

test("a form with files is kept without them", async () => {
  const form = new FormData();
  form.set("from", "acc_1/30001234");
  form.set("text", "typed beside a file");
  form.set("file", new File(["09121234567"], "numbers.csv"));
  const lost = await left.postForm("/send", form);
  expect(lost.headers.get("Location")).toBe("/sign-in?to=%2Fkept-form");
  owner.cookies.set("peyk_console_form", left.cookies.get("peyk_console_form") ?? "");
  expect(await (await owner.get("/kept-form")).text()).toContain("typed beside a file");
});

describe("a saved form", () => {
  const typed = "a note of olga's own";
  const ticketName = "peyk_console_form";
  const shows = async (client: FormClient) => {
    const answer = await client.get("/kept-form");
    return answer.status === 200 && (await answer.text()).includes(typed);
  };
  /** The browser of `left`, whose form is kept and whose user has signed in again. */
  async function cameBack(): Promise<FormClient> {
    const browser = copyOf(left);
    await browser.post("/accounts/acc_1/note", { note: typed });
    await browser.post("/sign-in", { user: "olga", password: goodPassword, to: "/kept-form" });
    expect(browser.cookies.has(ticketName)).toBe(true);
    return browser;
  }

  test("is shown once", async () => {
    const browser = await cameBack();
    expect([await shows(browser), await shows(browser)]).toEqual([true, false]);
  });

  test("is never shown to another user of the browser, nor to its own user after that", async () => {
    await signedInAs(server, "owner", { name: "eve" });
    const browser = copyOf(left);
    await browser.post("/accounts/acc_1/note", { note: typed });
    expect(await (await browser.get("/sign-in?to=/kept-form")).text()).toContain("what you typed is kept");
    await browser.post("/sign-in", { user: "eve", password: goodPassword, to: "/kept-form" });
    const ticket = browser.cookies.get(ticketName) ?? "";
    expect((await browser.get("/kept-form")).headers.get("Location")).toBe("/");
    await browser.post("/sign-in", { user: "olga", password: goodPassword, to: "/kept-form" });
    browser.cookies.set(ticketName, ticket);
    expect(await shows(browser)).toBe(false);
  });

  test("is dropped at sign-out, with its ticket", async () => {
    const browser = await cameBack();
    const ticket = browser.cookies.get(ticketName) ?? "";
    await browser.post("/sign-out");
    expect(browser.cookies.has(ticketName)).toBe(false);
    browser.cookies.set(ticketName, ticket);
    await browser.post("/sign-in", { user: "olga", password: goodPassword, to: "/kept-form" });
    expect(await shows(browser)).toBe(false);

    // Also of a browser whose session has already ended.
    const idle = copyOf(left);
    await idle.post("/accounts/acc_1/note", { note: typed });
    const kept = idle.cookies.get(ticketName) ?? "";
    await idle.post("/sign-out");
    await idle.post("/sign-in", { user: "olga", password: goodPassword, to: "/kept-form" });
    idle.cookies.set(ticketName, kept);
    expect(await shows(idle)).toBe(false);
  });

  test("is dropped by whatever ends its user's sessions", async () => {
    const change = { current: goodPassword, password: "eight green kettles", again: "eight green kettles" };
    const ends: Record<string, (client: FormClient, name: string) => Promise<unknown>> = {
      reset: async (_, name) => {
        const { data } = await replyOf(server.api("POST /users/:name/reset", { name }));
        const link = data?.setup.path ?? "";
        await new FormClient(server.consoleUrl).post(link, { password: goodPassword, again: goodPassword });
      },
      changed: (client) => client.post("/settings/password", change),
      ended: async (_, name) => {
        const other = new FormClient(server.consoleUrl);
        await other.post("/sign-in", { user: name, password: goodPassword, to: "/" });
        const [path = ""] = /\/settings\/sessions\/\d+\/end/.exec(await (await other.get("/settings")).text()) ?? [];
        return other.post(path);
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      const idle = await signedInAs(server, "owner", { name });
      clock.pass(sessionIdleMs);
      await idle.post("/accounts/acc_1/note", { note: typed });
      const fresh = new FormClient(server.consoleUrl);
      await fresh.post("/sign-in", { user: name, password: goodPassword, to: "/" });
      // Another session makes no difference.
      const ticket = idle.cookies.get(ticketName) ?? "";
      expect({ name, ticket }).toEqual({ name, ticket: expect.stringMatching(/^[\w-]{36}$/) });
      await end(fresh, name);
      const password = name === "changed" ? change.password : goodPassword;
      await idle.post("/sign-in", { user: name, password, to: "/kept-form" });
      expect({ name, shown: await shows(idle) }).toEqual({ name, shown: false });
    }
  });

  test("waits for the second factor", async () => {
    const idle = await signedInAs(server, "owner", { name: "faye" });
    const page = await (await idle.get("/settings/second-factor")).text();
    const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(page)?.[1] ?? "";
    const codeAt = (now: number) => new TOTP({ secret }).generate({ timestamp: now });
    await idle.post("/settings/second-factor", { secret, code: codeAt(clock.now()), password: goodPassword });
    clock.pass(sessionIdleMs);
    await idle.post("/accounts/acc_1/note", { note: typed });
    await idle.post("/sign-in", { user: "faye", password: goodPassword, to: "/kept-form" });
    expect(await shows(idle)).toBe(false);
    await idle.post("/sign-in/code", { code: codeAt(clock.now()), to: "/kept-form" });
    expect(await shows(idle)).toBe(true);
  });
});

test("a user who was signed out with nothing typed is not told that something was kept", async () => {
  const browser = copyOf(left);
  const page = await (await browser.get("/sign-in")).text();
  expect(page).toContain("Your session ended. Sign in again.");
});
