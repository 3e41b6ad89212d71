/** `peyk explain`: consults the code that decides, in its order, and leaves no trace. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { callerAt } from "../support/caller.ts";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
  await peyk("route", "add", "operator-a", "--kind", "simulator");
  await peyk("route", "add", "operator-b", "--kind", "simulator");
  await peyk("sender", "add", "--account", "acc_1", "--sender", "30001", "--route", "operator-a");
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli([...argv, "--data-dir", server.folder]);

const explain = (...options: string[]) =>
  peyk("explain", "--account", "acc_1", "--sender", "30001", "--recipient", "09351234567", ...options);

interface Explained {
  accepted: boolean;
  remarks: { rule: string; words: string }[];
}

async function explained(...options: string[]): Promise<Explained> {
  const run = await explain(...options, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
}

const rulesOf = ({ remarks }: Explained) => remarks.map(({ rule }) => rule);

async function plan(): Promise<void> {
  await peyk("plan", "create", "iran");
  await peyk("plan", "rule", "add", "iran", "--range", "+98912", "--target", "operator-a");
  const shared = ["--target", "operator-b=70", "--target", "operator-a=30"];
  await peyk("plan", "rule", "add", "iran", "--network", "irancell", ...shared);
  await peyk("plan", "use", "iran", "--account", "acc_1", "--sender", "30001");
}

test("peyk explain lists every rule that applied, in order", async () => {
  await plan();
  expect((await explain()).out).toBe(
    [
      "Accepted   yes",
      "Recipient  +989351234567",
      "Network    Irancell",
      "Parts      1",
      "Price      -",
      "Due        2026-01-05 12:00:00Z",
      "Route now  operator-b",
      "Its cost   -",
      "",
      "RULE       DECIDED",
      "account    Clinic is active.",
      "recipient  +989351234567 is a mobile number; the account may send to every country.",
      "network    +989351234567 is a number of Irancell, by its range.",
      "plan       Rule 2 of plan iran takes it (numbers of Irancell), by its target with 70 of 100 parts. Routes: operator-b.",
      "handover   It would be due at once. Handed over now, it would go by route operator-b.",
      "",
    ].join("\n"),
  );
});

test("peyk explain predicts what happens to the message, and message show says it in the same words", async () => {
  await plan();
  const asked = await explained();
  for (let time = 0; time < 5; time += 1) expect(await explained()).toEqual(asked);
  const draft = {
    sender: "30001",
    recipient: "+989351234567",
    text: "A message",
    clientReference: null,
    class: messageClasses.single,
    sendAt: null,
  };
  const request = { key: "k", operation: "POST /v1/messages", payloadHash: new Uint8Array(32) };
  const { results } = await server.acceptor.accept(callerAt(server.clock.now()), request, [draft]);
  const shown = JSON.parse((await peyk("message", "show", results[0]?.trackingCode ?? "", "--json")).out);
  expect(shown.waitReason).toEqual({ code: "waits_turn", route: "operator-b" });
  expect(shown.remarks).toEqual(asked.remarks.filter(({ rule }) => ["network", "plan"].includes(rule)));
  const text = (await peyk("message", "show", results[0]?.trackingCode ?? "")).out;
  expect(text).toContain("Rule 2 of plan iran takes it (numbers of Irancell)");
});

test("peyk explain names the sender's own routes when no plan decides, and why a message would wait", async () => {
  expect((await explained()).remarks).toContainEqual({
    rule: "plan",
    words: "30001 uses no routing plan; it goes by the sender's own routes: operator-a.",
  });
  await plan();
  const abroad = await explained("--recipient", "+905321234567");
  expect(abroad.remarks).toContainEqual({
    rule: "plan",
    words: "No rule of plan iran takes it, so the sender's own routes do: operator-a.",
  });
  await peyk("route", "disable", "operator-a");
  expect((await explained("--recipient", "+905321234567")).remarks.at(-1)?.words).toBe(
    "It would be due at once. Handed over now, it would wait: no rule of plan iran takes it, and no route of its sender's own is enabled.",
  );
  const later = await explained("--at", "2026-01-06T08:00:00Z");
  expect(later.remarks.at(-1)?.words).toStartWith("It would be due at 2026-01-06 08:00:00Z. Handed over now, ");
});

test("peyk explain stops where a request would be refused, with the refusal's code", async () => {
  const refused = async (...options: string[]) => {
    const answer = await explained(...options);
    expect(answer.accepted).toBe(false);
    return answer;
  };
  const noNumber = await refused("--recipient", "021");
  expect(rulesOf(noNumber)).toEqual(["account", "refusal"]);
  expect(noNumber).toMatchObject({ refusal: { code: "validation_failed" }, route: null, dueAt: null });
  expect(await refused("--sender", "40002")).toMatchObject({ refusal: { code: "sender_not_permitted" } });
  await peyk("account", "update", "acc_1", "--countries", "TR");
  expect(rulesOf(await refused())).toEqual(["account", "refusal"]);
  await peyk("account", "update", "acc_1", "--countries", "all");
  await peyk("quota", "set", "acc_1", "--day", "1");
  const tooLong = await refused("--text", "س".repeat(100));
  expect(tooLong).toMatchObject({ refusal: { code: "quota_exceeded" }, partCount: 2 });
  expect(rulesOf(tooLong).slice(-2)).toEqual(["quota", "refusal"]);
  await peyk("account", "suspend", "acc_1");
  expect(await refused()).toMatchObject({ refusal: { code: "account_suspended" } });
  expect((await peyk("explain", "--account", "acc_9", "--recipient", "0912")).err).toContain(
    "There is no such account",
  );
});

test("peyk explain refuses a sending time that the API refuses, with the same code", async () => {
  const refusal = {
    code: "validation_failed",
    message: "The time to send must lie 30 seconds to 30 days ahead.",
  };
  // It is noon of January 5.
  for (const at of ["2026-01-05T12:00:29Z", "2026-02-04T12:00:01Z", "2025-12-31"]) {
    expect(await explained("--class", "bulk", "--at", at)).toMatchObject({ accepted: false, refusal });
  }
  for (const at of ["2026-01-05T12:00:30Z", "2026-02-04T12:00:00Z"]) {
    expect(await explained("--class", "bulk", "--at", at)).toMatchObject({ accepted: true });
  }
});

test("peyk explain treats a message with a later time as scheduled unless a class is given", async () => {
  const at = ["--at", "2026-01-06T23:00:00Z"];
  expect(await explained(...at)).toMatchObject({ class: "bulk" });
  expect(await explained(...at, "--class", "otp")).toMatchObject({ class: "otp" });
  expect(await explained()).toMatchObject({ class: "single" });
});

test("peyk explain says that a message would be accepted and then blocked", async () => {
  await peyk("suppression", "add", "09351234567");
  const answer = await explained("--class", "bulk");
  expect(answer).toMatchObject({ accepted: true, blocked: expect.any(String), dueAt: null, price: null });
  expect(answer.remarks.at(-1)?.words).toStartWith("It would fail with blocked: ");
  expect(await explained("--class", "otp")).toMatchObject({ accepted: true, blocked: null });
});

test("peyk explain shows the customer's price and the route's cost", async () => {
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "7");
  await peyk("price", "set", "carrier", "--prefix", "*", "--price", "3");
  await server.call("PUT", "/accounts/acc_1/billing", { list: "retail", mode: "postpaid" });
  await server.call("PUT", "/routes/operator-a/costs", { list: "carrier" });
  const answer = await explained("--text", "س".repeat(100));
  expect(answer).toMatchObject({ accepted: true, price: 14, cost: 6, route: "operator-a" });
  expect(answer.remarks).toContainEqual({ rule: "price", words: expect.stringContaining("It costs 14 IRR: 2 × 7") });
});

test("peyk explain tells by what a code is tried, at most at which price, for every text and for a pattern", async () => {
  const { store, directory } = server;
  const channel = { name: "call", kind: "http", enabled: true, options: '{"kind":"channel","price":20}' } as const;
  const times = { createdAt: 1, updatedAt: 1, removedAt: null };
  directory.putRoute(await store.write(({ routes }) => routes.insert({ ...channel, ...times, sealedSecrets: null })));
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "7");
  await server.call("PUT", "/accounts/acc_1/billing", { list: "retail", mode: "postpaid" });
  await peyk("otp", "steps", "set", "--try", "sms:20", "--try", "channel:call:30");
  const stepsIn = ({ remarks }: Explained) => remarks.find(({ rule }) => rule === "steps")?.words;
  const words = (sum: number, off = "", count = 3) =>
    `A challenge goes by sms, and again by sms after 20 s; by call after 30 s${off}; each while nothing confirms it. At most ${count} messages, which cost at most ${sum} IRR in all.`;
  expect(stepsIn(await explained("--class", "otp"))).toBe(words(34));
  expect(stepsIn(await explained("--class", "otp", "--text", "س".repeat(100)))).toBe(words(48));
  expect(stepsIn(await explained())).toBeUndefined();
  await peyk("route", "disable", "call");
  expect(stepsIn(await explained("--class", "otp"))).toBe(words(14, ", passed over while that is off", 2));

  await peyk("sender", "add", "--account", "acc_1", "--sender", "30009", "--route", "operator-a");
  const text = `${"کد شما: ".repeat(12)}{{code}}`;
  await server.call("POST", "/patterns", { account: "acc_1", code: "login", name: "Login", text, sender: "30009" });
  await peyk("otp", "steps", "set", "--account", "acc_1", "--pattern", "login", "--try", "sms:9");
  const asked = ["--account", "acc_1", "--recipient", "09351234567", "--pattern", "login", "--json"];
  expect((await peyk("explain", ...asked)).out).toContain("pattern_not_sendable");
  await peyk("pattern", "approve", "login");
  const byPattern = await peyk("explain", ...asked);
  const answer = JSON.parse(byPattern.out);
  expect(answer).toMatchObject({ sender: "30009", class: "otp", partCount: 2, price: 14 });
  expect(stepsIn(answer)).toContain(
    "again by sms after 9 s; each while nothing confirms it. At most 2 messages, which cost at most 28",
  );
  expect((await explain("--pattern", "nothing")).err).toContain("no pattern");
});
