/** Approved groups, patterns and one-time passwords as a customer's system sees them, over the wire. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type ApiErrorCode, apiErrors } from "../../src/domain/api-error.ts";
import { groupOperations } from "../../src/http/approved-groups.ts";
import { otpOperations } from "../../src/http/otp.ts";
import { patternOperations } from "../../src/http/patterns.ts";
import { type Api, sender, startApi } from "../support/api.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi();
  await group("spring", "mobile,firstName\n09121234567,Ali\n09121234568,سارا\n");
  await group("nameless", "mobile\n09121234567\n");
  const patterns = api.patterns.service;
  const base = { accountId: api.accountId, name: "Name", sender: null, maxLengths: { order: 8 } };
  await patterns.add({ ...base, code: "ready", text: "Dear {{name}}, {{order}} is ready." });
  await patterns.add({ ...base, code: "login", text: "Code {{code}}", maxLengths: {} });
  await patterns.add({ ...base, code: "draft", text: "Draft", maxLengths: {} });
  for (const code of ["ready", "login"]) await patterns.approve({ code }, "maryam");
});
afterAll(() => api.stop());

/** Every test uses its own number, so that the limits of one do not affect another. */
let numbers = 0;
let recipient: string;
beforeEach(() => {
  numbers += 1;
  recipient = `0935${String(1_000_000 + numbers)}`;
});

async function group(code: string, csv: string): Promise<void> {
  await api.groups.service.create(api.accountId, code, `Group ${code}`);
  async function* file() {
    yield new TextEncoder().encode(csv);
  }
  await api.groups.service.import({ code }, file(), { progress: () => {}, problem: () => {}, repeated: () => {} });
  await api.groups.service.approve({ code }, "maryam");
}

const toGroup = (code: string, body: object, key?: string) =>
  api.send(`/v1/approved-groups/${code}/messages`, { sender, message: "Hello", ...body }, key);
const byPattern = (code: string, body: object, key?: string) =>
  api.send(`/v1/patterns/${code}/messages`, { sender, recipient, variables: {}, ...body }, key);
const challenge = (body: object = {}, key?: string) =>
  api.send("/v1/otp/challenges", { sender, recipient, ...body }, key);
const ownCode = (body: object = {}, key?: string) =>
  api.send("/v1/otp/codes", { sender, recipient, code: "4321", ...body }, key);
const verify = (challengeId: string, code: unknown) =>
  api.call("POST", `/v1/otp/challenges/${challengeId}/verify`, { body: { code } });

/** The code in the message: its text is opened as the route would do it. */
function codeOf(trackingCode: string): string {
  const row = api.store.tables.messages.byCodeAnywhere(trackingCode);
  if (row === null) throw new Error(`There is no message ${trackingCode}`);
  return /\d{4,10}/.exec(api.texts.open(row))?.[0] ?? "";
}

describe("approved groups", () => {
  test("are listed with the documented fields, and only the account's own", async () => {
    const response = await api.call("GET", "/v1/approved-groups");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([
      { code: "nameless", name: "Group nameless", recipientCount: 1, approvedAt: expect.stringMatching(/Z$/) },
      { code: "spring", name: "Group spring", recipientCount: 2, approvedAt: expect.stringMatching(/Z$/) },
    ]);
    const { apiKey } = await api.customer();
    const others = await api.call("GET", "/v1/approved-groups", { headers: { "X-API-Key": apiKey } });
    expect(await others.json()).toEqual([]);
  });

  test("send one text to all members, and answer with a Send result for each, in member order", async () => {
    const response = await toGroup("spring", { message: "سلام {{firstName}}", clientReference: "c-1" });
    expect(response.status).toBe(202);
    expect(response.headers.get("content-type")).toBe("application/json");
    const results = await response.json();
    expect(results).toEqual([
      {
        trackingCode: expect.any(String),
        status: "queued",
        encoding: "Persian",
        characterCount: 8,
        partCount: 1,
        submittedAt: expect.stringMatching(/Z$/),
        duplicate: false,
      },
      expect.objectContaining({ characterCount: 9, duplicate: false }),
    ]);
    const tracked = await (await api.call("GET", `/v1/messages/${results[1].trackingCode}`)).json();
    expect(tracked).toMatchObject({ message: "سلام سارا", recipient: "+989121234568", clientReference: "c-1" });
  });

  test("answer a repeat with the whole array again and duplicate true", async () => {
    const first = await (await toGroup("spring", {}, "group-key")).json();
    const again = await toGroup("spring", { message: "Other" }, "group-key");
    expect(again.status).toBe(200);
    expect(again.headers.get("idempotency-payload-mismatch")).toBe("true");
    expect(await again.json()).toEqual(first.map((result: object) => ({ ...result, duplicate: true })));
    const elsewhere = await toGroup("nameless", {}, "group-key");
    expect(await elsewhere.json()).toMatchObject({ code: "idempotency_key_conflict" });
  });

  test("answer with thousands of Send results", async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `0912${1_000_000 + index}`);
    await group("many", `mobile\n${lines.join("\n")}\n`);
    const results = await (await toGroup("many", {})).json();
    expect(results).toHaveLength(3_000);
    expect(new Set(results.map(({ trackingCode }: { trackingCode: string }) => trackingCode)).size).toBe(3_000);
  });
});

describe("patterns", () => {
  test("are listed with their variables; drafts are not", async () => {
    const listed = await (await api.call("GET", "/v1/patterns")).json();
    expect(listed).toEqual([
      {
        code: "login",
        name: "Name",
        text: "Code {{code}}",
        variables: [{ name: "code", maxLength: 30 }],
        sender: null,
        isActive: true,
        approvedAt: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ code: "ready" }),
    ]);
  });

  test("are sent as a single message", async () => {
    const response = await byPattern("ready", { variables: { name: "Ali", order: "A-1" } }, "pattern-key");
    expect(response.status).toBe(202);
    const result = await response.json();
    expect(response.headers.get("location")).toBe(`/v1/messages/${result.trackingCode}`);
    expect(result).toMatchObject({ status: "queued", encoding: "Latin", duplicate: false });
    const again = await byPattern("ready", { variables: {} }, "pattern-key");
    expect([again.status, (await again.json()).duplicate]).toEqual([200, true]);
  });

  test("name every problem of the values and of the recipient", async () => {
    const bad = await byPattern("ready", { variables: { order: "123456789", other: 1 } });
    expect(bad.status).toBe(400);
    expect((await bad.json()).errors).toEqual([
      expect.objectContaining({ field: "variables.name", code: "required" }),
      expect.objectContaining({ field: "variables.order", code: "too_long" }),
      expect.objectContaining({ field: "variables.other", code: "unknown" }),
    ]);
    for (const variables of [undefined, null, [], "x"]) {
      const { errors } = await (await byPattern("ready", { variables, recipient: "021" })).json();
      expect(errors.map(({ field }: { field: string }) => field)).toEqual(["recipient", "variables"]);
    }
  });
});

describe("one-time passwords", () => {
  test("a challenge is sent, answered wrongly, answered correctly, and then used up", async () => {
    const response = await challenge({ codeLength: 8, ttlSeconds: 120, clientReference: "login-1" }, "otp-key");
    expect(response.status).toBe(202);
    const sent = await response.json();
    const inSeconds = (seconds: number) => new Date(api.clock.now() + seconds * 1_000).toISOString();
    expect(sent).toEqual({
      challengeId: expect.any(String),
      trackingCode: expect.any(String),
      status: "pending",
      expiresAt: inSeconds(120),
      resendAvailableAt: inSeconds(60),
      attemptsRemaining: 5,
      duplicate: false,
    });
    const again = await challenge({}, "otp-key");
    expect([again.status, await again.json()]).toEqual([200, { ...sent, duplicate: true }]);

    const wrong = await verify(sent.challengeId, "wrong");
    expect([wrong.status, await wrong.json()]).toEqual([
      200,
      { challengeId: sent.challengeId, status: "pending", verifiedAt: null, attemptsRemaining: 4 },
    ]);
    const code = codeOf(sent.trackingCode);
    expect(code).toHaveLength(8);
    expect(await (await verify(sent.challengeId, code)).json()).toMatchObject({
      status: "verified",
      verifiedAt: inSeconds(0),
      attemptsRemaining: 3,
    });
    const tracked = await (await api.call("GET", `/v1/messages/${sent.trackingCode}`)).json();
    expect(tracked).toMatchObject({ message: "Your verification code: ********", clientReference: "login-1" });
  });

  test("a customer's own code is sent and masked", async () => {
    const response = await ownCode({ code: "AB12", patternCode: "login" });
    expect(response.status).toBe(202);
    const { trackingCode, characterCount } = await response.json();
    expect(response.headers.get("location")).toBe(`/v1/messages/${trackingCode}`);
    expect(characterCount).toBe(9);
    const { message } = await (await api.call("GET", `/v1/messages/${trackingCode}`)).json();
    expect(message).toBe("Code ****");
  });

  test("fields are checked at both limits", async () => {
    const codes = async (response: Response) => {
      const { errors = [] } = await response.json();
      return errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
    };
    for (const [body, expected] of [
      [{ codeLength: 3 }, ["codeLength out_of_range"]],
      [{ codeLength: 11 }, ["codeLength out_of_range"]],
      [{ codeLength: 4.5 }, ["codeLength invalid_type"]],
      [{ ttlSeconds: 59 }, ["ttlSeconds out_of_range"]],
      [{ ttlSeconds: 901 }, ["ttlSeconds out_of_range"]],
      [{ recipient: "123", sender: "abc" }, ["sender too_short", "recipient invalid_phone_number"]],
    ] as const) {
      expect(await codes(await challenge(body))).toEqual([...expected]);
    }
    for (const [index, body] of [
      { codeLength: 4 },
      { codeLength: 10 },
      { ttlSeconds: 60 },
      { ttlSeconds: 900 },
    ].entries()) {
      expect((await challenge({ ...body, recipient: `0936000${1_000 + index}` })).status).toBe(202);
    }
    for (const [code, expected] of [
      ["123", ["code too_short"]],
      ["12345678901", ["code too_long"]],
      ["12 34", ["code invalid_format"]],
      [1234, ["code invalid_type"]],
    ] as const) {
      expect(await codes(await ownCode({ code }))).toEqual([...expected]);
    }
    expect(await codes(await verify(crypto.randomUUID(), ""))).toEqual(["code too_short"]);
  });

  test("each of a hundred parallel attempts counts", async () => {
    const { challengeId } = await (await challenge()).json();
    const answers = await Promise.all(Array.from({ length: 100 }, () => verify(challengeId, "wrong")));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(95).fill(409)]);
  });
});

/** Verifies a new challenge until it has ended as asked. */
async function ended(how: "expired" | "locked" | "used"): Promise<Response> {
  const { challengeId, trackingCode } = await (await challenge()).json();
  const code = codeOf(trackingCode);
  if (how === "used") await verify(challengeId, code);
  if (how === "locked") for (let answer = 0; answer < 5; answer += 1) await verify(challengeId, "wrong");
  if (how === "expired") await api.clock.advance(300_000);
  return verify(challengeId, code);
}

const reached = {
  unknown_variable: () => toGroup("spring", { message: "{{nickname}}" }),
  personalisation_unavailable: () => toGroup("nameless", { message: "{{firstName}}" }),
  sender_not_permitted: () => toGroup("spring", { sender: "40000" }),
  group_not_found: () => toGroup("autumn", {}),
  async group_not_sendable() {
    await api.groups.service.create(api.accountId, "empty", "Empty");
    return toGroup("empty", {});
  },
  pattern_not_found: () => byPattern("none", {}),
  pattern_not_sendable: () => byPattern("draft", {}),
  otp_challenge_not_found: () => verify("nonsense", "1234"),
  otp_challenge_expired: () => ended("expired"),
  otp_challenge_locked: () => ended("locked"),
  otp_challenge_used: () => ended("used"),
  async otp_rate_limited() {
    await challenge();
    return ownCode();
  },
} satisfies Partial<Record<ApiErrorCode, () => Promise<Response>>>;

const isReached = (code: string): code is keyof typeof reached => code in reached;

test.each(Object.keys(reached).filter(isReached))("%s is answered in the documented shape", async (code) => {
  const response = await reached[code]();
  expect(response.status).toBe(apiErrors[code].status);
  const correlationId = response.headers.get("x-correlation-id");
  expect(await response.json()).toEqual({ code, message: expect.any(String), correlationId });
  expect(response.headers.has("retry-after")).toBe(code === "otp_rate_limited");
});

test("every error code specific to these operations has a case above", () => {
  const { groups, patterns, otp } = api;
  const operations = [...groupOperations(groups), ...patternOperations(patterns.sender), ...otpOperations(otp.service)];
  const own = new Set<string>(operations.flatMap(({ errors }) => errors));
  expect([...own].sort()).toEqual(Object.keys(reached).sort());
});
