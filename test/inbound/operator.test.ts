/** Lines and received messages as an operator sees them: over the socket, and through the command line. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  for (const name of ["Clinic", "Bank"]) await server.call("POST", "/accounts", { name });
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli([...argv, "--data-dir", server.folder]);

async function json(...argv: string[]): Promise<unknown> {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
}

const write = (to: string, message = "بله", from = "09121234567") =>
  server.call("POST", "/inbound/simulate", { from, to, message });

describe("lines in the operator API", () => {
  test("are added in any spelling, listed by account, and removed", async () => {
    expect(await server.call("POST", "/lines", { number: "+98 3000 1234", account: "acc_1" })).toEqual({
      status: 200,
      body: {
        number: "30001234",
        account: "acc_1",
        createdAt: "2026-01-05T12:00:00.000Z",
        credential: null,
        credentialProblem: null,
        madeAvailable: 0,
      },
    });
    await server.call("POST", "/lines", { number: "30005678", account: "2" });
    const list = async (query = "") => (await server.call("GET", `/lines${query}`)).body;
    expect(await list()).toMatchObject({ rows: [{ number: "30001234" }, { number: "30005678" }] });
    expect(await list("?account=acc_2")).toMatchObject({ rows: [{ number: "30005678" }] });
    expect((await server.call("DELETE", "/lines/%2B9830001234")).body).toMatchObject({
      number: "30001234",
      removed: true,
    });
    expect(await list("?account=acc_1")).toMatchObject({ rows: [] });
  });

  test("are refused with the reason", async () => {
    await server.call("POST", "/lines", { number: "30001234", account: "acc_1" });
    expect(await server.call("POST", "/lines", { number: "30001234", account: "acc_2" })).toMatchObject({
      status: 409,
      body: { code: "line_exists", message: "The line 30001234 belongs to account acc_1 already." },
    });
    const wrong = [
      { number: "" },
      { number: "  " },
      { number: "MyBank" },
      { number: 5 },
      { number: "1".repeat(41) },
      {},
    ];
    for (const body of wrong)
      expect(await server.call("POST", "/lines", { account: "acc_1", ...body })).toMatchObject({
        status: 400,
        body: { code: "invalid", problems: [{ key: "number" }] },
      });
    const nobody = { status: 404, body: { code: "account_not_found" } };
    expect(await server.call("POST", "/lines", { number: "30009999", account: "acc_9" })).toMatchObject(nobody);
    expect(await server.call("GET", "/lines?account=acc_9")).toMatchObject(nobody);
    expect(await server.call("DELETE", "/lines/30009999")).toMatchObject({
      status: 404,
      body: { code: "line_not_found" },
    });
  });
});

describe("received messages in the operator API", () => {
  test("are shown whole, with what is unusual about them", async () => {
    await server.call("POST", "/lines", { number: "30001234", account: "acc_1" });
    const simulated = await write("30001234");
    expect(simulated).toEqual({
      status: 200,
      body: {
        trackingCode: expect.any(String),
        account: "acc_1",
        sender: "+989121234567",
        senderAtHome: "09121234567",
        receiver: "30001234",
        message: "بله",
        route: "simulator",
        unmapped: false,
        partCount: 1,
        partsReceived: 1,
        incomplete: false,
        binary: false,
        octets: null,
        receivedAt: "2026-01-05T12:00:00.000Z",
        availableAt: "2026-01-05T12:00:00.000Z",
      },
    });
    const { trackingCode } = Object(simulated.body);
    expect(await server.call("GET", `/inbound/${trackingCode}`)).toEqual(simulated);
    expect(await server.call("GET", "/inbound/01KAGN0Q6YV5T0WJ7V8K3H4R2B")).toMatchObject({
      status: 404,
      body: { code: "inbound_not_found" },
    });
  });

  test("are found by account, numbers, times and marks, page by page", async () => {
    await server.call("POST", "/lines", { number: "30001234", account: "acc_1" });
    await write("30001234", "mapped");
    await server.clock.advance(1_000);
    await write("30005678", "unmapped", "09350000001");
    const part = { sender: "+989121234567", receiver: "30001234", text: "half", receivedAt: server.clock.now() };
    await server.inbound.take(1, { ...part, text: "", binary: "00ff" });
    await server.inbound.start();
    await server.inbound.take(1, { ...part, concat: { reference: 1, part: 2, parts: 3 } });
    await server.clock.advance(600_000);
    const found = async (query: string) => {
      const { body } = await server.call("GET", `/inbound?${query}`);
      return Object(body).messages.map(({ message }: { message: string }) => message);
    };
    expect(await found("")).toEqual(["half", "", "unmapped", "mapped"]);
    expect(await found("account=acc_1")).toEqual(["half", "", "mapped"]);
    expect(await found("unmapped=true")).toEqual(["unmapped"]);
    expect(await found("incomplete=true")).toEqual(["half"]);
    expect(await found("binary=true&receiver=%2B9830001234")).toEqual([""]);
    expect(await found("sender=09350000001")).toEqual(["unmapped"]);
    expect(await found("to=2026-01-05T12:00:01Z")).toEqual(["mapped"]);
    expect(await found("from=2026-01-05T12:00:01Z&unmapped=true")).toEqual(["unmapped"]);
    const first = Object((await server.call("GET", "/inbound?limit=3")).body);
    expect(first.messages).toHaveLength(3);
    expect(await found(`cursor=${first.nextCursor}`)).toEqual(["mapped"]);
    for (const query of ["limit=0", "limit=501", "unmapped=perhaps", "from=today", "cursor=-", "sender="])
      expect((await server.call("GET", `/inbound?${query}`)).status).toBe(400);
  });

  test("are simulated only on a simulator route, with a number and a text", async () => {
    const text = { from: "09121234567", to: "30001234", message: "x" };
    const wrong: [object, string][] = [
      [{ from: "" }, "from"],
      [{ to: "MyBank" }, "to"],
      [{ message: "" }, "message"],
      [{ message: "x".repeat(10_001) }, "message"],
    ];
    for (const [change, key] of wrong)
      expect(await server.call("POST", "/inbound/simulate", { ...text, ...change })).toMatchObject({
        status: 400,
        body: { problems: [{ key }] },
      });
    expect((await write("30001234", "سلام ".repeat(2_000))).body).toMatchObject({ partCount: 150, incomplete: false });
    await server.call("POST", "/routes/simulator/disable");
    expect(await server.call("POST", "/inbound/simulate", text)).toMatchObject({
      status: 404,
      body: { code: "route_not_found" },
    });
  });
});

describe("the inbound commands", () => {
  test("add a line, and report how many messages had waited for it", async () => {
    expect((await peyk("line", "list")).out).toContain("peyk line add --number NUMBER --account ID");
    for (const text of ["one", "two"])
      await json("inbound", "simulate", "--from", "09121234567", "--to", "30001234", "--message", text);
    expect(await json("inbound", "list", "--unmapped")).toMatchObject([{ message: "two" }, { message: "one" }]);
    expect((await peyk("inbound", "list")).out).toContain("unmapped");
    const added = await peyk("line", "add", "--number", "30001234", "--account", "acc_1");
    expect(added.out).toContain("2 messages that had come already are available to it now.");
    expect(await json("inbound", "list", "--unmapped")).toEqual([]);
    expect(await json("line", "list", "--account", "acc_1")).toMatchObject([{ number: "30001234", account: "acc_1" }]);
    expect((await peyk("line", "remove", "--number", "+9830001234")).out).toBe("Line 30001234 of acc_1 removed.\n");
  });

  test("show a text without its control characters", async () => {
    const message = `\u001b[2Jgone\r\n${"long ".repeat(30)}`;
    const { trackingCode } = Object(
      await json("inbound", "simulate", "--from", "x", "--to", "30001234", "--message", message),
    );
    for (const run of [await peyk("inbound", "list"), await peyk("inbound", "show", trackingCode)]) {
      expect(run.out).toContain("[2Jgone");
      expect(run.out).not.toContain("\u001b");
      expect(run.out).not.toContain("\r");
    }
    expect(await json("inbound", "show", trackingCode)).toMatchObject({ message });
  });

  test("exit with 1 for a refusal and 2 for wrong usage", async () => {
    expect((await peyk("line", "add", "--number", "30001234", "--account", "acc_9")).code).toBe(1);
    expect((await peyk("line", "remove", "--number", "30001234")).code).toBe(1);
    expect((await peyk("inbound", "show", "nothing")).code).toBe(1);
    expect((await peyk("line", "add", "--number", "30001234")).code).toBe(2);
    expect((await peyk("inbound", "simulate", "--from", "1", "--to", "2")).code).toBe(2);
    expect((await peyk("inbound", "list", "--limit", "0")).code).toBe(2);
    expect((await peyk("inbound", "list", "--from", "sometime")).code).toBe(2);
  });
});
