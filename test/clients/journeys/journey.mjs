/** Every operation once, through the built TypeScript library: with a server, or without PEYK_URL with the fake. Prints what each answered. */
import { FakePeyk, Peyk, PeykApiError, signWebhook, verifyWebhook } from "peyk-client";

const { PEYK_URL: baseUrl, PEYK_HELPER: helper, PEYK_RECEIVER: url, PEYK_DIGIT: digit } = process.env;
const fake = baseUrl === undefined ? new FakePeyk() : null;
const peyk = fake?.client() ?? new Peyk();
const ask = async (path) => (await fetch(`${helper}${path}`)).text();
const codeOf = (phone) => fake?.messages.at(-1).code ?? ask(`/code?of=${phone}`);

async function callbackOf(eventId) {
  if (fake === null) return JSON.parse(await ask(`/callback?of=${eventId}`));
  const data = { webhookId: id, message: "This is a test event." };
  const body = JSON.stringify({ id: eventId, type: "webhook.test", createdAt: new Date().toISOString(), data });
  return { headers: signWebhook(secret, body), body };
}

if (fake !== null) {
  const approvedAt = null;
  fake.groups.push({ code: "spring", name: "بهار", recipientCount: 1, approvedAt, recipients: ["09121111111"] });
  const [text, variables] = ["{{name}} عزیز، سفارش شما آماده است.", [{ name: "name", maxLength: 30 }]];
  fake.patterns.push({ code: "ready", name: "آماده", text, variables, sender: null, isActive: true, approvedAt });
  for (const text of ["یک", "دو", "سه"]) fake.receive("09121234567", "30001234", text);
}
const sender = "30001234";
const recipient = `0912000000${digit}`;
const message = "سلام! سفارش شما ارسال شد.";
const answers = {};

answers.sendMessage = await peyk.sendMessage({ sender, recipient, message, clientReference: "order-1042" });
answers.trackingCode = answers.sendMessage.trackingCode;
answers.scheduleMessage = await peyk.scheduleMessage({
  sender,
  recipient,
  message,
  sendAt: new Date(Date.now() + 3_600_000),
});
answers.sendMessageBatch = await peyk.sendMessageBatch({ sender, messages: [{ recipient, message }] });
answers.getMessage = await peyk.getMessage(answers.sendMessage.trackingCode);
answers.getMessageStatuses = await peyk.getMessageStatuses({ trackingCodes: [answers.sendMessage.trackingCode] });
answers.cancelMessage = await peyk.cancelMessage(answers.scheduleMessage.trackingCode);
answers.listSenders = await peyk.listSenders();
answers.listApprovedGroups = await peyk.listApprovedGroups();
answers.sendToApprovedGroup = await peyk.sendToApprovedGroup("spring", { sender, message });
answers.listPatterns = await peyk.listPatterns();
answers.sendPatternMessage = await peyk.sendPatternMessage("ready", { sender, recipient, variables: { name: "سارا" } });
const otpRecipient = `0912000001${digit}`;
answers.createOtpChallenge = await peyk.createOtpChallenge({ sender, recipient: otpRecipient, codeLength: 5 });
const code = await codeOf(otpRecipient);
answers.verifyOtpChallenge = await peyk.verifyOtpChallenge(answers.createOtpChallenge.challengeId, { code });
answers.sendOtpCode = await peyk.sendOtpCode({ sender, recipient: `0912000002${digit}`, code: "4821" });
answers.listInboundMessages = await peyk.listInboundMessages({ limit: 2, from: new Date(0) });
answers.createWebhook = await peyk.createWebhook({ url, events: ["message.status"] });
const { id, signingSecret: secret } = answers.createWebhook;
answers.listWebhooks = await peyk.listWebhooks();
answers.updateWebhook = await peyk.updateWebhook(id, { events: ["inbound.received"] });
answers.testWebhook = await peyk.testWebhook(id);
answers.event = verifyWebhook({ ...(await callbackOf(answers.testWebhook.eventId)), secret });
answers.deleteWebhook = (await peyk.deleteWebhook(id)) ?? null;

answers.inbound = [];
for await (const received of peyk.inboundMessages({ limit: 2 })) answers.inbound.push(received.message);
try {
  await peyk.sendMessage({ sender, recipient: "12", message: "" }, { correlationId: "journey" });
} catch (error) {
  if (!(error instanceof PeykApiError)) throw error;
  const { status, correlationId, fieldErrors } = error;
  answers.error = {
    status,
    code: error.code,
    correlationId,
    fields: fieldErrors.map((one) => `${one.field}: ${one.code}`),
  };
}
console.log(JSON.stringify(answers));
