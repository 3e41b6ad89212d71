/** Figures are summed from quarter-hour rows, some rows a step, in any zone and however many rows one quarter has. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { FiguresTask } from "../../src/reports/figures-task.ts";
import type { FiguresRequest, FiguresRow } from "../../src/reports/protocol.ts";
import { openReader, type Reader } from "../../src/store/reader.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const quarterMs = 900_000;
const dayMs = 86_400_000;

let folder: ReturnType<typeof temporaryFolder>;
let reader: Reader;
let database: Database;
beforeEach(() => {
  folder = temporaryFolder();
  openMigratedStore({ folder: folder.path, now: 1 }).close();
  const path = join(folder.path, "peyk.db");
  database = new Database(path);
  reader = openReader(path);
});
afterEach(() => {
  reader.close();
  database.close();
  folder.remove();
});

/** One message in each, of senders 1, 2, 3 and so on. */
function count(slotAt: number, senders: number): void {
  const row = database.prepare(
    `INSERT INTO rollup (slot_at, account_id, sender_id, route_id, class, network, status, error_code, delivery_time, messages, parts)
     VALUES (?, 1, ?, 1, 1, 0, 'sent', '', 0, 1, 2)`,
  );
  database.transaction(() => {
    for (let sender = 1; sender <= senders; sender += 1) row.run(slotAt, sender);
  })();
}

function figures(request: Partial<FiguresRequest>): { rows: FiguresRow[]; steps: number } {
  const asked = { by: [], period: "all", timeZone: "UTC", calendar: "gregory", filter: {}, from: 0, to: 0 } as const;
  const task = new FiguresTask(reader, { ...asked, ...request });
  for (let steps = 1; ; steps += 1) {
    const rows = reader.within(() => task.step());
    if (rows !== null) return { rows, steps };
  }
}

test("a quarter of an hour with more rows than one step is counted once, and so are its neighbours", () => {
  const sizes = [1, 1_999, 2_000, 2_001, 5_000, 0, 3];
  sizes.forEach((senders, slot) => {
    count(slot * quarterMs, senders);
  });
  const { rows, steps } = figures({ to: sizes.length * quarterMs });
  const messages = sizes.reduce((sum, size) => sum + size, 0);
  expect(rows.map((row) => [row.messages, row.parts])).toEqual([[messages, messages * 2]]);
  expect(steps).toBeGreaterThan(3);
  expect(figures({ from: quarterMs, to: 2 * quarterMs, filter: { senderId: 7 } }).rows[0]?.messages).toBe(1);
});

/** Tehran and São Paulo had days of 23 and 25 hours; Lord Howe's clocks move by half an hour. */
const zones = ["UTC", "Asia/Tehran", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu"] as const;

test("each quarter of an hour is counted in the period of its calendar, even when clocks change", () => {
  const anyTime = fc.integer({ min: Date.UTC(2015, 0) / quarterMs, max: Date.UTC(2026, 0) / quarterMs });
  const asked = fc.record({
    start: anyTime,
    gaps: fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 60 }),
    zone: fc.constantFrom(...zones),
    period: fc.constantFrom("quarter", "hour", "day", "month"),
    calendar: fc.constantFrom("gregory", "persian"),
  });
  fc.assert(
    fc.property(asked, ({ start, gaps, zone, period, calendar }) => {
      database.run("DELETE FROM rollup");
      const slots = gaps.map((_, index) => start + gaps.slice(0, index).reduce((sum, gap) => sum + gap, 0));
      for (const slot of slots) count(slot * quarterMs, 1);
      const [from, to] = [start * quarterMs, (slots.at(-1) ?? start) * quarterMs + dayMs];
      const { rows } = figures({ from, to, period, timeZone: zone, calendar });
      const expected = new Map<string, number>();
      for (const slot of slots) {
        const name = periodName(slot * quarterMs, zone, period, calendar);
        expected.set(name, (expected.get(name) ?? 0) + 1);
      }
      expect(rows.map((row) => [row.period, row.messages])).toEqual([...expected]);
    }),
    { numRuns: 60 },
  );
});

function periodName(
  at: number,
  timeZone: string,
  period: "quarter" | "hour" | "day" | "month",
  calendar: string,
): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).withCalendar(calendar);
  const two = (value: number) => String(value).padStart(2, "0");
  const month = `${zoned.year}-${two(zoned.month)}`;
  if (period === "month") return month;
  const day = `${month}-${two(zoned.day)}`;
  if (period === "day") return day;
  const hour = `${day} ${two(zoned.hour)}`;
  return period === "hour" ? hour : `${hour} ${two(zoned.minute)}`;
}
