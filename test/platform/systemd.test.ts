import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hasJit } from "../../src/platform/jit.ts";
import { NotifyFailed, serviceNotifier } from "../../src/platform/systemd.ts";
import { refusalMsMax, watchdogIntervalMs, watchdogPing } from "../../src/platform/watchdog.ts";
import { type NotifySocket, openNotifySocket } from "../support/notify-socket.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let systemd: NotifySocket;
beforeEach(() => {
  folder = temporaryFolder();
  systemd = openNotifySocket(join(folder.path, "notify"));
});
afterEach(() => {
  systemd.close();
  folder.remove();
});

describe("a notification to systemd", () => {
  test("reports ready, alive, stopping, or a status line", () => {
    const notifier = serviceNotifier(systemd.path);
    notifier.status(`serving\n at ${"x".repeat(300)}`);
    notifier.ready();
    notifier.alive();
    notifier.stopping();
    const [status = "", ...rest] = systemd.received();
    expect(status).toStartWith("STATUS=serving at xxx");
    expect(status).toHaveLength("STATUS=".length + 200);
    expect(rest).toEqual(["READY=1", "WATCHDOG=1", "STOPPING=1"]);
  });

  test("reaches a socket in the abstract namespace as well", () => {
    const abstract = openNotifySocket(`@peyk-test-${process.pid}-${Date.now()}`);
    serviceNotifier(abstract.path).ready();
    expect(abstract.received()).toEqual(["READY=1"]);
    abstract.close();
  });

  test("is not sent if systemd does not listen", () => {
    for (const path of [undefined, ""]) expect(() => serviceNotifier(path).ready()).not.toThrow();
  });

  test("throws if the address is not a socket, or nothing listens on it", () => {
    expect(() => serviceNotifier("relative/path")).toThrow(NotifyFailed);
    expect(() => serviceNotifier(`/${"x".repeat(106)}`)).not.toThrow();
    expect(() => serviceNotifier(`/${"x".repeat(107)}`)).toThrow(NotifyFailed);
    expect(() => serviceNotifier(join(folder.path, "nobody")).ready()).toThrow("does not take READY=1");
  });
});

describe("the watchdog", () => {
  const parts = (probe: () => Promise<boolean>) => {
    const world = { nowMs: 0, failures: [] as unknown[] };
    const ping = watchdogPing({
      notifier: serviceNotifier(systemd.path),
      probe,
      monotonic: () => world.nowMs,
      failed: (reason) => world.failures.push(reason),
    });
    return { world, ping };
  };
  const alive = () => systemd.received().filter((notice) => notice === "WATCHDOG=1").length;

  test("is pinged after the store answered, and not before", async () => {
    let answer = (_: boolean) => {};
    const { ping } = parts(() => new Promise((resolve) => (answer = resolve)));
    const pinging = ping();
    expect(alive()).toBe(0);
    answer(true);
    await pinging;
    expect(alive()).toBe(1);
  });

  test("is not pinged while the store hangs, however often the timer fires", async () => {
    let asked = 0;
    const { ping } = parts(() => {
      asked += 1;
      return new Promise(() => {});
    });
    void ping();
    await ping();
    await ping();
    expect({ asked, alive: alive() }).toEqual({ asked: 1, alive: 0 });
  });

  test("is pinged for five minutes of a full disk, then not, and again once there is space", async () => {
    let writes = false;
    const { world, ping } = parts(() => Promise.resolve(writes));
    await ping();
    expect(systemd.received()).toEqual(["STATUS=the store cannot write: is the disk full, or gone?", "WATCHDOG=1"]);
    world.nowMs = refusalMsMax - 1;
    await ping();
    expect(alive()).toBe(1);
    world.nowMs = refusalMsMax;
    await ping();
    expect(alive()).toBe(0);
    writes = true;
    await ping();
    expect(systemd.received()).toEqual(["STATUS=serving", "WATCHDOG=1"]);
  });

  test("is not pinged by a probe that throws, which is logged", async () => {
    const { world, ping } = parts(() => Promise.reject(new Error("closed")));
    await ping();
    expect({ alive: alive(), failures: world.failures.length }).toEqual({ alive: 0, failures: 1 });
  });

  test("is pinged three times within its limit, and only by the process that it watches", () => {
    expect(watchdogIntervalMs({ WATCHDOG_USEC: "30000000" }, 7)).toBe(10_000);
    expect(watchdogIntervalMs({ WATCHDOG_USEC: "30000000", WATCHDOG_PID: "7" }, 7)).toBe(10_000);
    expect(watchdogIntervalMs({ WATCHDOG_USEC: "30000000", WATCHDOG_PID: "8" }, 7)).toBeNull();
    for (const limit of ["", "0", "-1", "soon"]) expect(watchdogIntervalMs({ WATCHDOG_USEC: limit }, 7)).toBeNull();
    expect(watchdogIntervalMs({}, 7)).toBeNull();
  });
});

test("a missing JIT is detected", () => {
  expect(hasJit()).toBe(true);
  const source = `import { hasJit } from ${JSON.stringify(join(import.meta.dir, "../../src/platform/jit.ts"))}; console.log(hasJit())`;
  const without = Bun.spawnSync([process.execPath, "-e", source], { env: { BUN_JSC_useJIT: "0" } });
  expect(without.stdout.toString().trim()).toBe("false");
});
