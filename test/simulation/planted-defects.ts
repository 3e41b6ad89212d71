/** Defects to be planted, each an edit of `src`: they measure how well the simulation finds errors. */

interface Edit {
  file: string;
  find: string;
  replace: string;
}

export interface PlantedDefect {
  title: string;
  edits: readonly [Edit, ...Edit[]];
}

export const planted = (
  title: string,
  file: string,
  find: string,
  replace: string,
  ...more: Edit[]
): PlantedDefect => ({
  title,
  edits: [{ file, find, replace }, ...more],
});

const receipts = "src/dispatch/receipts.ts";
const groupCommit = "src/store/group-commit.ts";
const status = "src/domain/status.ts";
const outcome = "src/dispatch/submit-outcome.ts";

export const plantedDefects: readonly PlantedDefect[] = [
  planted(
    "a receipt is acknowledged before its commit",
    receipts,
    "this.#waiting.push({ routeId, receipt, stored, refused });",
    'this.#waiting.push({ routeId, receipt, stored, refused }); stored("applied");',
  ),
  planted(
    "a submit leaves before its claim is committed",
    "src/dispatch/claim.ts",
    "return await store.write((tables) => candidates.map((candidate) => claimIn(tables, candidate)));",
    `const rows = candidates.map(({ messageId, choice }) => {
      const row = store.tables.messages.byId(messageId);
      const { routeId, now } = row === null ? { routeId: 0, now: 0 } : selector.attemptContext(choice, row);
      if (row === null || row.dueAt === null || row.validUntil <= now || row.state === "uncertain") return null;
      return { ...row, state: "submitting" as const, routeId, attempts: row.attempts + 1, dueAt: null };
    });
    void store.write((tables) => candidates.map((candidate) => claimIn(tables, candidate))).catch(() => {});
    return await Promise.resolve(rows);`,
  ),
  planted(
    "callbacks' outcomes are gathered for 5 s",
    "src/webhooks/deliverer.ts",
    "gatherMs = 10 }",
    "gatherMs = 5_000 }",
  ),
  planted(
    "writes are answered before COMMIT",
    groupCommit,
    "    this.#result = this.#change();\n",
    "    this.#result = this.#change();\n    this.settle();\n",
    {
      file: groupCommit,
      find: "      this.#resolve(this.#committed(this.#result));\n",
      replace:
        "      const result = this.#result;\n      this.#result = notRun;\n      this.#resolve(this.#committed(result));\n",
    },
  ),
  planted(
    "the Idempotency-Key is stored in a later transaction",
    "src/messaging/messages/accept.ts",
    "tables.idempotency.append(caller.apiKeyId, key, row, caller.at);",
    "void store.append((later) => later.idempotency.append(caller.apiKeyId, key, row, caller.at), () => {});",
  ),
  planted(
    "a receipt that came first is never joined",
    receipts,
    "if (providerId !== null) joinOrphans(tables, message, { routeId, providerId, now });",
    "if (providerId === null) joinOrphans(tables, message, { routeId, providerId: providerId ?? '', now });",
  ),
  planted(
    "what a crash left submitting is not recovered",
    "src/dispatch/dispatcher.ts",
    "await recoverUncertain(store, (routeId) => this.#selector.outcomeContext(routeId, 1));",
    "void recoverUncertain;",
  ),
  planted(
    "it is recovered without a word in the timeline",
    "src/dispatch/sweep.ts",
    'tables.timeline.add(message.id, { at: context.now, kind: "uncertain", routeId: message.routeId, reason });',
    "void reason;",
  ),
  planted(
    "a cancel wins after the claim",
    status,
    'return state === "ready";',
    'return state === "ready" || state === "submitting";',
    {
      file: status,
      find: 'submitting: ["submitted", "retry_wait", "uncertain", "failed"],',
      replace: 'submitting: ["submitted", "retry_wait", "uncertain", "failed", "cancelled"],',
    },
  ),
  planted(
    "the window is not given back after a silent submit",
    "src/dispatch/submitter.ts",
    "route.limiter.release(message.partCount);",
    'if (outcome.kind !== "uncertain") route.limiter.release(message.partCount);',
  ),
  planted(
    "an answer is dropped while the disk is full",
    "src/dispatch/outcome-intake.ts",
    "if (reason instanceof StoreUnavailable) {",
    "if (reason instanceof StoreUnavailable && storeRetryMs < 0) {",
  ),
  planted(
    "a callback's outcome is dropped while the disk is full",
    "src/webhooks/delivery-outcome.ts",
    "if (!isRunning()) throw reason;",
    "if (!isRunning() || retryMs > 0) throw reason;",
  ),
  planted(
    "a message's callbacks lose their order",
    "src/store/outbox.ts",
    "SELECT ?1, ?2, CASE WHEN held THEN 'held' ELSE 'waiting' END, CASE WHEN held THEN NULL ELSE ?4 END, ?4",
    "SELECT ?1, ?2, 'waiting', ?4, ?4",
  ),
  planted(
    "an event is stored in a transaction of its own",
    "src/webhooks/events.ts",
    `const { accountId, trackingCode } = message;
    const event = { publicId, accountId, kind: "message.status", subject: trackingCode, step: status, body, createdAt };
    outbox.record(event, idsOf(listening));`,
    `const { accountId, trackingCode } = message;
    const event = { publicId, accountId, kind: "message.status", subject: trackingCode, step: status, body, createdAt };
    void store.write(() => outbox.record(event, idsOf(listening)));`,
  ),
  planted(
    "a receipt that could not be stored is acknowledged",
    receipts,
    "for (const { refused } of group) refused(reason);",
    'for (const { stored } of group) stored("applied");',
  ),
  planted(
    "uncertain attempts are not counted",
    outcome,
    "    uncertainAttempts: message.uncertainAttempts + 1,\n",
    "    uncertainAttempts: message.uncertainAttempts,\n",
    {
      file: outcome,
      find: "const uncertainAttempts = message.uncertainAttempts + 1;",
      replace: "const uncertainAttempts = message.uncertainAttempts;",
    },
  ),
  planted(
    "lanes are not rewound after a full disk",
    "src/dispatch/dispatcher.ts",
    `"claims were not stored; the queue waits");
    this.#lanes.rewind();`,
    `"claims were not stored; the queue waits");`,
  ),
  planted(
    "a temporary refusal is not stored",
    outcome,
    "  tables.timeline.add(message.id, {\n    at: context.now,\n    kind: outcome.kind,",
    '  if (outcome.kind !== "temporary") tables.timeline.add(message.id, {\n    at: context.now,\n    kind: outcome.kind,',
  ),
  planted(
    "a code that nobody has stays in memory",
    "src/messaging/messages/track.ts",
    'if (message === null) throw new ApiError("message_not_found");',
    'if (message === null) { Reflect.set(globalThis, trackingCode, { trackingCode }); throw new ApiError("message_not_found"); }',
  ),
];
