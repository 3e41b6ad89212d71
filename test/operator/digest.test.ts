/** What needs a look, why, and what solves it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { digestText } from "../../src/cli/status.ts";
import { type ConsoleProcess, startConsole } from "../support/console.ts";

let service: ConsoleProcess;
beforeAll(async () => {
  service = await startConsole();
});
afterAll(() => service.stop());

test("each need names its cause, and the command or page that solves it", async () => {
  const { id } = await service.api("POST /accounts", { name: "Shop" });
  await service.api("POST /accounts/:id/senders", { id, sender: "30001234" });
  await service.api("POST /routes/:name/drain", { name: "simulator" });
  const digest = await service.api("GET /digest");
  const draining = digest.needs.find(({ what }) => what.startsWith("Route simulator takes nothing"));
  expect(draining).toMatchObject({
    severity: "note",
    solve: "peyk route undrain simulator",
    page: `${service.consoleUrl}/routes/simulator`,
  });
  for (const { what, solve, page } of digest.needs) {
    expect(what).not.toBe("");
    expect(solve ?? page).not.toBe("");
  }
  const severities = digest.needs.map(({ severity }) => severity);
  const rank = (severity: string) => ["critical", "warning", "note"].indexOf(severity);
  expect(severities).toEqual(severities.toSorted((a, b) => rank(a) - rank(b)));
});

test("people get at most ten lines, however much is wrong", () => {
  const need = (n: number) => ({
    severity: "warning" as const,
    what: `Route r${n} is down`,
    why: "connection refused\nby its host",
    solve: `peyk route show r${n}`,
    page: "http://127.0.0.1/routes",
  });
  const digest = { ready: true, waits: [], total: 40, needs: Array.from({ length: 40 }, (_, n) => need(n)) };
  const lines = digestText(digest).trimEnd().split("\n");
  expect(lines.length).toBe(10);
  expect(lines[1]).toBe("! Route r0 is down (connection refused by its host) -> peyk route show r0");
  expect(lines[9]).toBe("and 32 more: peyk status");
  expect(digestText({ ...digest, total: 0, needs: [] })).toBe("Ready: nothing needs a look.\n");
});
