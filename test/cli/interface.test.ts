/**
 * What scripts rely on: JSON, errors and exit codes of commands, settings and metrics, as recorded. After an intended
 * change: `bun test --update-snapshots test/cli/interface.test.ts`, and review the difference.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { registry } from "../../src/config/registry.ts";
import { runCli } from "../support/cli.ts";
import { createOperatorServer } from "../support/operator.ts";

setDefaultTimeout(60_000);

const read = (path: string) => readFileSync(join(import.meta.dir, "../..", path), "utf8");
const commands = read("test/fixtures/interface/commands.txt").trim().split("\n");

/** `a "b c" 'd'` */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");

/** Without random values and those of this machine. */
const stable = (text: string, folder: string) =>
  text
    .replaceAll(folder, "<folder>")
    .replaceAll(
      /"(apiKey|token|path|url|freeBytes|anonymousBytes|fileBytes|durationMs|lookedBackTo|mbPerSecond)":("[^"]*"|[\d.]+)/g,
      '"$1":"?"',
    )
    .replaceAll(/\b[0-9a-z]{12,}\b/gi, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? "<code>" : word));

test("the output of every command for scripts is as recorded", async () => {
  const server = await createOperatorServer();
  const runs = [];
  for (const command of commands) {
    const { code, out, err } = await runCli([...wordsOf(command), "--json", "--data-dir", server.folder]);
    runs.push(
      `${command}\n  ${code} ${stable(out + err, server.folder)
        .trimEnd()
        .replaceAll("\n", "\n  ")}`,
    );
  }
  await server.close();
  expect(runs.join("\n")).toMatchSnapshot();
});

test("settings and metrics keep their names", () => {
  const metrics = read("src/metrics/metrics.ts") + read("src/metrics/service-gauges.ts");
  expect({
    settings: Object.keys(registry),
    metrics: [...new Set(metrics.match(/\bpeyk_[a-z_]+/g))].toSorted(),
  }).toMatchSnapshot();
});
