/** When copies are brought to the bucket: after each copy, one run at a time, later and later while it fails. */
import { beforeEach, expect, test } from "bun:test";
import { defaultSettings } from "../../src/config/settings.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { PeykProcess } from "../../src/platform/peyk-process.ts";
import { TargetUploads } from "../../src/server/target-uploads.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";

const minuteMs = 60_000;
let clock: ManualClock;
let runs: {
  args: readonly string[];
  at: number;
  ended: ReturnType<typeof Promise.withResolvers<void>>;
  wasEnded: boolean;
}[];
let doubt: { aheadMs: number; forMs: number } | null;

beforeEach(() => {
  clock = new ManualClock();
  runs = [];
  doubt = null;
});

function uploads() {
  const settings = defaultSettings();
  const runCommand = (args: readonly string[]): PeykProcess => {
    const run = { args, at: clock.monotonic(), ended: Promise.withResolvers<void>(), wasEnded: false };
    runs.push(run);
    const end = () => {
      run.wasEnded = true;
      run.ended.reject(new Error("ended"));
    };
    return { done: run.ended.promise, end };
  };
  return new TargetUploads({
    clock,
    log: silentLog,
    runCommand,
    settings: {
      ...settings,
      dataDir: "/nowhere",
      backupTarget: { ...settings.backupTarget, endpoint: "https://s3.example.com" },
    },
    settingsSource: { file: "/etc/peyk/peyk.toml", origins: new Map() },
    wallClock: { doubt: () => doubt },
  });
}

async function end(index: number, failure: string | null = null): Promise<void> {
  if (failure === null) runs[index]?.ended.resolve();
  else runs[index]?.ended.reject(new Error(failure));
  await settleLoop();
}

test("a run follows the start and each copy, one at a time, with the settings' file", async () => {
  const target = uploads();
  await clock.advance(30_000);
  expect(runs.map(({ args }) => args.join(" "))).toEqual([
    "backup upload --json --data-dir /nowhere --config /etc/peyk/peyk.toml",
  ]);
  target.run();
  target.run();
  expect(runs).toHaveLength(1);
  expect(target.state()).toMatchObject({ isRunning: true, failure: null, place: "https://s3.example.com//peyk/" });
  await end(0);
  expect(runs).toHaveLength(2);
  await end(1);
  await clock.advance(24 * 60 * minuteMs);
  expect(runs).toHaveLength(2);
  await target.stop();
});

test("a run that failed is tried again, later and later, and is told until one succeeds", async () => {
  const target = uploads();
  await clock.advance(30_000);
  const waits: number[] = [];
  for (let index = 0; index < 9; index++) {
    const at = clock.monotonic();
    await end(index, JSON.stringify({ message: "It is full." }));
    expect(target.state()).toMatchObject({ failure: "It is full.", isRunning: false });
    await clock.advance(60 * minuteMs);
    waits.push(((runs[index + 1]?.at ?? 0) - at) / minuteMs);
  }
  expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  await end(9);
  expect(target.state()).toMatchObject({ failure: null });
  await target.stop();
});

test("nothing is deleted while the clock is doubted, and a stop ends the run for good", async () => {
  doubt = { aheadMs: 1, forMs: 0 };
  const target = uploads();
  await clock.advance(30_000);
  expect(runs[0]?.args).toContain("--keep-all");
  await target.stop();
  expect(runs[0]?.wasEnded).toBe(true);
  target.run();
  await clock.advance(60 * minuteMs);
  expect(runs).toHaveLength(1);
});
