/** Texts of messages are shown to support only where the settings let it read them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText } from "../support/console-traffic.ts";

let server: ConsoleProcess;
let support: FormClient;
let owner: FormClient;
let paths: readonly string[];
const secret = "Your result is negative";

beforeAll(async () => {
  server = await startConsole(({ console }) => ({ console: { ...console, supportReadsTexts: false } }));
  await addAccounts(server);
  const [account, sender] = ["acc_1", "30001"];
  const recipients = ["09123450700", "09123450701"];
  const sent = { account, sender, message: secret, recipients, idempotencyKey: "two" };
  const { firstTrackingCode: code } = await server.api("POST /messages", sent);
  await server.api("POST /lines", { account, number: "30001" });
  await server.api("POST /inbound/simulate", { from: "09121234567", to: "30001", message: secret });
  const [received] = (await server.api("GET /inbound", {})).messages;
  support = await signedInAs(server, "support");
  owner = await signedInAs(server, "owner");
  paths = [
    "/messages",
    `/messages/${code}`,
    "/campaigns",
    "/campaigns/camp_1",
    "/inbound",
    `/inbound/${received?.trackingCode}`,
    "/conversation?number=%2B989121234567&account=acc_1",
  ];
});
afterAll(() => server.stop());

const readIn = async (client: FormClient, path: string) => {
  const answer = await client.get(path);
  return { path, status: answer.status, isShown: plainText(await answer.text()).includes(secret.slice(0, 11)) };
};

test("no page shows support a text, and every page shows it to an owner", async () => {
  for (const path of paths) {
    expect(await readIn(support, path)).toEqual({ path, status: 200, isShown: false });
    expect(await readIn(owner, path)).toEqual({ path, status: 200, isShown: true });
  }
});

test("the first page names no campaign by its text, as all readers share what it reads", async () => {
  expect((await readIn(support, "/")).isShown).toBe(false);
  expect((await readIn(owner, "/")).isShown).toBe(false);
});
