/** The further steps of challenges: which there are, and what must hold of them in the database. */
import type { Database } from "bun:sqlite";
import type { JudgedRun } from "./end.ts";
import { time } from "./virtual-time.ts";

/** The text of challenges that have steps. */
export const stepsPattern = "by-steps";
const waitSeconds = 5;
export const codeSteps = [
  { by: "sms", waitSeconds },
  { by: "sms", waitSeconds },
] as const;
export const stepsOfCode = codeSteps.length;
/** A step that is due begins within this time. */
const beginsMs = 30_000;

interface SentStep {
  recipient: string;
  /** Null of a challenge's first message. */
  beganAt: number | null;
  submittedAt: number;
  handedOverAt: number | null;
  state: string;
  finalAt: number | null;
  dueAt: number | null;
}

/** By challenge, in the order in which they began. */
const stepsSent = `
  WITH step AS (
    SELECT message_id AS first, message_id AS id, -1 AS position, NULL AS began_at FROM otp_sequence
    UNION ALL SELECT first_message_id, message_id, position, began_at FROM otp_step)
  SELECT recipient, began_at AS beganAt, submitted_at AS submittedAt, coalesce(sent_at, final_at) AS handedOverAt, state,
    final_at AS finalAt, otp_sequence.due_at AS dueAt
  FROM step JOIN message USING (id) JOIN otp_sequence ON otp_sequence.message_id = first
  ORDER BY first, position`;

export function judgeSteps({ journal, model, plan }: JudgedRun, database: Database): void {
  const byRecipient = Map.groupBy(database.query<SentStep, []>(stepsSent).all(), ({ recipient }) => recipient.slice(1));
  const messagesTo = database.query<{ count: number }, [string]>(
    "SELECT count(*) AS count FROM message WHERE recipient = ?",
  );
  const isClockRight = plan.faults.every(({ kind }) => kind !== "clock");
  for (const { recipient, planned, code } of model.messages) {
    if (planned.kind !== "challenge by steps" || code === null) continue;
    const steps = byRecipient.get(recipient) ?? [];
    const rows = messagesTo.get(`+${recipient}`)?.count ?? 0;
    if (rows !== steps.length || rows === 0)
      journal.violated("steps", `${recipient} has ${rows} messages, and ${steps.length} are steps of its challenge`);
    if (isClockRight) for (const problem of problemsOf(steps)) journal.violated("steps", `${recipient}: ${problem}`);
  }
}

function problemsOf(steps: readonly SentStep[]): string[] {
  const dueAt = steps[0]?.dueAt ?? null;
  const isLost = dueAt !== null && time.now() - dueAt > beginsMs;
  return [...(isLost ? ["a step that is due does not begin"] : []), ...steps.flatMap(problemsAt)];
}

/** A failure brings the next step forward. */
function problemsAt({ beganAt }: SentStep, index: number, steps: readonly SentStep[]): string[] {
  const before = steps.slice(0, index);
  const last = before.at(-1);
  if (beganAt === null || last === undefined) return [];
  const isAtOnce = before.some(({ handedOverAt }) => handedOverAt === null || handedOverAt > beganAt);
  const isOver = before.some(({ state, finalAt }) => state === "delivered" && (finalAt ?? beganAt) < beganAt);
  const waitedMs = beganAt - (last.beganAt ?? last.submittedAt);
  const isEarly = waitedMs < waitSeconds * 1_000 && before.every(({ state }) => state !== "failed");
  return [
    ...(isAtOnce ? [`step ${index} began while one before it was on its way`] : []),
    ...(isOver ? [`step ${index} began after one before it was delivered`] : []),
    ...(isEarly ? [`step ${index} began after ${waitedMs} ms`] : []),
  ];
}
