/** Controls of what runs look at since fresh eyes planted mistakes that nothing found: a mistake of each class. */
import { type PlantedDefect, planted } from "./planted-defects.ts";

const idempotency = "src/store/idempotency.ts";
const accept = "src/messaging/messages/accept.ts";
const outcome = "src/dispatch/submit-outcome.ts";
const otpSteps = "src/messaging/otp/otp-steps.ts";

const forgets = (what: string, afterMs: number) =>
  planted(
    `a key is free again after ${what}`,
    accept,
    "    if (known === null) return null;\n    if (known.operation",
    `    const [first] = known === null ? [] : tables.messages.run(known.firstMessageId, 1);
    if (known === null || first === undefined || caller.at - first.submittedAt > ${afterMs}) return null;
    if (known.operation`,
  );

export const plantedLater: readonly PlantedDefect[] = [
  planted(
    "a long message is delivered a part early",
    "src/dispatch/receipts.ts",
    "return delivered >= tracked;",
    "return delivered > 0 && delivered >= tracked - 1;",
  ),
  forgets("a minute", 60_000),
  forgets("an hour", 3_600_000),
  forgets("a day", 86_400_000),
  planted(
    "a key stands for the same request whoever uses it",
    idempotency,
    "row.apiKeyId === apiKeyId && row.key === key ?",
    "row.key === key ?",
    {
      file: idempotency,
      find: "  of(apiKeyId: number, key: string): number {\n",
      replace: "  of(anyKeyId: number, key: string): number {\n    const apiKeyId = 0 * anyKeyId;\n",
    },
  ),
  planted(
    "a key may stand for two operations",
    accept,
    'if (known.operation !== request.operation) throw new ApiError("idempotency_key_conflict");',
    "if (known.operation !== request.operation) return null;",
  ),
  planted(
    "an erasure leaves the events of a message, which its callbacks have told",
    "src/store/recipient-data.ts",
    "    this.#events.erase(trackingCode, at);\n    this.#sql().removeTimeline.run(id);\n",
    "    void [trackingCode, at];\n    this.#sql().removeTimeline.run(id);\n",
  ),
  planted(
    "a quota has room for a request of which one part fits",
    "src/messaging/quotas/quota-guard.ts",
    'haveRoom(quotas.of("account", accountId), calendar, bookedAt, parts) &&',
    'haveRoom(quotas.of("account", accountId), calendar, bookedAt, 1) &&',
  ),
  planted(
    "a start leaves what waits for a webhook to its next event",
    "src/webhooks/deliverer.ts",
    "for (const webhookId of outbox.waitingWebhooks()) {",
    "for (const webhookId of outbox.waitingWebhooks().slice(0, 0)) {",
  ),
  planted(
    "guesses at a code are stored some time later",
    "src/messaging/otp/otp-challenges.ts",
    "tables.otpSends.countAnswer(row.messageId, verifiedAt);",
    "setTimeout(() => void store.write((later) => later.otpSends.countAnswer(row.messageId, verifiedAt)), 1_000);",
  ),
  planted(
    "a receipt under an id that was given again goes to the message that had it first",
    "src/dispatch/receipts.ts",
    "return parts.find((part) => isOfNamed(tables, part, numbers)) ?? likeliest;",
    "return parts.at(-1) ?? likeliest;",
  ),
  planted(
    "a receipt for a message that is over is a repeat, whoever it names",
    "src/dispatch/receipts.ts",
    'if (effect !== "repeated" || !isOfAnother(tables, part, receipt.numbers)) return effect;',
    "return effect;",
  ),
  planted(
    "a throttled submit costs an attempt",
    outcome,
    "return retried(tables, message, context.now + outcome.retryAfterMs, message.attempts - 1, context);",
    "return retried(tables, message, context.now + outcome.retryAfterMs, message.attempts, context);",
  ),
  planted(
    "the validity of a scheduled message begins when it is accepted",
    accept,
    "validUntil: (dueAt ?? sendAt ?? at) +",
    "validUntil: at +",
  ),
  planted(
    "a further step of a code begins while the message before it waits",
    otpSteps,
    "if (way === null || isOnItsWay(tables, live, way)) {",
    "if (way === null) {",
  ),
  planted(
    "a receipt does not end the further steps of a code",
    "src/store/otp-steps.ts",
    'if (status === "delivered" || status === "cancelled") this.end(first, status, at);',
    'if (status === "cancelled") this.end(first, status, at);',
  ),
  planted(
    "the message of a further step is stored some time before its step",
    otpSteps,
    "    otpSteps.begin(live, id, now, nextDueAt);\n    return queuedOf(row, id);",
    `    otpSteps.postpone(live, now + 300_000);
    setTimeout(() => void this.#deps.store.write((later) => later.otpSteps.begin(live, id, now, nextDueAt)).catch(() => {}), 500);
    return queuedOf(row, id);`,
  ),
  planted(
    "a line's rules are asked some time after the text is stored",
    "src/server/services.ts",
    "store.onInbound((text) => void (keywords.received(text) || engine.received(text)));",
    `store.onInbound((text) => {
    if (keywords.received(text)) return;
    setTimeout(() => void store.write(() => engine.received(text)).catch(() => {}), 500);
  });`,
  ),
  planted(
    "a start asks a line's rules again about the last text",
    "src/server/services.ts",
    "store.onInbound((text) => void (keywords.received(text) || engine.received(text)));",
    `store.onInbound((text) => void (keywords.received(text) || engine.received(text)));
  const { inbound } = store.tables;
  const last = inbound.slice(1, 0, inbound.lastPosition(1), { sender: null, receiver: null, from: null, to: null }, 100).at(-1);
  if (last !== undefined) setTimeout(() => void store.write(() => engine.received(last)).catch(() => {}), 500);`,
    {
      file: "src/store/inbound-rules.ts",
      find: "return this.#drizzle.insert(inboundAnswer).values(row).onConflictDoNothing().returning().all().length > 0;",
      replace: "void row;\n    return true;",
    },
  ),
  planted(
    "a number that the table has is looked up",
    "src/messaging/routing/number-lookups.ts",
    "return this.#deps.networks.find(e164).source !== networkSources.prefix;",
    "return this.#known.has(e164);",
  ),
  planted(
    "the uses of a rule are counted some time after its text",
    "src/messaging/inbound-rules/inbound-rules.ts",
    "    inboundRules.countUse(decided.rule.id, at, today, sent);\n",
    `    const { id } = decided.rule;
    setTimeout(() => void store.write((later) => later.inboundRules.countUse(id, at, today, sent)).catch(() => {}), 1_000);
`,
  ),
  planted(
    "the last rule that takes a text decides",
    "src/domain/inbound-rule.ts",
    "for (const rule of rules) {",
    "for (const rule of rules.toReversed()) {",
  ),
  planted(
    "a line's rules are asked in the order in which they were added",
    "src/store/inbound-rules.ts",
    "    .orderBy(inboundRule.position)\n    .prepare();",
    "    .orderBy(inboundRule.id)\n    .prepare();",
  ),
  planted(
    "what a rule calls is stored some time after its text",
    "src/messaging/inbound-rules/inbound-rules.ts",
    "    if (credentialId !== null && !isOwn) this.toProgram(credentialId, text);\n",
    `    if (credentialId !== null && !isOwn)
      setTimeout(() => void store.write(() => this.toProgram(credentialId, text)).catch(() => {}), 1_000);
`,
  ),
  planted(
    "what a rule mails is taken off before it is sent",
    "src/messaging/inbound-rules/inbound-mails.ts",
    "        const isOver = await this.#attempt(row, send);\n",
    "        const isOver = true;\n        void this.#attempt(row, send);\n",
  ),
  planted(
    "a mail that was sent stays on the list until the next look",
    "src/messaging/inbound-rules/inbound-mails.ts",
    "          if (isOver || attempts >= attemptsMax) inboundRules.removeMail(row.id);\n",
    "          if (attempts >= 2) inboundRules.removeMail(row.id);\n",
  ),
  planted(
    "a restart begins the day's budget of look-ups anew",
    "src/messaging/routing/number-lookups.ts",
    "    this.#questions.counted = { day: kept.day, asked: kept.asked };\n",
    "",
  ),
  planted(
    "one known number is enough for a request that needs them all",
    "src/messaging/routing/number-lookups.ts",
    "[...numbers].every((e164) => this.networkOf(e164) !== 0)",
    "[...numbers].some((e164) => this.networkOf(e164) !== 0)",
  ),
  planted(
    "requests at once ask about one number each on their own",
    "src/messaging/routing/number-lookups.ts",
    "    this.#open.set(e164, asked);\n",
    "",
  ),
  planted(
    "a table of ported numbers is named before it is on disk",
    "src/store/ported-builder.ts",
    "      files.sync(target);\n",
    "",
  ),
  planted(
    "a table of ported numbers is removed before its successor is stored",
    "src/messaging/routing/ported-numbers.ts",
    "    const importedAt = clock.now();\n",
    `    const importedAt = clock.now();
    dropPorted(this.#folder, (name) => name === portedFileName(sum));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
`,
  ),
];
