/**
 * Answers questions on a separate connection, in slices of some milliseconds. Each slice has its own read transaction,
 * so that the log is never pinned, and questions take turns.
 */
import type { Clock } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { openReader, type Reader } from "../store/reader.ts";
import { CampaignTask } from "./campaign-task.ts";
import { FiguresTask } from "./figures-task.ts";
import { HoursTask } from "./hours-task.ts";
import type { FromReader, Question, ReadTask, ToReader } from "./protocol.ts";
import { ExportTask, NewerTask, SearchTask } from "./search-task.ts";

/** One more step may follow: nine slices in ten took less than 9 ms of processor time. */
const sliceMs = 5;

/** Handles the messages of `ToReader`; replies go to `tell`. */
export function answering(
  { monotonic }: Pick<Clock, "monotonic">,
  tell: (message: FromReader) => void,
): (message: ToReader) => void {
  let reader: Reader | null = null;

  async function serve(question: Question): Promise<void> {
    const { id, cancelled } = question;
    try {
      if (reader === null) throw new Error("The reading thread has no database");
      const task = taskOf(reader, question, monotonic);
      while (reader !== null && Atomics.load(cancelled, 0) === 0) {
        const answer = slice(reader, task, monotonic);
        if (answer !== null) {
          tell({ id, answer: JSON.stringify(answer) });
          return;
        }
        await nextTurn();
      }
    } catch (reason) {
      tell({ id, failure: errorMessage(reason) });
    }
  }

  return (message) => {
    if (message === "close") {
      reader?.close();
      reader = null;
      tell("closed");
    } else if ("open" in message) reader = openReader(message.open);
    else void serve(message.ask);
  };
}

function taskOf(opened: Reader, question: Question, monotonic: Clock["monotonic"]): ReadTask<unknown> {
  switch (question.kind) {
    case "search":
      return new SearchTask(opened, question.request, monotonic);
    case "newer":
      return new NewerTask(opened, question.request, monotonic);
    case "export":
      return new ExportTask(opened, question.request, monotonic);
    case "campaign":
      return new CampaignTask(opened, question.request);
    case "figures":
      return new FiguresTask(opened, question.request);
    case "hours":
      return new HoursTask(opened, question.request);
  }
}

function slice(opened: Reader, task: ReadTask<unknown>, monotonic: Clock["monotonic"]): unknown {
  const endsAt = monotonic() + sliceMs;
  return opened.within(() => {
    let answer = task.step();
    while (answer === null && monotonic() < endsAt) answer = task.step();
    return answer;
  });
}
