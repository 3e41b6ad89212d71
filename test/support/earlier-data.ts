/** What a customer and an operator leave behind in an earlier build, and what a later build must do with it. */
import { expect } from "bun:test";
import { createHmac } from "node:crypto";
import type { EarlierBuild } from "./earlier-build.ts";
import { codeIn, type Installation, linesOf, sender, textField } from "./installation.ts";
import { type LaterData, leaveLaterData, prepareLaterData } from "./later-data.ts";
import { eventually } from "./peyk-process.ts";

interface Sent {
  path: string;
  idempotencyKey: string;
  body: Record<string, unknown>;
  answer: unknown;
}

export interface EarlierData {
  apiKey: string;
  signingSecret: string;
  sent: Sent[];
  /** Texts waiting for their route, and one waiting for its time. */
  waitingTexts: string[];
  scheduled: { text: string; sendAt: string };
  challenge: { id: string; code: string };
  /** Unknown to the first build. */
  later?: LaterData;
}

export const carrierToken = "carrier-token-of-the-first-build";

/** In TOML: each differs from its default. */
export const earlierSettings = (commit: EarlierBuild) => `default_region = "TR"
${commit === "553085a" ? "" : 'currency = "USD"\n'}[idempotency]
mismatch = "reject"
days = 20
[messages]
retention_days = 77
validity_hours = 24
[otp]
text = "Code {{code}}"
resend_seconds = 7
`;

export const carrierFile = (port: number) => ({
  request: {
    method: "POST",
    url: `http://127.0.0.1:${port}/send`,
    headers: { Authorization: "Bearer {{token}}" },
    body: { json: { from: "{{sender}}", to: "{{recipientDigits}}", text: "{{text}}", ref: "{{trackingCode}}" } },
  },
  answer: { accepted: { status: "2xx", json: { path: "status", equals: "queued" } }, id: { json: "messageId" } },
  tokenFile: "carrier.token",
});

const recipient = "+989121234567";
/** Longer than a start, so that it is still in the future when the new build takes over. */
const scheduledAfterMs = 40_000;

const textsOf = async (service: Installation) =>
  linesOf<{ text: string }>(await service.log("carrier.log")).map(({ text }) => text);

const idOf = (printed: string): string => JSON.parse(printed).id;

type Send = (path: string, body: Record<string, unknown>) => Promise<unknown>;

/** `files` holds the route's file, lists of numbers and other settings, where the command line reads them. */
export async function leaveData(
  service: Installation,
  files: string,
  receiverPort: number,
  commit: EarlierBuild,
): Promise<EarlierData> {
  const apiKey = await makeCustomer(service, files);
  const knowsMoney = commit !== "553085a";
  const prepared = knowsMoney ? await prepareLaterData(service) : null;
  const post = async (path: string, body: Record<string, unknown>, idempotencyKey?: string) => {
    const given = idempotencyKey === undefined ? {} : { idempotencyKey };
    const { status, body: answer } = await service.request(path, { method: "POST", apiKey, body, ...given });
    expect({ path, accepted: [201, 202].includes(status), answer }).toEqual({ path, accepted: true, answer });
    return answer;
  };
  const webhook = await post("/v1/webhooks", { url: `https://127.0.0.1:${receiverPort}/`, events: ["message.status"] });
  const sent: Sent[] = [];
  const send: Send = async (path, body) => {
    const idempotencyKey = `first-${sent.length}`;
    const answer = await post(path, body, idempotencyKey);
    sent.push({ path, idempotencyKey, body, answer });
    return answer;
  };
  await send("/v1/messages", { sender, recipient, message: "سلام", clientReference: "r-1" });
  const challenge = await send("/v1/otp/challenges", { sender, recipient, codeLength: 6, ttlSeconds: 900 });
  await eventually(async () => (await textsOf(service)).length === 2);
  await eventually(async () => (await service.log("callbacks.log")).includes('"isClosed":true'));
  const code = codeIn(await textsOf(service));

  await service.peyk("route disable carrier");
  const waitingTexts = await leaveWaiting(send);
  const sendAt = new Date(Date.now() + scheduledAfterMs).toISOString();
  await send("/v1/messages/scheduled", { sender, recipient, message: "waits for its time", sendAt });
  const later = prepared === null ? null : await leaveLaterData(service, { files, send, prepared });
  return {
    apiKey,
    signingSecret: textField(webhook, "signingSecret"),
    sent,
    waitingTexts: [...waitingTexts, ...(later?.waitingTexts ?? [])],
    scheduled: { text: "waits for its time", sendAt },
    challenge: { id: textField(challenge, "challengeId"), code },
    ...(later !== null && { later: later.data }),
  };
}

/** A route with a token, an account with a sender, and what its key needs for sending. Returns the key. */
async function makeCustomer(service: Installation, files: string): Promise<string> {
  await service.peyk(`route add carrier --kind http --config ${files}/carrier.json`);
  const account = idOf(await service.peyk("account create --name First --json"));
  await service.peyk(`sender add --account ${account} --sender ${sender} --route carrier`);
  const apiKey: string = JSON.parse(await service.peyk(`key create --account ${account} --name first --json`)).apiKey;
  await service.peyk(`pattern add --account ${account} --code ready --name Ready --text "Dear {{name}}, it is ready."`);
  await service.peyk("pattern approve ready");
  await service.peyk(`group create --account ${account} --code spring --name Spring`);
  await service.peyk(`group import spring --csv ${files}/members.csv`);
  await service.peyk("group approve spring");
  return apiKey;
}

/** One of every kind of request; returns the texts. */
async function leaveWaiting(send: Send): Promise<string[]> {
  await send("/v1/messages", { sender, recipient, message: "waits alone" });
  await send("/v1/messages/batch", {
    sender,
    messages: ["one", "two"].map((name) => ({ recipient, message: `waits in a batch, ${name}` })),
  });
  await send("/v1/approved-groups/spring/messages", { sender, message: "waits for {{firstName}}" });
  await send("/v1/patterns/ready/messages", { sender, recipient, variables: { name: "Ali" } });
  return [
    "waits alone",
    "waits in a batch, one",
    "waits in a batch, two",
    "waits for Sara",
    "waits for Reza",
    "Dear Ali, it is ready.",
  ];
}

/** Not known before sending: codes that the service generates. */
const withoutCode = (text: string): string => text.replace(/^Code \d{6}$/, "Code ######");

/** Every stored key replays its answer and rejects a different payload, according to the earlier setting. */
export async function assertReplays(service: Installation, { apiKey, sent }: EarlierData): Promise<void> {
  for (const { path, idempotencyKey, body, answer } of sent) {
    const again = await service.request(path, { method: "POST", apiKey, idempotencyKey, body });
    const asked = { path, idempotencyKey };
    expect({ ...asked, status: again.status, body: identities(again.body) }).toEqual({
      ...asked,
      status: 200,
      body: identities(answer).map((one) => ({ ...one, duplicate: true })),
    });
    expect(again.head).not.toMatch(/idempotency-payload-mismatch/i);
    const other = await service.request(path, {
      method: "POST",
      apiKey,
      idempotencyKey,
      body: { ...body, clientReference: "x" },
    });
    expect({ ...asked, status: other.status, body: other.body }).toMatchObject({
      ...asked,
      status: 409,
      body: { code: "idempotency_key_conflict" },
    });
  }
}

const identities = (answer: unknown) =>
  [answer].flat().map((one) => ({
    trackingCode: textField(one, "trackingCode"),
    duplicate: textField(one, "duplicate") === "true",
  }));

/** Waiting messages are sent once, by the carrier that the sealed token opens; scheduled ones at their time. */
export async function assertSent(service: Installation, { waitingTexts, scheduled }: EarlierData): Promise<void> {
  const before = linesOf(await service.log("carrier.log")).length;
  await service.peyk("route enable carrier");
  const wanted = [...waitingTexts, scheduled.text].sort();
  const waitMs = Date.parse(scheduled.sendAt) - Date.now() + 20_000;
  await eventually(async () => (await textsOf(service)).length >= before + wanted.length, Math.max(20_000, waitMs));
  const all = linesOf<{ text: string; authorization: string; at: number }>(await service.log("carrier.log"));
  const fresh = all.slice(before);
  expect(fresh.map(({ text }) => withoutCode(text)).sort()).toEqual(wanted);
  expect(new Set(all.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${carrierToken}`]));
  const scheduledAt = fresh.find(({ text }) => text === scheduled.text)?.at ?? 0;
  expect(scheduledAt).toBeGreaterThanOrEqual(Date.parse(scheduled.sendAt));
}

/** A code sent earlier can be verified, and approved patterns and groups are listed. */
export async function assertFeatures(service: Installation, { apiKey, challenge }: EarlierData): Promise<void> {
  const verified = await service.request(`/v1/otp/challenges/${challenge.id}/verify`, {
    method: "POST",
    apiKey,
    body: { code: challenge.code },
  });
  expect(verified).toMatchObject({ status: 200, body: { status: "verified" } });
  const get = async (path: string) => (await service.request(path, { method: "GET", apiKey })).body;
  expect(await get("/v1/patterns")).toMatchObject([{ code: "ready", isActive: true, variables: [{ name: "name" }] }]);
  expect(await get("/v1/approved-groups")).toMatchObject([{ code: "spring" }]);
}

/** Deliveries that failed earlier are repeated, signed with the earlier secret. */
export async function assertCallbacks(service: Installation, { signingSecret, sent }: EarlierData): Promise<void> {
  interface Callback {
    body: string;
    timestamp: string;
    signature: string;
    isClosed: boolean;
  }
  const first = identities(sent[0]?.answer)[0]?.trackingCode ?? "";
  const taken = async () =>
    linesOf<Callback>(await service.log("callbacks.log")).filter(
      ({ body, isClosed }) => !isClosed && body.includes(first),
    );
  await eventually(async () => (await taken()).length >= 2, 60_000);
  for (const { body, timestamp, signature } of await taken()) {
    expect(signature).toBe(`v1=${createHmac("sha256", signingSecret).update(`${timestamp}.${body}`).digest("hex")}`);
  }
}

/** The settings in the file keep their meaning. */
export async function assertSettings(service: Installation, words: string): Promise<void> {
  expect(JSON.parse(await service.peyk(`config show ${words} --json`))).toMatchObject({
    default_region: "TR",
    "idempotency.mismatch": "reject",
    "idempotency.days": 20,
    "messages.retention_days": 77,
    "messages.validity_hours": 24,
    "otp.text": "Code {{code}}",
    "otp.resend_seconds": 7,
  });
}
