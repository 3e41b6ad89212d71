/** Sending by the operator API and `peyk message send`: what would be sent, and that each form is sent once. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runCli } from "../support/cli.ts";
import { until } from "../support/manual-clock.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

const text = { account: "acc_1", sender: "30001", message: "سلام" };

function send(recipients: readonly string[], more: object = {}) {
  return server.call("POST", "/messages", { ...text, recipients, idempotencyKey: "form-1", ...more });
}

const stored = () => {
  const { messages } = server.store.tables;
  return messages.run(1, 10_000).flatMap(({ trackingCode }) => messages.byCodeAnywhere(trackingCode) ?? []);
};

describe("the preview of a send", () => {
  test("counts what would be sent and names what cannot; it stores nothing and leaves no audit entry", async () => {
    const recipients = ["09121234567", "۰۹۱۲ ۱۲۳ ۴۵۶۷", "+98 935 111 2233", "0912", "021 88776655"];
    expect((await server.call("POST", "/messages/preview", { ...text, recipients })).body).toMatchObject({
      recipients: ["+989121234567", "+989351112233"],
      repeats: 1,
      refusedCount: 2,
      refused: [
        { position: 4, value: "0912", problem: "not_mobile" },
        { position: 5, value: "021 88776655", problem: "not_mobile" },
      ],
      encoding: "Persian",
      characterCount: 4,
      partCount: 1,
      routes: ["simulator"],
    });
    expect(stored()).toEqual([]);
    expect((await server.call("GET", "/audit?action=message.preview")).body).toMatchObject({ entries: [] });
  });

  test("names the routes of the sender's plan", async () => {
    await server.call("POST", "/routes", { name: "operator-b", kind: "simulator", options: {} });
    await server.call("POST", "/plans", { name: "iran" });
    await server.call("POST", "/plans/iran/rules", { targets: [{ routes: ["operator-b"] }] });
    await server.call("PATCH", "/accounts/acc_1/senders/30001", { plan: "iran" });
    const asked = { ...text, recipients: ["09121234567"] };
    expect((await server.call("POST", "/messages/preview", asked)).body).toMatchObject({ routes: ["operator-b"] });
  });

  test("names every invalid field", async () => {
    const wrong = {
      ...text,
      sender: "99999",
      message: "",
      sendAt: "2026-01-05T12:00:01Z",
      recipients: ["09121234567"],
    };
    expect(await server.call("POST", "/messages/preview", wrong)).toMatchObject({
      status: 400,
      body: { problems: [{ key: "sender" }, { key: "message" }, { key: "sendAt" }] },
    });
  });
});

describe("a send by an operator", () => {
  test("accepts one message without an API key, and a repeated form sends nothing more", async () => {
    const first = await send(["0912 123 4567"], { clientReference: "inv-7" });
    expect(first.body).toMatchObject({ messages: 1, duplicate: false });
    expect((await send(["0912 123 4567"], { clientReference: "inv-7" })).body).toEqual({
      ...Object(first.body),
      duplicate: true,
    });
    expect(stored()).toMatchObject([
      { recipient: "+989121234567", text: "سلام", clientReference: "inv-7", apiKeyId: 0, class: 1, state: "ready" },
    ]);
    expect((await server.call("GET", "/audit?action=message.send")).body).toMatchObject({
      entries: [{ after: { duplicate: true } }, { target: "acc_1", after: { sender: "30001", messages: 1 } }],
    });
  });

  test("of one form from two tabs at once sends once", async () => {
    const answers = await Promise.all([send(["09121234567"]), send(["09121234567"])]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(stored()).toHaveLength(1);
  });

  test("of very many is accepted as a whole, once, and waits for its time", async () => {
    const recipients = Array.from({ length: 1_200 }, (_, index) => `0912${String(1_000_000 + index)}`);
    const sendAt = "2026-01-05T13:00:00.000Z";
    const first = await send(recipients, { sendAt });
    expect(first.body).toMatchObject({ messages: 1_200, duplicate: false });
    expect((await send(recipients, { sendAt })).body).toEqual({ ...Object(first.body), duplicate: true });
    await until(() => stored().every(({ dueAt }) => dueAt === Date.parse(sendAt)));
    expect(stored()).toHaveLength(1_200);
    expect(new Set(stored().map(({ class: messageClass }) => messageClass))).toEqual(new Set([2]));
  });

  test("with an invalid number is refused as a whole", async () => {
    expect(await send(["09121234567", "0912"])).toMatchObject({
      status: 400,
      body: { problems: [{ key: "recipients.1", message: "0912 is no mobile number" }] },
    });
    expect(stored()).toEqual([]);
  });

  test("of a suspended account, or with another account's key, is refused", async () => {
    await send(["09121234567"]);
    await server.call("POST", "/accounts", { name: "Other" });
    await server.call("POST", "/accounts/2/senders", { sender: "30002" });
    expect(await send(["09121234567"], { account: "acc_2", sender: "30002" })).toMatchObject({
      status: 409,
      body: { code: "send_refused" },
    });
    await server.call("POST", "/accounts/1/suspend");
    expect(await send(["09121234567"], { idempotencyKey: "form-2" })).toMatchObject({ body: { code: "send_refused" } });
  });

  test("accepts numbers on the command line as one, several, and several in one option", async () => {
    const command = ["message", "send", "--account", "acc_1", "--sender", "30001", "--message", "Hello"];
    const send = (...numbers: string[]) =>
      runCli([...command, ...numbers.flatMap((number) => ["--recipient", number]), "--data-dir", server.folder]);
    expect(await send("09121234567")).toMatchObject({ code: 0, err: "" });
    expect((await send("09121234567", "0935 111 2233;09121234568", "09121234569")).out).toMatch(/^4 messages accepted/);
    expect(stored().map(({ recipient }) => recipient.slice(-4))).toEqual(["4567", "4567", "2233", "4568", "4569"]);
  });

  test("without a sender uses the default one, and is refused if the account has none", async () => {
    const command = ["message", "send", "--account", "acc_1", "--recipient", "09121234567", "--message", "Hello"];
    const send = () => runCli([...command, "--data-dir", server.folder]);
    expect((await send()).err).toContain("sender: is required, as the account has no default one");
    await server.call("PATCH", "/accounts/1", { defaultSender: "30001" });
    expect(await send()).toMatchObject({ code: 0, err: "" });
  });

  test("reads the numbers of a file from its column, on the command line", async () => {
    const file = join(server.folder, "numbers.csv");
    await Bun.write(file, "\ufeffnام;شماره\nسارا;09121234567\nعلی;۰۹۳۵۱۱۱۲۲۳۳\n");
    const command = [
      "message",
      "send",
      "--account",
      "acc_1",
      "--sender",
      "30001",
      "--message",
      "Hello",
      "--file",
      file,
    ];
    const { out: preview } = await runCli([...command, "--dry-run", "--data-dir", server.folder]);
    expect(preview).toMatch(/Messages +2\n/);
    const { out } = await runCli([...command, "--data-dir", server.folder]);
    expect(out).toMatch(/^2 messages accepted\. The code of the first: \w{26}\n$/);
    expect(stored().map(({ recipient }) => recipient)).toEqual(["+989121234567", "+989351112233"]);
  });
});
