/**
 * The reading thread: answers questions from a connection of its own, in slices of some milliseconds. Each slice is a read
 * transaction of its own, so that the log is never pinned, and questions take turns.
 */
import { systemClock } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { belowNormal, lowerThreadPriority } from "../platform/priority.ts";
import { openReader, type Reader } from "../store/reader.ts";
import { ExportTask } from "./export-task.ts";
import { FiguresTask } from "./figures-task.ts";
import { NewerTask } from "./newer-task.ts";
import type { FromReader, Question, ToReader } from "./protocol.ts";
import type { ReadTask } from "./read-task.ts";
import { SearchTask } from "./search-task.ts";

declare const self: Worker;

/** A step more may follow: with it a slice stays below 20 ms. */
const sliceMs = 10;

// On a machine that has a processor to spare it is as fast as ever; on another one those who send go first.
lowerThreadPriority(belowNormal);

let reader: Reader | null = null;

const tell = (message: FromReader) => self.postMessage(message);

function taskOf(opened: Reader, question: Question): ReadTask<unknown> {
  switch (question.kind) {
    case "search":
      return new SearchTask(opened, question.request, systemClock.monotonic);
    case "newer":
      return new NewerTask(opened, question.request, systemClock.monotonic);
    case "export":
      return new ExportTask(opened, question.request, systemClock.monotonic);
    case "figures":
      return new FiguresTask(opened, question.request);
  }
}

function slice(opened: Reader, task: ReadTask<unknown>): unknown {
  const endsAt = systemClock.monotonic() + sliceMs;
  return opened.within(() => {
    let answer = task.step();
    while (answer === null && systemClock.monotonic() < endsAt) answer = task.step();
    return answer;
  });
}

async function serve(question: Question): Promise<void> {
  const { id, cancelled } = question;
  try {
    if (reader === null) throw new Error("The reading thread has no database");
    const task = taskOf(reader, question);
    while (reader !== null && Atomics.load(cancelled, 0) === 0) {
      const answer = slice(reader, task);
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

self.onmessage = ({ data }: MessageEvent<ToReader>) => {
  if (data === "close") {
    reader?.close();
    reader = null;
    tell("closed");
  } else if ("open" in data) reader = openReader(data.open);
  else void serve(data.ask);
};
