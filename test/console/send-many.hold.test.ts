/** Fifty thousand recipients, the most that a form of the console takes, do not block the event loop. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText, tomorrow } from "../support/console-traffic.ts";
import { expectNoHold } from "../support/longest-turn.ts";

const numbers = Array.from({ length: 50_000 }, (_, index) => `0913${1_000_000 + ((index * 7_919) % 50_000)}`);
const lines = `name;mobile\n${numbers.map((number) => `x;${number}`).join("\n")}\n`;

let server: ConsoleProcess;
let operator: FormClient;
beforeAll(async () => {
  server = await startConsole();
  await addAccounts(server);
  operator = await signedInAs(server, "operator", { name: "olga" });
});
afterAll(() => server.stop());

/** A form for tomorrow, with its own key. */
function formWith(name: string, value: string | File): FormData {
  const form = new FormData();
  const when = tomorrow().slice(0, 16).replace("T", " ");
  const fields = { from: "acc_1/30001", recipients: "", text: "سلام", when, reference: "", key: crypto.randomUUID() };
  for (const [field, text] of Object.entries(fields)) form.set(field, text);
  form.set(name, value);
  return form;
}

const pasted = () => formWith("recipients", numbers.join("\n"));

async function reviewed(form: FormData): Promise<void> {
  const answer = await operator.postForm("/send/review", form);
  expect(await answer.text()).toContain("Send 50,000 messages");
}

// Includes the client's part.
test("fifty thousand numbers are reviewed from a file", async () => {
  const form = formWith("file", new File([lines], "numbers.csv"));
  await expectNoHold(() => reviewed(form));
});

test("fifty thousand pasted numbers are reviewed", async () => {
  const form = pasted();
  await expectNoHold(() => reviewed(form));
});

test("fifty thousand messages are sent", async () => {
  let form = new FormData();
  const before = () => {
    form = pasted();
    form.set("typed", "50000");
  };
  const send = async () =>
    expect((await operator.postForm("/send", form)).headers.get("Location")).toBe("/messages?range=1h");
  await expectNoHold(send, { before });
});

test("one number more is refused", async () => {
  const answer = await operator.postForm(
    "/send/review",
    formWith("recipients", [...numbers, "09120000001"].join("\n")),
  );
  expect(plainText(await answer.text())).toContain("50,000");
});
