/** A form that is sent twice is processed once, and the second answer leads to what the first one made. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { document, formAgain, madePage, redirect } from "../../src/console/page/page.ts";
import { answerKeptMs, FormRepeats, formsKeptMax } from "../../src/console/server/form-repeats.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let owner: FormClient;

beforeAll(async () => {
  server = await startConsole();
  owner = await signedInAs(server, "owner");
});
afterAll(() => server.stop());

const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

/** The number of the form on a page that is posted to `action`. */
function numberIn(html: string, action: string): string {
  const form = html.split("<form ").find((one) => one.includes(`action="${action}"`)) ?? "";
  return /name="form-number" value="([^"]+)"/.exec(form)?.[1] ?? "none";
}

async function numberOf(page: string, action = page): Promise<string> {
  return numberIn(await (await owner.get(page)).text(), action);
}

const accountNames = async () => (await server.api("GET /accounts")).rows.map(({ name }) => name);
const repeated = "was sent before";

test("a form posted twice creates one account, and both answers lead to it", async () => {
  const number = await numberOf("/accounts/new");
  const send = () => owner.post("/accounts/new", { name: "Twice", "form-number": number });
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map(({ status, headers }) => [status, headers.get("Location")])).toEqual(
    Array.from({ length: 3 }, () => [303, "/accounts/acc_1"]),
  );
  const shown = plain(await (await owner.get("/accounts/acc_1")).text());
  expect(shown).toContain(repeated);
  expect(shown).toContain("Twice");
  expect(await accountNames()).toEqual(["Twice"]);
});

test("a form changed after going back counts as another form", async () => {
  const number = await numberOf("/accounts/new");
  for (const name of ["Before", "After"]) {
    expect((await owner.post("/accounts/new", { name, "form-number": number })).status).toBe(303);
  }
  expect(await accountNames()).toEqual(expect.arrayContaining(["Before", "After"]));
});

test("each time a form is shown it has a number of its own, so that two tabs create two", async () => {
  const [one, other] = [await numberOf("/accounts/new"), await numberOf("/accounts/new")];
  expect(one).not.toBe(other);
  for (const number of [one, other]) {
    expect((await owner.post("/accounts/new", { name: "Tab", "form-number": number })).status).toBe(303);
  }
  expect((await accountNames()).filter((name) => name === "Tab")).toHaveLength(2);
});

test("a form with mistakes is sent again with its own number or with the one in the answer", async () => {
  const number = await numberOf("/accounts/new");
  const wrong = await owner.post("/accounts/new", { name: " ", "form-number": number });
  const fresh = numberIn(await wrong.text(), "/accounts/new");
  expect([wrong.status, fresh === number]).toEqual([422, false]);
  for (const [name, one] of Object.entries({ Back: number, Corrected: fresh })) {
    expect((await owner.post("/accounts/new", { name, "form-number": one })).status).toBe(303);
  }
  expect(await accountNames()).toEqual(expect.arrayContaining(["Back", "Corrected"]));
});

test("a key created by a double click exists once, and the second answer shows it", async () => {
  const path = "/accounts/acc_1/keys/new";
  const fields = { name: "once", permissions: "messages:send", "form-number": await numberOf(path) };
  const pages = await Promise.all([1, 2].map(async () => (await owner.post(path, fields)).text()));
  const shown = pages.map((page) => /peyk_[\w-]{43}/.exec(page)?.[0] ?? "none");
  expect(shown[0]).toMatch(/^peyk_/);
  expect(shown[1]).toBe(shown[0] ?? "");
  expect((await server.api("GET /keys", { account: "acc_1" })).rows).toHaveLength(1);
});

test("an amount is entered once, and the balance page says so in its own words", async () => {
  const path = "/accounts/acc_1/balance";
  const page = await (await owner.get(path)).text();
  const reference = /name="reference" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const fields = { amount: "500", note: "", reference, kind: "topup", "form-number": numberIn(page, path) };
  for (const said of ["500 entered", "was already entered by this form"]) {
    expect((await owner.post(path, fields)).status).toBe(303);
    expect(plain(await (await owner.get(path)).text())).toContain(said);
  }
  expect((await replyOf(server.api("GET /accounts/:id/balance", { id: "acc_1" }))).data).toMatchObject({
    settled: 500,
  });
});

test("every form of a page carries a number", async () => {
  for (const path of [
    "/accounts/acc_1",
    "/groups/new",
    "/patterns/new",
    "/routes/-new",
    "/plans/-new",
    "/users",
    "/send",
  ]) {
    const forms = (await (await owner.get(path)).text()).split("<form ").slice(1);
    const posts = forms.filter((form) => /^[^>]*method="post"/.test(form));
    expect([path, posts.length > 0]).toEqual([path, true]);
    expect(posts.filter((form) => !form.includes('name="form-number"'))).toEqual([]);
  }
});

const view = {} as Parameters<typeof document>[0];
const form = (number: string, sessionId = 1) => ({
  session: { userId: 1, sessionId },
  number,
  path: "/made",
  fields: "same",
});

test("a repeat waits for the first post, and does the work itself if that one did not", async () => {
  const forms = new FormRepeats({ clock: new ManualClock() });
  const first = Promise.withResolvers<void>();
  let acts = 0;
  const act = (done: boolean) => async () => {
    acts += 1;
    await first.promise;
    return done ? redirect("/made/1") : formAgain(view);
  };
  const both = [forms.answer(form("number-1"), act(false)), forms.answer(form("number-1"), act(true))];
  first.resolve();
  expect((await Promise.all(both)).map(({ isRepeat }) => isRepeat)).toEqual([false, false]);
  expect(await forms.answer(form("number-1"), act(true))).toMatchObject({ isRepeat: true, to: "/made/1" });
  expect(acts).toBe(2);
  await expect(forms.answer(form("number-2"), () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect((await forms.answer(form("number-2"), act(true))).isRepeat).toBe(false);
});

test("what is shown once is shown again for a minute; a page that created nothing is loaded again", async () => {
  const clock = new ManualClock();
  const forms = new FormRepeats({ clock });
  await forms.answer(form("number-1"), async () => madePage(view, "/keys"));
  const again = () => forms.answer(form("number-1"), async () => document(view));
  expect((await again()).answer).not.toBeNull();
  await clock.advance(answerKeptMs);
  expect(await again()).toEqual({ isRepeat: true, to: "/keys", answer: null });
  await forms.answer(form("number-2"), async () => document(view));
  expect((await forms.answer(form("number-2"), async () => document(view))).isRepeat).toBe(false);
});

test("the newest forms of each session are remembered, and none of an ended or another session", async () => {
  const forms = new FormRepeats({ clock: new ManualClock() });
  const send = async (number: string, sessionId?: number) =>
    (await forms.answer(form(number, sessionId), async () => redirect("/made/1"))).isRepeat;
  for (let index = 0; index <= formsKeptMax; index += 1) expect(await send(`number-${index}`)).toBe(false);
  expect([await send(`number-${formsKeptMax}`), await send("number-1", 2), await send("number-0")]).toEqual([
    true,
    false,
    false,
  ]);
  forms.forget({ userId: 1, sessionId: 1 });
  expect(await send(`number-${formsKeptMax}`)).toBe(false);
});
