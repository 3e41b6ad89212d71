/** The page of alerts: receivers set and tested, conditions silenced, and where help is. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { conditionCodes, conditionHelp } from "../../src/conditions/conditions.ts";
import { conditionHelpHref } from "../../src/console/places/alerts/condition-help.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";

let server: ConsoleProcess;
let owner: FormClient;
let operator: FormClient;
beforeAll(async () => {
  server = await startConsole(({ alerts }) => ({
    alerts: { ...alerts, smsTo: ["+989121110000"], smsSender: "30001" },
  }));
  owner = await signedInAs(server, "owner");
  operator = await signedInAs(server, "operator", { name: "olga" });
});
afterAll(() => server.stop());

const textOf = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());
const mail = { server: "127.0.0.1:1", security: "none", user: "peyk", from: "p@example.com", to: "a@example.com" };

test("each condition's help link leads to an existing heading", async () => {
  const pages = new Map<string, string>();
  for (const code of conditionCodes) {
    const [name, heading] = conditionHelp(code);
    const html = pages.get(name) ?? (await (await owner.get(conditionHelpHref(code, "en"))).text());
    pages.set(name, html);
    expect([code, heading === undefined || html.includes(`id="${heading}"`)]).toEqual([code, true]);
    expect([code, (await owner.get(conditionHelpHref(code, "fa"))).status]).toEqual([code, 200]);
  }
});

test("a receiver is checked, stored with its secret, tested and shown; removing it restores the settings file's", async () => {
  const wrong = await owner.post("/alerts/receivers/mail", { ...mail, server: "mail", from: "me", to: "" });
  expect(wrong.status).toBe(422);
  expect(plainText(await wrong.text())).toContain("3 fields need a look");
  const unsigned = await owner.post("/alerts/receivers/mail", mail);
  expect([unsigned.status, plainText(await unsigned.text()).includes("required")]).toEqual([422, true]);
  expect((await owner.post("/alerts/receivers/mail", { ...mail, password: "s3cret", do: "save" })).status).toBe(303);
  const form = await (await owner.get("/alerts/receivers/mail")).text();
  expect([form.includes("a@example.com"), form.includes("s3cret")]).toEqual([true, false]);
  // The stored password is only sent to the same server.
  expect((await owner.post("/alerts/receivers/mail", { ...mail, to: "b@example.com", do: "save" })).status).toBe(303);
  expect((await owner.post("/alerts/receivers/mail", { ...mail, server: "127.0.0.1:2" })).status).toBe(422);
  const tested = await owner.post("/alerts/receivers/mail", { ...mail, do: "test" });
  expect(tested.headers.get("Location")).toBe("/alerts/receivers/mail");
  expect(await textOf(owner, "/alerts/receivers/mail")).toContain("Mail: the test did not arrive.");

  expect(await textOf(owner, "/alerts")).toContain("by the settings file");
  await owner.post("/alerts/receivers/sms", { to: "09121234567", sender: "30001", routes: "", do: "save" });
  expect(await textOf(owner, "/alerts")).toContain("+989121234567");
  expect(await textOf(owner, "/alerts/receivers/sms")).toContain("wins over the settings file, which names a receiver");
  await owner.post("/alerts/receivers/sms/end", { do: "remove" });
  expect(await textOf(owner, "/alerts")).toContain("+989121110000");
  // Operators read the audit, but not who receives alerts.
  expect(await textOf(operator, "/audit")).not.toMatch(/@example\.com|9121234567/);
});

test("a webhook's secret is shown once, and posting the form again creates no other", async () => {
  const url = "https://hooks.example.com/services/T0/B0";
  const made = await owner.post("/alerts/receivers/webhook", { url });
  expect(await made.text()).toContain("whsec_");
  const again = await owner.post("/alerts/receivers/webhook", { url, do: "save" });
  expect(again.status).toBe(303);
  expect(await textOf(owner, "/alerts")).not.toContain("whsec_");
  // Its address may be a secret: operators only see that it exists.
  expect(await textOf(operator, "/alerts")).not.toContain("hooks.example.com");
  expect((await operator.get("/alerts/receivers/webhook")).status).toBe(404);
  expect(await textOf(operator, "/audit")).not.toContain("/services/T0/B0");
  expect(await textOf(owner, "/audit")).toContain("https://hooks.example.com");
});

test("a condition is silenced for a while and alerts again afterwards", async () => {
  expect(await textOf(operator, "/alerts/silence?condition=DiskFull")).toContain("Silence “Little disk space”?");
  expect((await operator.post("/alerts/silence?condition=DiskFull", { hours: "24" })).status).toBe(303);
  expect(await textOf(operator, "/alerts/conditions")).toContain("Silenced until");
  expect(await textOf(operator, "/alerts")).toContain("1 silence is in force.");
  const [silence] = (await server.api("GET /alerts")).silences;
  expect(silence).toMatchObject({ condition: "DiskFull", subject: null });
  await operator.post("/alerts/silence/end", { condition: "DiskFull" });
  expect((await server.api("GET /alerts")).silences).toEqual([]);
});
