/** Mistakes that a maintainer might make, written by somebody who had read `src/` and not what the simulation checks. */
import { type PlantedDefect, planted } from "./planted-defects.ts";

const outbox = "src/store/outbox.ts";

export const plantedMistakes: readonly PlantedDefect[] = [
  planted(
    "a cancelled message keeps its reservation",
    "src/store/charges.ts",
    "price !== null && isTest === 0 && isFinal(after.state)",
    'price !== null && isTest === 0 && isFinal(after.state) && after.state === "failed"',
  ),
  planted(
    "one failed part of a long message does not fail it",
    "src/dispatch/receipts.ts",
    '  if (report.state === "failed") {\n    tables.messages.move',
    '  if (report.state === "failed" && message.partCount === 1) {\n    tables.messages.move',
  ),
  planted(
    "only the first part is joined with its early receipt",
    "src/dispatch/receipts.ts",
    "  for (const providerId of partIds) {\n    if (providerId !== null) joinOrphans",
    "  for (const providerId of partIds.slice(0, 1)) {\n    if (providerId !== null) joinOrphans",
  ),
  planted(
    "all events behind an acknowledged one are let go at once",
    outbox,
    "WHERE id = (\n       SELECT min(behind.id) FROM delivery AS ended",
    "WHERE id IN (\n       SELECT behind.id FROM delivery AS ended",
    { file: outbox, find: "WHERE own.id = delivery.event_id", replace: "WHERE own.id IS NULL" },
  ),
  planted(
    "what a lost link had not answered counts as not sent",
    "src/providers/smpp/submit-window.ts",
    'part.settle({ kind: "uncertain", reason: { code: "link_lost", cause }, lateAnswer: false });',
    'part.settle({ kind: "unsent", reason: { code: "link_lost", cause } });',
  ),
  planted(
    "a scheduled message is due once the clock was ever past its time",
    "src/store/queue.ts",
    "AND (due_at <= ?7 OR (send_at IS NULL AND state = 'ready'))",
    "AND (due_at <= ?7 OR state = 'ready')",
  ),
  planted(
    "keys that are not merged yet are forgotten by a start",
    "src/store/key-index.ts",
    "options.unmerged(this.mergedTo())) this.#fresh.add(fingerprint, requestId);",
    "options.unmerged(this.mergedTo())) void [fingerprint, requestId];",
  ),
  planted(
    "an operator's opt-out does not reach what already waits",
    "src/messaging/rules/claim-checks.ts",
    "if (entry === null || entry.confirmationId === message.id) return null;",
    'if (entry === null || entry.source === "operator" || entry.confirmationId === message.id) return null;',
  ),
  planted(
    "an SMPP customer's receipt is off the list as soon as it is sent",
    "src/smpp-server/customer-deliveries.ts",
    "if (frames.length === 0) this.#acknowledge(row.id);",
    "this.#acknowledge(row.id);",
  ),
  planted(
    "an HTTP carrier that does not answer in time counts as not reached",
    "src/providers/http/send-request.ts",
    'new ProviderRequestError(true, { code: "no_answer"',
    'new ProviderRequestError(false, { code: "no_answer"',
  ),
  planted(
    "claims that the disk refused keep their room in the window",
    "src/dispatch/dispatcher.ts",
    "      for (const { choice, partsHeld } of candidates) choice.route.limiter.unclaim(partsHeld);\n",
    "",
  ),
  planted(
    "one write that is refused takes its whole group with it",
    "src/store/group-transaction.ts",
    "if (writes.length === 1 || isDiskError(reason)) throw reason;",
    "throw reason;",
  ),
  planted(
    "keys and lists are renamed before they are synced",
    "src/platform/durable-file.ts",
    "    writeAll(descriptor, Buffer.from(text));\n    files.sync(descriptor);\n",
    "    writeAll(descriptor, Buffer.from(text));\n",
  ),
  planted(
    "a suspended account's messages go on",
    "src/server/routing.ts",
    "isSuspended: (accountId) => directory.isSuspended(accountId),",
    "isSuspended: () => false,",
  ),
];
