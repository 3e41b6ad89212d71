/** What must hold at the end of a run, when faults are over and everything had its time: by the API, and in the database itself. */
import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { moneyOf } from "../support/money.ts";
import { figuresOf } from "../support/rollups.ts";
import { type Answer, otpCodeOf } from "./customers.ts";
import { reportsOf } from "./drop-in.ts";
import type { Journal } from "./journal.ts";
import { judgeMemory } from "./memory.ts";
import { keyOf, type Model, type ModelMessage, type Submitted } from "./model.ts";
import { judgeReplies, judgeTaken } from "./phones.ts";
import { judgePorted } from "./ported-table.ts";
import { judgeSteps } from "./steps.ts";
import { time } from "./virtual-time.ts";
import { reportSteps, shownOf, type World } from "./world.ts";

interface StoredMessage {
  code: string;
  recipient: string;
  state: string;
  errorCode: string | null;
}

interface TimelineCount {
  recipient: string;
  kind: string;
  count: number;
}

const codeKinds: readonly unknown[] = ["otp", "challenge", "challenge by steps"];
const finalStatuses = ["delivered", "failed", "cancelled"];
/** A service at rest has its jobs, its alerts, its links and its ticks. */
const restingTimersMax = 40;

/** What a run must have, to be judged by what its messages became and what is stored. */
export type JudgedRun = Pick<World, "journal" | "model" | "receiver" | "smppCustomer" | "plan" | "ask" | "drive"> &
  Partial<Pick<World, "mails">>;

export function judgeEnd(world: World): void {
  const { journal, model, service, folder } = world;
  judgeWhole(journal, folder);
  if (service === null) {
    journal.violated("starts", "the service is not up at the end");
    return;
  }
  for (const message of model.messages) judgeMessage(world, message);
  judgeTexts(world);
  judgeDatabase(world, folder);
  judgeSecrets(world);
  judgeMemory(world);
  const timers = time.pendingTimers();
  if (timers > restingTimersMax) journal.violated("bounded", `${timers} timers are pending at rest`);
}

export function judgeDatabase(run: JudgedRun, folder: string): void {
  const database = new Database(join(folder, "peyk.db"), { readonly: true });
  try {
    judgeRows(run, database);
    judgeTimeline(run, database);
    judgeAttempts(run, database);
    judgeSums(run, database);
    judgeQuota(run, database);
    judgeSteps(run, database);
    judgePorted(run, database);
    judgeReplies(run.model, run.plan.faults, database);
    if (run.mails !== undefined) judgeTaken({ ...run, mails: run.mails }, database);
  } finally {
    database.close();
  }
}

export function judgeWhole(journal: Journal, folder: string): void {
  using database = new Database(join(folder, "peyk.db"), { readonly: true });
  try {
    const [whole] = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
    if (whole?.integrity_check !== "ok") journal.violated("whole", String(whole?.integrity_check));
  } catch (reason) {
    journal.violated("whole", String(reason));
  }
}

export function judgeMessage(world: JudgedRun, message: ModelMessage): void {
  const { journal, model, receiver } = world;
  const { recipient, code } = message;
  if (message.isGivenUp) return;
  if (code === null) {
    journal.violated("ends", `${recipient} was never acknowledged`);
    return;
  }
  const look = new Promise<Parameters<typeof shownOf>[0]>((resolve) =>
    world.ask({ method: "GET", path: `/v1/messages/${code}`, ...keyOf(message) }, resolve),
  );
  const answer = world.drive(look);
  if (answer?.status !== 200) {
    journal.violated("stored", `${recipient}: ${answer?.status} for ${code}`);
    return;
  }
  const { status = "", history = [] } = shownOf(answer);
  model.saw(message, status);
  journal.tell("ends", recipient, status);
  const receipts = model.receipts.filter((receipt) => receipt.recipient === recipient);
  // Receipts of all steps come to one number.
  if (!finalStatuses.includes(status) && message.planned.kind !== "challenge by steps") {
    if (status !== "sent") journal.violated("ends", `${recipient} ends as ${status}`);
    else if (isDecided(world, message, receipts)) {
      journal.violated("receipts", `${recipient} is sent, and its receipts were acknowledged`);
    }
  }
  if (status === "delivered" && !receipts.some(({ isDelivered }) => isDelivered)) {
    journal.violated("receipts", `${recipient} is delivered, and no receipt said so`);
  }
  if (message.cancelled && status !== "cancelled")
    journal.violated("cancelled", `${recipient} was cancelled and is ${status}`);
  if (message.planned.kind === "by SMPP" && ["delivered", "failed"].includes(status)) {
    const isTold = world.smppCustomer.hasReceipt(code, status === "delivered" ? "DELIVRD" : "other");
    if (!isTold) journal.violated("events", `${recipient} is ${status}, and its customer got no receipt`);
  }
  const steps = history.map((step) => step.status).filter((step) => step !== "queued");
  const reports = receiver.toldOf(reportsOf(code));
  const wanted = reportSteps(message.planned.kind, steps);
  if (reports !== null && reports.join() !== wanted.join()) {
    journal.violated("events", `${recipient} went ${steps.join()}, and its program was told ${reports.join()}`);
  }
  const told = receiver.toldOf(code);
  if (told !== null && told.join() !== steps.join()) {
    journal.violated("events", `${recipient} went ${steps.join()}, and was told ${told.join()}`);
  }
}

/**
 * Whether the acknowledged receipts of submits whose ids Peyk surely knows tell the outcome of all parts. The ids of
 * several parts are stored together, so each is known only if the answers of all were stored: those of the last
 * submits.
 */
function isDecided(
  { model, plan }: JudgedRun,
  { planned, recipient }: ModelMessage,
  receipts: Model["receipts"],
): boolean {
  const { responseTimeoutMs } = plan.routes[planned.carrier];
  const isStored = (submit: Submitted) =>
    model.isSurelyStored(submit) && (submit.answeredAt ?? 0) - submit.at < responseTimeoutMs;
  const parts = [...model.submits].filter(([key]) => key.startsWith(`${recipient}/`)).map(([, submits]) => submits);
  const lastSubmits = parts.flatMap((submits) => submits.at(-1) ?? []);
  if (parts.length > 1 && !lastSubmits.every(isStored)) return false;
  const known = receipts.filter(
    ({ submit }) => isStored(submit) && (parts.length === 1 || lastSubmits.includes(submit)),
  );
  return known.some(({ isDelivered }) => !isDelivered) || new Set(known.map(({ part }) => part)).size >= parts.length;
}

function judgeTexts(world: World): void {
  const look = new Promise<Answer | null>((resolve) =>
    world.ask({ method: "GET", path: "/v1/inbound-messages?limit=500" }, resolve),
  );
  const { body } = world.drive(look) ?? { body: null };
  const items =
    typeof body === "object" && body !== null && "items" in body && Array.isArray(body.items) ? body.items : [];
  world.phones.judge(items);
}

function judgeRows({ journal, model }: JudgedRun, database: Database): void {
  const rows = database
    .query<StoredMessage, []>(
      `SELECT tracking_code AS code, recipient, state, error_code AS errorCode FROM message
       WHERE id NOT IN (SELECT message_id FROM otp_step)`,
    )
    .all()
    .filter(({ recipient }) => !model.automatic.has(recipient.replace("+", "")));
  const byRecipient = Map.groupBy(rows, ({ recipient }) => recipient.replace("+", ""));
  for (const { recipient, code, isGivenUp } of model.messages) {
    if (isGivenUp) continue;
    const stored = byRecipient.get(recipient) ?? [];
    if (stored.length === 1 && stored[0]?.code === code) continue;
    journal.violated(
      "stored",
      `${recipient} has ${stored.length} rows (${stored.map((row) => row.code).join()}), not ${code}`,
    );
  }
  // Nothing else waits for as long; a code is void after minutes, and a clock may jump by more.
  const isCode = ({ recipient }: StoredMessage) =>
    codeKinds.includes(model.of(recipient.replace("+", ""))?.planned.kind);
  for (const { recipient } of rows.filter((row) => row.errorCode === "expired" && !isCode(row)))
    journal.violated("validity", `${recipient} has expired`);
  if (rows.length > model.messages.length)
    journal.violated("stored", `${rows.length} messages for ${model.messages.length}`);
}

function judgeTimeline({ journal, model }: JudgedRun, database: Database): void {
  const counts = database
    .query<TimelineCount, []>(
      `SELECT message.recipient, timeline.kind, count(*) AS count FROM timeline JOIN message ON message.id = timeline.message_id
       GROUP BY 1, 2`,
    )
    .all();
  const told = new Map(counts.map(({ recipient, kind, count }) => [`${recipient.replace("+", "")} ${kind}`, count]));
  const sent = database
    .query<{ recipient: string; count: number }, []>("SELECT recipient, count(*) AS count FROM message GROUP BY 1")
    .all();
  const messagesTo = new Map(sent.map(({ recipient, count }) => [recipient.replace("+", ""), count]));
  for (const [key, submits] of model.submits) {
    const [recipient = ""] = key.split("/");
    const countOf = (kind: string) => told.get(`${recipient} ${kind}`) ?? 0;
    // The parts of a long message share one outcome, and a restart sends all of them again.
    if (model.of(recipient)?.planned.kind === "long" || model.of(recipient)?.isGivenUp === true) continue;
    const left = submits.filter(({ outcome }) => outcome === "accepted" || outcome === "unanswered").length;
    const repeats = left - (messagesTo.get(recipient) ?? 1);
    if (repeats > countOf("uncertain")) {
      journal.violated(
        "doubles told",
        `${key} may have left ${left} times, ${countOf("uncertain")} are told as uncertain`,
      );
    }
    for (const kind of ["temporary", "throttled", "rejected"] as const) {
      const refused = submits.filter((submit) => submit.outcome === kind && model.isSurelyStored(submit)).length;
      if (refused > countOf(kind)) {
        journal.violated("refusals", `${key} was refused ${refused} times (${kind}), ${countOf(kind)} are told`);
      }
    }
  }
}

/** Each attempt was accepted, refused, or is told as uncertain; an erased message, without its recipient, tells nothing. */
function judgeAttempts({ journal }: JudgedRun, database: Database): void {
  const counted = database
    .query<{ recipient: string; attempts: number; told: number }, []>(
      `SELECT recipient, attempts, (SELECT count(*) FROM timeline WHERE message_id = message.id
         AND kind IN ('temporary', 'rejected', 'uncertain')) AS told FROM message WHERE recipient != ''`,
    )
    .all();
  for (const { recipient, attempts, told } of counted) {
    if (attempts > told + 1)
      journal.violated("attempts", `${recipient} has cost ${attempts} attempts, and ${told} outcomes are told`);
  }
}

function judgeSums({ journal }: JudgedRun, database: Database): void {
  const { rollups, counted } = figuresOf(database);
  if (JSON.stringify(rollups) !== JSON.stringify(counted)) {
    journal.violated("sums", `the figures are ${JSON.stringify(rollups)}, counted ${JSON.stringify(counted)}`);
  }
  const { balances, charged, cost, isWhole } = moneyOf(database, 1);
  const isAlike = (values: object) => new Set(Object.values(values).map((value) => JSON.stringify(value))).size === 1;
  const isMoneyRight =
    isAlike({ byMessages: balances.byMessages, byLines: balances.byLines }) && isAlike(charged) && isAlike(cost);
  if (!isMoneyRight || !isWhole) journal.violated("sums", JSON.stringify({ balances, charged, cost, isWhole }));
}

/** Nothing that was accepted is given back: only segments by SMPP are. */
function judgeQuota({ journal }: JudgedRun, database: Database): void {
  const read = (sql: string) => database.query<{ parts: number | null }, []>(sql).get()?.parts ?? 0;
  const used = read("SELECT parts_used AS parts FROM quota WHERE subject = 'account' AND subject_id = 1");
  const counted = read(
    `SELECT sum(part_count) AS parts FROM message WHERE account_id = 1 AND is_test = 0 AND NOT EXISTS (
       SELECT 1 FROM staged_run WHERE published_at IS NULL
         AND message.id >= first_message_id AND message.id < first_message_id + message_count)`,
  );
  if (used !== counted) journal.violated("quota", `${used} parts are counted, and ${counted} were accepted`);
}

function judgeSecrets({ journal, model, folder }: World): void {
  const codes = model.messages.filter(({ planned }) => planned.kind === "otp").map(({ planned }) => otpCodeOf(planned));
  for (const path of filesIn(folder)) {
    const content = readFileSync(path);
    const name = path.slice(folder.length + 1);
    for (const code of codes) if (content.includes(code)) journal.violated("secrets", `${code} is in ${name}`);
  }
  judgeErased(journal, folder, [...model.erased]);
}

export function judgeErased(journal: Journal, folder: string, numbers: readonly string[]): void {
  for (const path of numbers.length === 0 ? [] : filesIn(folder)) {
    const content = readFileSync(path);
    const name = path.slice(folder.length + 1);
    for (const number of numbers) if (content.includes(number)) journal.violated("erased", `${number} is in ${name}`);
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : statSync(path).isFile() ? [path] : []));
}
