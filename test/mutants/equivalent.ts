/** Mutants that no test can kill, because nobody could tell the difference; each was read, and says why. */

export interface Equivalent {
  file: string;
  /** The source from where the mutant begins, as far as it is unmistakable. */
  original: string;
  /** Every mutant of the original, wherever in it. */
  isWhole?: true;
  /** What the mutant puts there; absent if the reason holds for all of them. */
  replacement?: string;
  why: string;
}

const groupCommit = "src/store/group-commit.ts";
const idempotency = "src/store/idempotency.ts";
const ledger = "src/store/ledger.ts";
const accept = "src/messaging/messages/accept.ts";
const automatic = "src/messaging/messages/automatic-messages.ts";
const canceller = "src/messaging/messages/waiting-canceller.ts";
const draft = "src/messaging/messages/draft.ts";
const explain = "src/messaging/messages/explain.ts";
const operatorCancel = "src/messaging/messages/operator-cancel.ts";
const recipientFile = "src/messaging/messages/recipient-file.ts";
const staged = "src/messaging/messages/staged-acceptance.ts";
const staging = "src/messaging/messages/staging.ts";
const textSender = "src/messaging/messages/text-sender.ts";
const priceLines = "src/messaging/billing/price-lines.ts";
const priceService = "src/messaging/billing/price-service.ts";
const priceVersions = "src/messaging/billing/price-versions.ts";
const statement = "src/messaging/billing/statement.ts";
const quotaGuard = "src/messaging/quotas/quota-guard.ts";

const pauses = "Changes how often other work may run, and no result: tests of holds look after that.";
const remarks = "Of the rules that only answer a query nobody reads the remarks.";
const oneMore = "One more slice, which is empty.";

export const equivalent: readonly Equivalent[] = [
  {
    file: groupCommit,
    original: "this.#result === notRun",
    replacement: "false",
    why: "An assertion: every write of a transaction that was committed has run.",
  },
  {
    file: groupCommit,
    original: '"A write was settled before it ran"',
    why: "The words of that assertion.",
  },
  {
    file: groupCommit,
    original: "this.#pending.length === 1",
    replacement: "true",
    why: "A second look in the same turn finds nothing pending.",
  },
  {
    file: groupCommit,
    original: "replicated.to.isDrained) inNextTurn",
    replacement: "true",
    why: "What runs in the next turn looks at the same again.",
  },
  {
    file: groupCommit,
    original: "this.flush();\n    if (!isDrained",
    why: "Pending writes are refused in the next turn of the event loop in any case.",
  },
  {
    file: groupCommit,
    original: "[];\n    try {\n      this.#options.log?.makeRoom",
    why: "Assigned on both ways that lead from there.",
  },
  {
    file: groupCommit,
    original: "this.#options.replicated?.to.isDrained !== true) return;",
    replacement: "this.#options.replicated.to",
    why: "Only a replicated store waits for its log.",
  },
  {
    file: quotaGuard,
    original: "!isCounted(quotas, payer, parts)) return;\n    const calendar = this.#calendarOf",
    replacement: "false",
    why: "Of nothing nothing is given back, and who has no quota has none to give it back to.",
  },
  {
    file: quotaGuard,
    original: 'quotas.of("key", apiKeyId).length > 0);',
    replacement: 'quotas.of("key", apiKeyId).length >= 0',
    why: "Who has no quota has room, and nothing is counted.",
  },
  {
    file: quotaGuard,
    original: "b.period.endsAt > a.period.endsAt",
    replacement: "b.period.endsAt >= a.period.endsAt",
    why: "Two that end at the same time give the same time to retry.",
  },
  {
    file: idempotency,
    original: "sql.newest.get()?.id",
    replacement: "sql.newest.get().id",
    why: "A maximum always has a row.",
  },
  {
    file: idempotency,
    original: "sql.unkeyedTo.get()?.id",
    replacement: "sql.unkeyedTo.get().id",
    why: "The migration has written its row.",
  },
  {
    file: idempotency,
    original: "this.#oldestId() > unkeyedTo",
    replacement: "false",
    why: "Requests that are gone are looked for in vain.",
  },
  {
    file: idempotency,
    original: "this.#unkeyedTo === 0",
    replacement: "false",
    why: "No request has an id that low: one is looked for in vain.",
  },
  {
    file: idempotency,
    original: "!this.#index.mayBeOnDisk(fingerprint)",
    replacement: "false",
    why: "What is not on disk is looked for in vain.",
  },
  {
    file: idempotency,
    original: '"";\n  #fingerprint',
    why: "No API key has the id 0 that stands beside it.",
  },
  {
    file: idempotency,
    original: "key === this.#key && apiKeyId",
    replacement: "false",
    why: "The same fingerprint is computed again.",
  },
  {
    file: ledger,
    original: "behindMs > 0",
    replacement: "behindMs >= 0",
    why: "Both times are the same where nothing is behind.",
  },
  {
    file: ledger,
    original: "last === before ||",
    replacement: "false",
    why: "Without lines between them the search ends at once, with the same line.",
  },
  {
    file: ledger,
    original: "bookedAt < present.bookedAt",
    replacement: "true",
    why: "A step where time did not go back divides a run in two, and their sum is the same.",
  },
  {
    file: ledger,
    original: "bookedAt < present.bookedAt",
    replacement: "bookedAt <= present.bookedAt",
    why: "A step where time did not go back divides a run in two, and their sum is the same.",
  },
  {
    file: "src/messaging/billing/balance-service.ts",
    original: "reference === null ?",
    replacement: "false",
    why: "No line of the ledger equals NULL.",
  },
  { file: statement, original: "if (day.endsAt <= bookedAt) await nextTurn();", isWhole: true, why: pauses },
  {
    file: priceService,
    original: "prefix === null) throw",
    replacement: "false",
    why: "What is no prefix has no price either.",
  },
  {
    file: priceService,
    original: "prefix === null) return null",
    replacement: "false",
    why: "What is no prefix has no price either.",
  },
  {
    file: priceService,
    original: 'from === "" ? now',
    replacement: "false",
    why: "The empty text is no day, so the price is that of now in any case.",
  },
  {
    file: priceService,
    original: '"" ? now',
    why: "The empty text is no day, so the price is that of now in any case.",
  },
  {
    file: priceVersions,
    original: "list !== null) priceLists.end",
    replacement: "true",
    why: "A list is never removed.",
  },
  {
    file: priceVersions,
    original: "from < next.lines.length",
    replacement: "from <= next.lines.length",
    why: "One more slice without lines.",
  },
  { file: priceVersions, original: "if (index % sliceLines === 0) await nextTurn();", isWhole: true, why: pauses },
  {
    file: priceVersions,
    original: "from < lines.length",
    replacement: "from <= lines.length",
    why: "One more run without lines.",
  },
  {
    file: priceVersions,
    original: "lines.slice(from, from + sliceLines).sort(byPrefixAndTime)",
    isWhole: true,
    why: "Runs are sorted so that each line is appended to the list; in another order, or twice, each goes to the same place.",
  },
  {
    file: priceVersions,
    original: "count += 1;\n    if (count % sliceLines === 0) await nextTurn();",
    isWhole: true,
    why: pauses,
  },
  {
    file: priceLines,
    original: "known === undefined ?",
    replacement: "true",
    why: "The day is computed again, with the same result.",
  },
  { file: priceLines, original: "days.set(name, day);", why: "The day is computed again, with the same result." },
  {
    file: priceLines,
    original: 'from === "" ? null',
    replacement: "false",
    why: "The empty text is no day, and not refused as one.",
  },
  { file: priceLines, original: '"UnreadableFile";', why: "The name of an error that leaves its file under no name." },
  {
    file: draft,
    original: "[]);\n  if (typeof recipient",
    why: "What is no problem of a draft is not told.",
  },
  {
    file: draft,
    original: 'typeof recipient !== "string") found',
    replacement: "true",
    why: "A recipient without a problem adds none.",
  },
  { file: draft, original: '"string") found', why: "A recipient without a problem adds none." },
  { file: draft, original: "text !== null && ofText", replacement: "true", why: "Null has a problem." },
  {
    file: draft,
    original: 'if (first === undefined) throw new Error("A draft was refused without a problem");',
    isWhole: true,
    why: "An assertion.",
  },
  { file: draft, original: '"typed"): TextProblem', why: "Every other kind is checked in the same way." },
  {
    file: draft,
    original: "text.length > max &&",
    replacement: "true",
    why: "Only spares the counting of code points.",
  },
  {
    file: draft,
    original: "text.length > max &&",
    replacement: "text.length >= max",
    why: "Only spares the counting of code points.",
  },
  {
    file: draft,
    original: "text.length > 2 * max",
    replacement: "false",
    why: "Only spares the counting of code points.",
  },
  {
    file: accept,
    original: "lookups?.isKnown",
    replacement: "lookups.isKnown",
    why: "Without look-ups no number is asked about.",
  },
  {
    file: accept,
    original: "!this.looksUp(caller)) return null",
    replacement: "false",
    why: "Without look-ups no number is unknown.",
  },
  {
    file: accept,
    original: "this.#options.lookups?.ask",
    replacement: "this.#options.lookups.ask",
    why: "Without look-ups no number is unknown.",
  },
  { file: accept, original: "id !== firstId + index", replacement: "false", why: "An assertion." },
  { file: accept, original: "`Message ids of one request", why: "The words of that assertion." },
  {
    file: automatic,
    original: '""];',
    why: "No account has a sender of that name.",
  },
  {
    file: automatic,
    original: "[] : undefined",
    why: remarks,
  },
  {
    file: explain,
    original: "apiKeyId === 0 ? null",
    replacement: "false",
    why: "No key has the id 0.",
  },
  {
    file: explain,
    original: "way === null ? 0",
    replacement: "false",
    why: "Only a test key goes by a way that is off, and costs nothing.",
  },
  {
    file: recipientFile,
    original: "from < text.length",
    replacement: "from <= text.length",
    why: oneMore,
  },
  {
    file: recipientFile,
    original: '"CSV_MAX_RECORD_SIZE"',
    why: "Only its words are told.",
  },
  {
    file: recipientFile,
    original: "text.slice(0, recordLengthMax).trimStart",
    replacement: "text",
    why: "The first line is the same; only how much is looked through differs.",
  },
  {
    file: "src/messaging/messages/recipient-list.ts",
    original: "if (index > 0 && index % sliceNumbers === 0) await nextTurn();",
    isWhole: true,
    why: pauses,
  },
  {
    file: textSender,
    original: "if (index > 0 && index % slicePriced === 0) await nextTurn();",
    isWhole: true,
    why: pauses,
  },
  {
    file: textSender,
    original: "[]);\n      if (row.price",
    why: remarks,
  },
  {
    file: textSender,
    original: "recipients.length <= atOnceMax",
    isWhole: true,
    why: "Both ways have the same result; group-send.test.ts and tests of holds look after the time.",
  },
  {
    file: textSender,
    original: "known === null ?",
    replacement: "true",
    why: "The staged acceptance looks for the key again.",
  },
  {
    file: textSender,
    original: "this.deps.acceptor.rules.check(caller, Demand.ofMessages(recipients.length));",
    replacement: ";",
    why: "Spares the pricing of a request that has no room in any case.",
  },
  {
    file: staged,
    original: "position < count && acceptor",
    replacement: "position <= count",
    why: oneMore,
  },
  {
    file: staged,
    original: "position < count; position",
    replacement: "position <= count",
    why: oneMore,
  },
  {
    file: staged,
    original: "[]));",
    why: remarks,
  },
  {
    file: staging,
    original: "position < end; position",
    replacement: "position <= end",
    why: oneMore,
  },
  {
    file: operatorCancel,
    original: "from < trackingCodes.length",
    replacement: "from <= trackingCodes.length",
    why: oneMore,
  },
  {
    file: canceller,
    original: "from < end; from",
    replacement: "from <= end",
    why: oneMore,
  },
  {
    file: canceller,
    original: "from < own.length",
    replacement: "from <= own.length",
    why: oneMore,
  },
  {
    file: canceller,
    original: "Math.min(cancelledPerWrite, end - from)",
    isWhole: true,
    why: "Ids beyond the run are those of messages that are looked through anyway.",
  },
  {
    file: canceller,
    original: "directory.accountOf(lane.senderId) !== key.accountId",
    replacement: "false",
    why: "Messages of other accounts have other keys: this spares reading them.",
  },
  {
    file: canceller,
    original: "own.slice(from, from + cancelledPerWrite)",
    replacement: "own",
    why: "What is cancelled already is passed over.",
  },
  {
    file: canceller,
    original: "ids.length === 0 ? null",
    replacement: "false",
    why: "Of no messages none belongs to a request.",
  },
];
