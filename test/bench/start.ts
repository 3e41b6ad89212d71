/** From the command to the first 202 on an empty store, with its phases, beside a bare Elysia that starts as well. */
import { join } from "node:path";
import { freePort } from "../support/free-ports.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { startBenchServer } from "./bench-server.ts";
import { type Measure, median, milliseconds } from "./report.ts";
import type { Scale } from "./scale.ts";
import { accepting, timeCommand, timePeyk, timeStart } from "./time-start.ts";

const acceptedMsMax = 150;

async function repeated<T>(times: number, once: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let count = 0; count < times; count += 1) results.push(await once());
  return results;
}

async function timeBare() {
  const port = await freePort();
  const command = [process.execPath, join(import.meta.dir, "bare.ts"), `${port}`];
  return timeStart(command, port, accepting("none", "30001234"));
}

export async function startRows({ starts }: Scale): Promise<Measure[]> {
  const folder = temporaryFolder();
  // The folder of an installation that has a customer and has not sent anything yet.
  const { customer, stop } = await startBenchServer({ folder: folder.path });
  await stop();
  const question = accepting(customer.apiKey, customer.sender);
  await timePeyk(folder.path, question);
  const peyk = await repeated(starts, () => timePeyk(folder.path, question));
  const bare = await repeated(starts, timeBare);
  const version = await repeated(starts, () => timeCommand([...peykCommand, "version"]));
  folder.remove();
  const acceptedMs = median(peyk.map(({ readyMs }) => readyMs));
  const bareMs = median(bare.map(({ readyMs }) => readyMs));
  return [
    {
      what: "binary start to first 202, empty store",
      measured: milliseconds(acceptedMs),
      control: milliseconds(bareMs),
      ratio: acceptedMs / bareMs,
      bar: `under ${milliseconds(acceptedMsMax)}`,
      met: acceptedMs < acceptedMsMax,
    },
    { what: "  of which runtime and command line (peyk version)", measured: milliseconds(median(version)) },
    {
      what: "  until it listens: modules, store, API",
      measured: milliseconds(median(peyk.map(({ listensMs }) => listensMs))),
    },
  ];
}
