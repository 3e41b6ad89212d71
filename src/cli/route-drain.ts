/**
 * `peyk route drain` and `undrain`: lets a route finish its messages before maintenance on its carrier or its machine.
 */

import { counted } from "../domain/counted.ts";
import type { OperatorClient } from "../operator/client.ts";
import type { DrainAnswer } from "../operator/route-figures.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { formatDuration } from "./text.ts";
import { durationSeconds } from "./values.ts";
import { connect, print, verb } from "./verb.ts";

const lookEveryMs = 1_000;

export function drainCommand(io: CliIo) {
  const words = {
    does: "hand a route no more messages, and wait for the answers and receipts of those that it has; lasts until undrain",
    examples: [
      "peyk route drain operator-a",
      "peyk route drain operator-a --no-wait    (then: peyk route show operator-a)",
    ],
  };
  return verb("drain", words)
    .argument("<name>", "the route's name")
    .option("--no-wait", "return at once")
    .option(
      "--timeout <duration>",
      "wait no longer, such as 90s or 2h; then exit code 1, and the route still drains",
      "15m",
    )
    .action(async (name, { wait, timeout, ...options }) => {
      const seconds = durationSeconds("--timeout", timeout);
      const api = connect(io, options);
      await api("POST /routes/:name/drain", { name });
      const last = await (wait ? drained(io, api, name, seconds) : look(api, name));
      print(io, options, last, (progress) => `Route ${name} ${progressText(progress)}.\n`);
      if (!wait || last.isDrained) return;
      const hint = "It takes no more messages all the same. Take it back: peyk route undrain";
      throw new CommandFailed("route_not_drained", `Not drained after ${formatDuration(seconds)}. ${hint} ${name}`);
    });
}

const look = (api: OperatorClient, name: string): Promise<DrainAnswer> => api("GET /routes/:name/drain", { name });

async function drained(io: CliIo, api: OperatorClient, name: string, seconds: number): Promise<DrainAnswer> {
  const endsAt = performance.now() + seconds * 1_000;
  if (io.errIsTerminal !== true) io.err(`Waits until ${name} is drained, for at most ${formatDuration(seconds)}.\n`);
  for (;;) {
    const progress = await look(api, name);
    const isOver = progress.isDrained || progress.drainingSince === null || performance.now() >= endsAt;
    if (io.errIsTerminal === true) io.err(`\r\u001b[K${isOver ? "" : `${name} ${progressText(progress)}`}`);
    if (isOver) return progress;
    await Bun.sleep(lookEveryMs);
  }
}

function progressText({ drainingSince, isDrained, unanswered, awaitingReceipts }: DrainAnswer): string {
  if (drainingSince === null) return "was taken back meanwhile";
  if (isDrained) return "is drained: every message is answered and reported";
  return `waits for ${counted(unanswered, "answer")} and ${counted(awaitingReceipts, "receipt")}`;
}
