/** What breaks clients in the public API since the last release, by oasdiff: a release is refused over it, and a test runs it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { earlierBuilds, makeEarlierBuild } from "../test/support/earlier-build.ts";
import { fromGo, run } from "../test/support/outside-programs.ts";
import { PeykProcess } from "../test/support/peyk-process.ts";

interface Change {
  id: string;
  text: string;
  /** 3: certainly breaks; 2: may. */
  level: number;
  operation: string;
  path: string;
}

const certain = 3;

/** Called breaking because the reference now tells what was refused before as well; by oasdiff's rule and parameter. */
export const acceptedChanges: Readonly<Record<string, string>> = {
  "request-parameter-pattern-added peyk-campaign": "An empty or wrong header was refused with 400 already.",
  "request-parameter-min-length-set receiver": "An empty value was refused with 400 already.",
  "request-parameter-min-length-set sender": "An empty value was refused with 400 already.",
};

const isAccepted = ({ id, text }: Change) =>
  Object.keys(acceptedChanges).some((known) => {
    const [rule, parameter] = known.split(" ");
    return rule === id && text.includes(`\`${parameter}\``);
  });

/** Null if oasdiff cannot be installed here. */
export const oasdiff = (): Promise<string | null> => fromGo("github.com/oasdiff/oasdiff", "1.37.0");

/** In sentences; `before` and `after` are files with an openapi.json. */
export async function breakingChanges(program: string, before: string, after: string): Promise<string[]> {
  const { text } = await run([program, "breaking", "--format", "json", before, after]);
  const changes: Change[] = JSON.parse(text);
  return changes
    .filter((change) => change.level >= certain && !isAccepted(change))
    .map(({ id, operation, path, text }) => `${operation} ${path}: ${text} (${id})`);
}

/** The reference that a build serves, in a file in `folder`. Returns its path. */
export async function servedReference(folder: string, name: string, command?: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.json`);
  const peyk = await PeykProcess.start({ folder: join(folder, name), ...(command && { command }) });
  try {
    writeFileSync(file, await (await fetch(`${peyk.url}/v1/openapi.json`)).text());
  } finally {
    await peyk.stop();
  }
  return file;
}

/** The reference of the last release. */
export async function lastReference(folder: string): Promise<string> {
  const [last = "b736f83d"] = earlierBuilds.slice(-1);
  const program = join(folder, `peyk-${last}`);
  await makeEarlierBuild(last, program);
  return servedReference(folder, "last-release", [program]);
}
