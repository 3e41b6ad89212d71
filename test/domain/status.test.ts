/** The public view of a message's life: one line of statuses, never backwards, never past its end. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type MessageState, messageErrorCodes, messageStates, type PublicStatus } from "../../src/domain/message.ts";
import {
  canMove,
  describeError,
  historyOf,
  isCancellable,
  isFinal,
  type MessageTimes,
  publicStatusOf,
} from "../../src/domain/status.ts";

/** The line, independent of the code: from each public status, the next ones. */
const publicLine: Record<PublicStatus, PublicStatus[]> = {
  queued: ["processing", "cancelled", "failed"],
  processing: ["sent", "failed"],
  sent: ["delivered", "failed"],
  delivered: [],
  failed: [],
  cancelled: [],
};

const nextStates = (state: MessageState) => messageStates.filter((next) => canMove(state, next));

/** A walk from acceptance along permitted transitions, each chosen by one number. */
function walk(choices: number[]): MessageState[] {
  const states: MessageState[] = ["ready"];
  for (const choice of choices) {
    const next = nextStates(states.at(-1) ?? "ready");
    const state = next[choice % Math.max(next.length, 1)];
    if (state === undefined) break;
    states.push(state);
  }
  return states;
}

const walks = fc.array(fc.nat(), { maxLength: 30 }).map(walk);

const merged = (states: MessageState[]) =>
  states.map(publicStatusOf).filter((status, index, all) => index === 0 || status !== all[index - 1]);

describe("a message's status", () => {
  test("follows the documented path in every sequence, and each public status occurs once", () => {
    fc.assert(
      fc.property(walks, (states) => {
        const seen = merged(states);
        for (const [index, status] of seen.entries()) {
          if (index > 0) expect(publicLine[seen[index - 1] ?? "queued"]).toContain(status);
        }
        expect(new Set(seen).size).toBe(seen.length);
      }),
    );
  });

  test("can take every step of the documented path", () => {
    for (const [from, nexts] of Object.entries(publicLine)) {
      const taken = messageStates
        .filter((state) => publicStatusOf(state) === from)
        .flatMap((state) => nextStates(state).map(publicStatusOf))
        .filter((status) => status !== from);
      expect(new Set(taken)).toEqual(new Set(nexts));
    }
  });

  test("never returns to the queue and never changes to itself", () => {
    for (const state of messageStates) {
      expect(canMove(state, "ready")).toBe(false);
      expect(canMove(state, state)).toBe(false);
    }
  });

  test("is final once delivered, failed or cancelled, and then nothing changes it", () => {
    for (const state of messageStates) {
      const final = ["delivered", "failed", "cancelled"].includes(state);
      expect(isFinal(state)).toBe(final);
      expect(nextStates(state).length === 0).toBe(final);
    }
  });

  test("can become cancelled exactly while it is queued", () => {
    for (const state of messageStates) {
      expect(isCancellable(state)).toBe(publicStatusOf(state) === "queued");
      expect(canMove(state, "cancelled")).toBe(isCancellable(state));
    }
  });

  test("can always reach a final one", () => {
    for (const state of messageStates) {
      const reachable = new Set<MessageState>([state]);
      for (const from of reachable) for (const next of nextStates(from)) reachable.add(next);
      expect([...reachable].some(isFinal)).toBe(true);
    }
  });
});

describe("the timeline", () => {
  /** Keeps the times as the store does: when each public status was first reached. */
  function timesOf(states: MessageState[], changedAt: (step: number) => number): MessageTimes {
    const times: MessageTimes = {
      submittedAt: changedAt(0),
      processingAt: null,
      sentAt: null,
      finalAt: null,
      state: states.at(-1) ?? "ready",
      errorCode: states.at(-1) === "failed" ? "undeliverable" : null,
      uncertainAttempts: 0,
    };
    for (const [step, state] of states.entries()) {
      if (publicStatusOf(state) === "processing") times.processingAt ??= changedAt(step);
      if (state === "submitted") times.sentAt = changedAt(step);
      if (isFinal(state)) times.finalAt = changedAt(step);
    }
    return times;
  }

  test("shows every sequence as public steps, merged, each with the time of its first occurrence", () => {
    fc.assert(
      fc.property(walks, (states) => {
        const history = historyOf(timesOf(states, (step) => 1_000 + step));
        expect(history.map((entry) => entry.status)).toEqual(merged(states));
        for (const { status, changedAt, note } of history) {
          expect(changedAt).toBe(1_000 + states.findIndex((state) => publicStatusOf(state) === status));
          expect(note).not.toBe("");
        }
      }),
    );
  });

  test("ends a failure with its reason", () => {
    const times = timesOf(["ready", "failed"], (step) => step);
    expect(historyOf(times).at(-1)).toEqual({ status: "failed", note: describeError("undeliverable"), changedAt: 1 });
    expect(historyOf({ ...times, errorCode: null }).at(-1)?.note).toBe("Sending or delivery failed.");
  });
});

test("every error is described in its own sentence", () => {
  const sentences = messageErrorCodes.map(describeError);
  expect(new Set(sentences).size).toBe(messageErrorCodes.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].{10,}\.$/);
});
