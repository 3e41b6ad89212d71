/** What a command of `peyk backup` that failed said, with its code where it has one. */
import { type CodedCopyProblem, englishCopyProblems } from "./copy-problem.ts";

/** One that did not come to its end says why in words alone. */
export type CopyFailure = { words: string } & (CodedCopyProblem | { code?: never; values?: never });

type ToldProblem = { key: string; message: string } & CodedCopyProblem;

/** `said`: the failure of the command with `--json`; what is none is told as it is. */
export function copyFailureOf(said: string): CopyFailure {
  let failure: { message?: string; problems?: readonly ToldProblem[] };
  try {
    failure = JSON.parse(said);
  } catch {
    return { words: said.replace(/^peyk: /, "") };
  }
  const { message: words = said, problems: [problem] = [] } = failure;
  if (problem === undefined || !Object.hasOwn(englishCopyProblems, problem.code)) return { words };
  const { key, message, ...coded } = problem;
  return { words, ...coded };
}
