/**
 * From the command to the first 202 on an empty store, with its phases, compared with a bare Elysia, and memory; both
 * compared with another build if one is given.
 */
import { join } from "node:path";
import { freePort } from "../support/free-ports.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { compared } from "./alternate.ts";
import { residentMb, startBenchServer } from "./bench-server.ts";
import { costRows, customerListeners } from "./cost.ts";
import { type Measure, median, megabytes, milliseconds } from "./report.ts";
import type { Scale } from "./scale.ts";
import { accepting, type StartTimes, timeCommand, timePeyk, timeStart } from "./time-start.ts";
import { loadCounted } from "./wrk.ts";

type Command = readonly string[];
type Env = Readonly<Record<string, string>>;

const acceptedMsMax = 150;
/** At full scale: memory hardly grows after these. */
const acceptedMessages = 120_000;

async function timeBare(): Promise<StartTimes> {
  const port = await freePort();
  const command = [process.execPath, join(import.meta.dir, "bare.ts"), `${port}`];
  return timeStart(command, port, accepting("none", "30001234"));
}

/** Starts `command` again and again, in the folder of an installation that has a customer and has not sent anything yet. */
async function starter(command: Command, env: Env = {}) {
  const folder = temporaryFolder();
  const { customer, stop } = await startBenchServer({ folder: folder.path, command, env });
  await stop();
  const question = accepting(customer.apiKey, customer.sender);
  const start = () => timePeyk(folder.path, question, command, env);
  await start();
  return { start, remove: folder.remove };
}

/** In turn, so that a machine whose speed drifts slows all of them alike. */
async function inTurn<T>(times: number, starts: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const results: T[][] = starts.map(() => []);
  for (let count = 0; count < times; count += 1) {
    for (const [index, start] of starts.entries()) results[index]?.push(await start());
  }
  return results;
}

async function memoryAfter(requests: number, command: Command, { connections }: Scale, env: Env = {}): Promise<number> {
  const { peyk, customer, stop } = await startBenchServer({ command, routesDisabled: true, env });
  await loadCounted({ url: peyk.url, script: "send.lua", requests, connections, apiKey: customer.apiKey });
  const resident = await residentMb(peyk.pid);
  await stop();
  return resident;
}

const medianOf = (times: readonly StartTimes[] = [], figure: keyof StartTimes) =>
  median(times.map((one) => one[figure]));

/** A figure of this build, and of the other one if it was measured. */
function besideOld(what: string, ours: number, theirs: number, unit: (value: number) => string): Measure {
  const beside = Number.isNaN(theirs) ? {} : { control: unit(theirs), ratio: ours / theirs };
  return { what, measured: unit(ours), ...beside };
}

/** `older`: the command of another build; its figures are the controls of the rows that name it. */
export async function startRows(scale: Scale, older: Command | null = null): Promise<Measure[]> {
  const ours = await starter(peykCommand);
  const theirs = older === null ? null : await starter(older);
  const starts = [ours.start, timeBare, ...(theirs === null ? [] : [theirs.start])];
  const [peyk, bare, old] = await inTurn(scale.starts, starts);
  const [version] = await inTurn(scale.starts, [() => timeCommand([...peykCommand, "version"])]);
  ours.remove();
  theirs?.remove();
  const messages = acceptedMessages * scale.costShare;
  const memory = await memoryAfter(messages, peykCommand, scale);
  const oldMemory = older === null ? Number.NaN : await memoryAfter(messages, older, scale);
  const acceptedMs = medianOf(peyk, "readyMs");
  const bareMs = medianOf(bare, "readyMs");
  return [
    {
      what: "binary start to first 202, empty store",
      measured: milliseconds(acceptedMs),
      control: milliseconds(bareMs),
      ratio: acceptedMs / bareMs,
      bar: `under ${milliseconds(acceptedMsMax)}`,
      met: acceptedMs < acceptedMsMax,
    },
    { what: "  of which runtime and command line (peyk version)", measured: milliseconds(median(version ?? [])) },
    {
      what: "  until it listens: modules, store, API",
      measured: milliseconds(medianOf(peyk, "listensMs")),
    },
    ...(old === undefined
      ? []
      : [besideOld("  beside the other build", acceptedMs, medianOf(old, "readyMs"), milliseconds)]),
    besideOld("  its processor time, all threads", medianOf(peyk, "cpuMs"), medianOf(old, "cpuMs"), milliseconds),
    besideOld(`memory after ${messages.toLocaleString("en")} accepted messages`, memory, oldMemory, megabytes),
  ];
}

/** What the listeners for SMPP and for other services' programs cost a service whose customers use neither: start, memory, processor time. */
export async function listenerRows(scale: Scale): Promise<Measure[]> {
  const open = await starter(peykCommand, customerListeners);
  const closed = await starter(peykCommand);
  const [withThem = [], without = []] = await inTurn(scale.starts, [open.start, closed.start]);
  open.remove();
  closed.remove();
  const messages = acceptedMessages * scale.costShare;
  const memory: [number[], number[]] = [[], []];
  for (let count = 0; count < Math.ceil(scale.starts / 3); count += 1) {
    memory[0].push(await memoryAfter(messages, peykCommand, scale, customerListeners));
    memory[1].push(await memoryAfter(messages, peykCommand, scale));
  }
  const beside = (
    what: string,
    ours: readonly number[],
    theirs: readonly number[],
    unit: (value: number) => string,
  ) => ({
    what,
    measured: unit(median(ours)),
    control: unit(median(theirs)),
    ...compared(ours, theirs),
  });
  const figures = (all: readonly StartTimes[], figure: keyof StartTimes) => all.map((one) => one[figure]);
  return [
    beside(
      "start to first 202 with the SMPP server and the drop-in listener open, beside neither",
      figures(withThem, "readyMs"),
      figures(without, "readyMs"),
      milliseconds,
    ),
    beside("  its processor time, all threads", figures(withThem, "cpuMs"), figures(without, "cpuMs"), milliseconds),
    beside(`  memory after ${messages.toLocaleString("en")} accepted messages`, memory[0], memory[1], megabytes),
    ...(await costRows(scale, { newer: peykCommand, rounds: scale.samples, rows: ["listeners"] })),
  ];
}
