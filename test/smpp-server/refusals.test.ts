/** Each refusal has its status, and a log line that explains it without the text. */
import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import pino from "pino";
import { customerStatus } from "../../src/smpp-server/customer-status.ts";
import { runCli } from "../support/cli.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { bindFields, SmppCustomer } from "../support/smpp-customer.ts";

let server: CustomerServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

interface Line {
  level: number;
  why?: string;
  status?: string;
  statusName?: string;
}

/** A log whose lines the test reads. */
function readableLog() {
  const lines: string[] = [];
  return { log: pino({ level: "debug" }, { write: (line: string) => void lines.push(line) }), lines };
}

const refusedBy = (lines: readonly string[]): Line[] =>
  lines.map((line): Line => JSON.parse(line)).filter(({ statusName }) => statusName !== undefined);

const secretText = "رمز شما ۱۲۳۴۵ است";
const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();

test("refused binds are logged: wrong password, address not allowed, one bind too many, suspended account", async () => {
  const { log, lines } = readableLog();
  const started = await CustomerServer.start(
    [
      { options: { binds: 1 } },
      { systemId: "far", sender: "30001111", allowFrom: ["203.0.113.0/24"] },
      { systemId: "idle", sender: "30002222" },
    ],
    {},
    log,
  );
  server = started;
  await runCli(["account", "suspend", "acc_3", "--data-dir", started.folder]);
  const statusOf = async (systemId: string, password: string) =>
    (await (await SmppCustomer.connect(started.port)).request("bind_transceiver", bindFields(systemId, password)))
      .status;
  await started.bound();
  expect(await statusOf("customer", "wrong123")).toBe(0x0e);
  expect(await statusOf("nobody", "pass1234")).toBe(0x0e);
  expect(await statusOf("far", "pass1234")).toBe(0x0e);
  expect(await statusOf("customer", "pass1234")).toBe(0x0d);
  expect(await statusOf("idle", "pass1234")).toBe(0x0d);
  expect(await statusOf("x".repeat(16), "pass1234")).toBe(0x0f);
  expect(refusedBy(lines).map(({ statusName, why }) => `${statusName}: ${why}`)).toEqual([
    'ESME_RINVPASWD: system_id or password is wrong ("customer")',
    'ESME_RINVPASWD: system_id or password is wrong ("nobody")',
    'ESME_RINVPASWD: its key is not for this address, or a test key ("far")',
    "ESME_RBINDFAIL: customer has as many binds as it may have",
    "ESME_RBINDFAIL: the account is suspended",
    expect.stringMatching(/^ESME_RINVSYSID: /),
  ]);
  expect(lines.join("")).not.toContain("wrong123");
});

test("refused requests are logged once per status, bind and minute, never with the text", async () => {
  const { log, lines } = readableLog();
  const started = await CustomerServer.start([{ options: { window: 1 } }], {}, log);
  server = started;
  const customer = await started.bound();
  const text = { short_message: ucs2(secretText) };
  const wanted: [number, string, () => Promise<{ status: number }>][] = [
    [0x0a, "ESME_RINVSRCADR", () => customer.submit({ ...text, source_addr: "30009999" })],
    [0x0b, "ESME_RINVDSTADR", () => customer.submit({ ...text, destination_addr: "98212345" })],
    [
      0x45,
      "ESME_RSUBMITFAIL",
      () => customer.submit({ short_message: Buffer.concat([ucs2(secretText), Buffer.from("d8", "hex")]) }),
    ],
    [
      0x01,
      "ESME_RINVMSGLEN",
      () => customer.submit({ short_message: "", message_payload: ucs2(secretText.repeat(200)) }),
    ],
    [0x61, "ESME_RINVSCHED", () => customer.submit({ ...text, schedule_delivery_time: "000000000001000R" })],
    [0x62, "ESME_RINVEXPIRY", () => customer.submit({ ...text, validity_period: "200101000000000+" })],
    [0x13, "ESME_RREPLACEFAIL", () => customer.submit({ ...text, replace_if_present_flag: 1 })],
    [0x0c, "ESME_RINVMSGID", () => customer.request("query_sm", { message_id: "nothing" })],
    [0x11, "ESME_RCANCELFAIL", () => customer.request("cancel_sm", { message_id: "" })],
    [0x05, "ESME_RALYBND", () => customer.request("bind_transceiver", bindFields("customer", "pass1234"))],
    [0x03, "ESME_RINVCMDID", () => customer.request("replace_sm", { message_id: "x", ...text })],
  ];
  for (const [status, , ask] of wanted) expect((await ask()).status).toBe(status);
  // A repetition within a minute is not logged.
  for (const [, , ask] of wanted.slice(0, 3)) await ask();
  expect(refusedBy(lines).map(({ statusName }) => statusName)).toEqual(wanted.map(([, name]) => name));
  expect(refusedBy(lines).every(({ why, level }) => (why ?? "") !== "" && level === 40)).toBe(true);
  const all = lines.join("");
  for (const secret of [secretText, ucs2(secretText).toString("hex"), "pass1234"]) expect(all).not.toContain(secret);
});

test("the documentation lists each status that the server answers", () => {
  const page = readFileSync(`${import.meta.dir}/../../docs/smpp-server.md`, "utf8");
  const told = [...page.matchAll(/^\| 0x([0-9A-F]{2}) `ESME_\w+` \|/gm)].map(([, hex = ""]) =>
    Number.parseInt(hex, 16),
  );
  const answered = Object.values(customerStatus).filter((status) => status !== customerStatus.ok);
  expect(told).toEqual(answered.toSorted((a, b) => a - b));
});
