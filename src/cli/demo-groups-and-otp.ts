/** The second half of the demo: messages to a group, from a pattern, and a one-time password. */

import { type Static, Type as t } from "@sinclair/typebox";
import { counted } from "../domain/counted.ts";
import { operatorClient, streamed } from "./client.ts";
import { type DemoAccount, post, request, type Say, sendResultSchema, showHistory } from "./demo-tour.ts";

const members = "mobile,firstName\n09120000000,علی\n09120000010,Sara\n";
const challengeResult = t.Object({ challengeId: t.String(), trackingCode: t.String(), expiresAt: t.String() });
const verification = t.Object({ status: t.String(), attemptsRemaining: t.Number() });
const messageText = t.Object({ message: t.String() });

/** Creates and approves a group and a pattern through the operator API, as an operator would. */
export async function createGroupAndPattern(socketPath: string, folder: string, account: string): Promise<void> {
  const by = "demo";
  const socket = { path: socketPath, dataDir: folder, user: by };
  const api = operatorClient(socket);
  await api("POST /groups", { account, code: "friends", name: "Friends" });
  const imported = await streamed(socket, "POST /groups/:code/import", { code: "friends" }, members);
  await new Response(imported).text();
  await api("POST /groups/:code/approve", { code: "friends", by });
  const text = "Dear {{name}}, your order {{order}} is ready.";
  await api("POST /patterns", { account, code: "ready", name: "Order ready", text });
  await api("POST /patterns/:code/approve", { code: "ready", by });
}

/** `inbox`: what the simulated phone received for this message; null until it arrives. */
export async function groupAndOtpTour(
  account: DemoAccount,
  inbox: (trackingCode: string) => Promise<string | null>,
  say: Say,
): Promise<void> {
  const { sender } = account;

  say("\n6. One text to an approved group, with each member's name in it");
  const group = "/v1/approved-groups/friends/messages";
  const many = await post(
    account,
    say,
    group,
    { sender, message: "سلام {{firstName}}" },
    "tour-5",
    t.Array(sendResultSchema),
  );
  for (const result of many.body) {
    const { body } = await request(account, messageText, `/v1/messages/${result.trackingCode}`);
    say(`   ${many.httpStatus} ${result.trackingCode} ${result.status} (${result.encoding}): ${body.message}`);
  }

  say("\n7. A message by an approved pattern");
  const variables = { name: "Sara", order: "A-1042" };
  const pattern = "/v1/patterns/ready/messages";
  const sent = await post(
    account,
    say,
    pattern,
    { sender, recipient: "09120000000", variables },
    "tour-6",
    sendResultSchema,
  );
  say(`   ${sent.httpStatus} ${sent.body.trackingCode} ${sent.body.status}`);

  say("\n8. A one-time password: only the phone gets the code; every record masks it");
  const challenges = "/v1/otp/challenges";
  const { httpStatus, body: challenge } = await post(
    account,
    say,
    challenges,
    { sender, recipient: "09120000000" },
    "tour-7",
    challengeResult,
  );
  say(`   ${httpStatus} ${challenge.challengeId}, valid until ${challenge.expiresAt}`);
  await verify(account, challenge, "not it", say);
  say("   peyk simulator inbox");
  const text = await untilReceived(() => inbox(challenge.trackingCode));
  say(`   The text on the simulated phone: ${text}`);
  await verify(account, challenge, /\d{4,}/.exec(text)?.[0] ?? "", say);
  const { body } = await request(account, messageText, `/v1/messages/${challenge.trackingCode}`);
  say(`   The text in the message record: ${body.message}`);
  await showHistory(account, challenge.trackingCode, say);
}

const receivedPollMs = 40;

async function untilReceived(receive: () => Promise<string | null>): Promise<string> {
  for (;;) {
    const text = await receive();
    if (text !== null) return text;
    await Bun.sleep(receivedPollMs);
  }
}

async function verify(
  account: DemoAccount,
  { challengeId }: Static<typeof challengeResult>,
  code: string,
  say: Say,
): Promise<void> {
  const path = `/v1/otp/challenges/${challengeId}/verify`;
  const given = JSON.stringify({ code });
  say(`   POST ${path}\n   ${given}`);
  const headers = { "content-type": "application/json" };
  const { httpStatus, body } = await request(account, verification, path, { method: "POST", body: given, headers });
  say(`   ${httpStatus} ${body.status}, ${counted(Number(body.attemptsRemaining), "attempt")} left`);
}
