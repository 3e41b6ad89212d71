/** What customers ask of the operator: a sender, with its answer; and to be told of a low balance, at a confirmed address. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { startSmtpServer } from "../support/smtp-server.ts";

let server: ConsoleProcess;
let customer: FormClient;
let reader: FormClient;
let other: FormClient;
let operator: FormClient;

const textOf = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());

beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  const url = server.portalUrl ?? "";
  await server.api("POST /accounts", { name: "Clinic" });
  await server.api("POST /accounts", { name: "Shop" });
  customer = await signedInAs(server, "customer", { name: "nasrin", account: "acc_1", url });
  reader = await signedInAs(server, "customer-reads", { name: "roya", account: "acc_1", url });
  other = await signedInAs(server, "customer", { name: "omid", account: "acc_2", url });
  operator = await signedInAs(server, "operator", { name: "staff" });
});
afterAll(() => server.stop());

const asked = (client: FormClient, sender: string) => client.post("/senders/ask", { sender, note: "For appointments" });

test("a customer asks for a sender, the operator sees it counted, adds it, and the customer sees the answer", async () => {
  expect((await asked(customer, "10004000")).status).toBe(303);
  expect(await textOf(customer, "/senders/ask")).toMatch(/10004000 For appointments nasrin .* Waits/);
  expect(await textOf(operator, "/")).toContain("Approvals 1");
  const page = await (await operator.get("/approvals")).text();
  expect(plainText(page)).toMatch(/10004000 For appointments nasrin .* Clinic Add Refuse/);
  expect(page).toContain('href="/accounts/acc_1/senders/new?sender=10004000"');
  expect(await (await operator.get("/accounts/acc_1/senders/new?sender=10004000")).text()).toContain(
    'value="10004000"',
  );
  await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "10004000" });
  expect(await textOf(customer, "/senders/ask")).toMatch(/10004000 For appointments nasrin .* Added/);
  expect(await textOf(operator, "/approvals")).toContain("Nothing waits for approval");
  expect((await asked(customer, "10004000")).status).toBe(422);
});

test("an operator refuses with a reason, once; nobody else's account sees it", async () => {
  await asked(customer, "20005000");
  const { rows } = await server.api("GET /sender-requests", {});
  const [request] = rows;
  const path = `/approvals/senders/${request?.id}/refuse`;
  expect((await operator.post(path, { note: "It is taken." })).status).toBe(303);
  expect(await textOf(customer, "/senders/ask")).toMatch(/20005000 .* Refused It is taken\./);
  expect(await textOf(customer, "/senders/ask")).not.toContain("staff");
  expect(await textOf(other, "/senders/ask")).not.toContain("20005000");
  expect((await operator.post(path, { note: "again" })).status).toBe(404);
  expect((await customer.post(path, { note: "mine" })).status).toBe(404);
});

test("who only reads sees the answers and asks for nothing; an account has ten that wait", async () => {
  expect((await reader.get("/senders/ask")).status).toBe(200);
  expect((await asked(reader, "30003000")).status).toBe(404);
  const answers: number[] = [];
  for (let number = 0; number < 15; number += 1) answers.push((await asked(other, `4000${1000 + number}`)).status);
  expect(answers.filter((status) => status === 303).length).toBe(10);
  expect((await asked(other, "40001000")).status).toBe(303);
  expect((await server.api("GET /sender-requests", { account: "acc_2" })).rows.length).toBe(10);
});

test("without a mail server nothing is promised by mail", async () => {
  expect(await textOf(customer, "/balance-alert")).toContain("Your provider has set up no mail");
  expect((await customer.post("/balance-alert", { below: "500", mail: "a@example.com" })).status).not.toBe(303);
});

test("an address is told only once its owner has confirmed it, and invitations go by mail", async () => {
  const smtp = await startSmtpServer({});
  const mailing = await startConsole(({ alerts }) => ({
    portalListen: "127.0.0.1:0",
    alerts: { ...alerts, smtpServer: `127.0.0.1:${smtp.port}`, smtpSecurity: "none", mailFrom: "peyk@example.com" },
  }));
  try {
    const url = mailing.portalUrl ?? "";
    await mailing.api("POST /accounts", { name: "Clinic" });
    const admin = await signedInAs(mailing, "customer", { name: "nasrin", account: "acc_1", url });
    const reads = await signedInAs(mailing, "customer-reads", { name: "roya", account: "acc_1", url });
    await admin.post("/balance-alert", { below: "5000", mail: "nasrin@example.com" });
    expect(await textOf(admin, "/balance-alert")).toContain("nasrin@example.com is not confirmed yet");
    const [mail] = smtp.mails;
    expect(mail?.to).toEqual(["nasrin@example.com"]);
    const confirm = /\/balance-alert\/confirm\/[\w-]{43}/.exec(bodyOf(mail?.data ?? ""))?.[0] ?? "";
    expect(confirm).not.toBe("");
    await reads.post(confirm);
    await admin.get(confirm);
    expect(await textOf(admin, "/balance-alert")).toContain("is not confirmed yet");
    expect(plainText(await (await admin.get(confirm)).text())).toContain("Confirm the address");
    await admin.post(confirm);
    const page = await textOf(admin, "/balance-alert");
    expect(page).toContain("The address is confirmed.");
    await admin.post(confirm);
    expect(await textOf(admin, "/balance-alert")).toContain("This link was used");
    await admin.post("/colleagues", { name: "sara", role: "customer-sends", mail: "sara@example.com" });
    const told = await textOf(admin, "/colleagues");
    expect(told).toContain("the link went to sara@example.com");
    expect(told).not.toContain("/setup/");
    expect(bodyOf(smtp.mails.at(-1)?.data ?? "")).toContain(`${url}/setup/`);
    for (let more = 0; more < 30; more += 1)
      await admin.post("/balance-alert", { below: "5000", mail: `victim.${more}@example.com` });
    expect(smtp.mails.length).toBe(20);
  } finally {
    await mailing.stop();
    await smtp.stop();
  }
});

/** Quoted-printable lines joined. */
const bodyOf = (data: string) =>
  data
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
