/** An export contains everything that a search finds, in a form that spreadsheets and programs read. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { messageCsvLines } from "../../src/reports/message-csv.ts";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> =>
  runCli(["message", "export", ...argv, "--data-dir", server.folder]);
const rowsOf = ({ out }: CliRun): Record<string, string>[] => parse(out, { columns: true });

test("an export has more than a page of messages, newest first, and a program reads back a search's rows", async () => {
  const codes = Array.from({ length: 2_300 }, (_, index) => `M${index}`);
  await Promise.all(codes.map((trackingCode) => server.storeMessage({ trackingCode })));
  const rows = rowsOf(await peyk("--csv"));
  expect(rows.map(({ trackingCode }) => trackingCode)).toEqual(codes.toReversed());
  expect(rows[0]).toMatchObject({
    account: "acc_1",
    sender: "30001",
    recipient: "+989121234567",
    status: "queued",
    class: "single",
    route: "",
    partCount: "1",
    submittedAt: new Date(server.clock.now()).toISOString(),
    finalAt: "",
  });
  const json: { trackingCode: string }[] = JSON.parse((await peyk("--json")).out);
  expect(json.map(({ trackingCode }) => trackingCode)).toEqual(codes.toReversed());
});

test("an export has no texts, names routes even if removed, and accepts the options of a search", async () => {
  await server.storeMessage({ trackingCode: "A", text: "A secret text" });
  await server.storeMessage({ trackingCode: "B", clientReference: "order-7" });
  await server.call("POST", "/routes", { name: "old", kind: "simulator" });
  await server.store.write((tables) => {
    const row = tables.messages.byCodeAnywhere("A");
    const at = server.clock.now();
    const given = row && tables.messages.move(row, { to: "submitting", at, routeId: 2, attempts: 1 });
    if (given) tables.messages.move(given, { to: "failed", at, errorCode: "rejected_by_network" });
  });
  await server.call("DELETE", "/routes/old");
  const run = await peyk("--status", "failed", "--error", "rejected_by_network");
  expect(rowsOf(run)).toMatchObject([{ trackingCode: "A", route: "old", error: "rejected_by_network" }]);
  expect(run.out).not.toContain("A secret text");
  expect(rowsOf(await peyk("--reference", "order-7"))).toMatchObject([{ trackingCode: "B" }]);
  expect((await peyk("--json", "--reference", "none")).out).toBe("[]\n");
});

test("an export quotes a reference as CSV requires, and makes formulas harmless", async () => {
  await server.storeMessage({ trackingCode: "A" });
  const [found] = server.store.tables.messageSearch.slice({}, 1, 2, 1);
  if (found === undefined) throw new Error("not stored");
  const exported = (clientReference: string) =>
    parse(messageCsvLines({ routeNames: {} })({ ...found, clientReference }))[0]?.[8];
  for (const reference of ['a "b", c', "two\nlines", "سفارش ۷", "-42", "a=1"])
    expect(exported(reference)).toBe(reference);
  for (const reference of ['=cmd|"x"', "@sum(1)", "+cmd", "-2+3"]) expect(exported(reference)).toBe(`'${reference}`);
});

test("an export has times in the requested zone, and for a customer nothing about routes", async () => {
  await server.storeMessage({ trackingCode: "A" });
  const [found] = server.store.tables.messageSearch.slice({}, 1, 2, 1);
  if (found === undefined) throw new Error("not stored");
  const { out } = await peyk();
  expect(out).toContain("2026-01-05T12:00:00.000Z");
  const tehran = await server.app.handle(new Request("http://localhost/messages/export?timeZone=Asia/Tehran"));
  expect(await tehran.text()).toContain("2026-01-05T15:30:00.000+03:30");
  const line = messageCsvLines({ routeNames: { 7: "operator-a" }, isForCustomer: true })({ ...found, routeId: 7 });
  expect(line).not.toContain("operator-a");
  const [head = []]: string[][] = parse(out);
  expect(parse(line)[0]).toHaveLength(head.length - 2);
});

test("an export is refused for the same reasons as a search", async () => {
  expect(await peyk("--csv", "--route", "nowhere")).toMatchObject({ code: 1, out: "" });
  for (const wrong of [["--csv", "--json"], ["--status", "gone"], ["A"]]) expect((await peyk(...wrong)).code).toBe(2);
  const wrongZone = new Request("http://localhost/messages/export?timeZone=Nowhere");
  expect((await server.app.handle(wrongZone)).status).toBe(400);
});

test("a wrong time zone is explained in one sentence wherever one is accepted", async () => {
  await server.call("POST", "/accounts", { name: "Clinic" });
  const said = [
    await server.call("GET", "/messages/export?timeZone=Mars/Olympus"),
    await server.call("GET", "/figures?by=day&from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&timeZone=Mars/Olympus"),
    await server.call("PATCH", "/accounts/acc_1", { timeZone: "Mars/Olympus" }),
  ];
  const first = said[0] ?? { status: 0, body: null };
  expect(first).toMatchObject({ status: 400, body: { problems: [{ key: "timeZone" }] } });
  expect(said).toEqual([first, first, first]);
});
