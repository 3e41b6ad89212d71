/** The output of a failed `peyk backup` command, with its code if it has one. */
import { type CodedCopyProblem, isCopyProblem } from "./copy-problem.ts";

/** A command that was cut off has only words. */
export type CopyFailure = { words: string } & (CodedCopyProblem | { code?: never; values?: never });

type ToldProblem = { key: string; message: string } & CodedCopyProblem;

/** `said`: the failure from the command with `--json`; anything else is shown unchanged. */
export function copyFailureOf(said: string): CopyFailure {
  let failure: { message?: string; problems?: readonly ToldProblem[] };
  try {
    failure = JSON.parse(said);
  } catch {
    return { words: said.replace(/^peyk: /, "") };
  }
  const { message: words = said, problems: [problem] = [] } = failure;
  if (problem === undefined || !isCopyProblem(problem.code)) return { words };
  const { key, message, ...coded } = problem;
  return { words, ...coded };
}
