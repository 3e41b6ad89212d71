import { expect, test } from "bun:test";
import { join } from "node:path";

test("a signal repeated within a second counts as the same stop, and a later one ends the process", async () => {
  const serve = join(import.meta.dir, "../../src/cli/serve.ts");
  const script = `
    const { stopSignal } = await import(${JSON.stringify(serve)});
    setInterval(() => {}, 1_000);
    const asked = stopSignal();
    console.log("ready");
    await asked;
    console.log("asked");`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  const lines = child.stdout.getReader();
  await lines.read();
  const since = performance.now();
  child.kill("SIGINT");
  await lines.read();
  while (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGINT");
    await Bun.sleep(20);
  }
  expect(performance.now() - since).toBeGreaterThanOrEqual(1_000);
  expect(child.signalCode).toBe("SIGINT");
});
