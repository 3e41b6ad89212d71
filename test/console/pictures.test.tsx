/** Pictures beside numbers: gauges, strips of time, bars of outcomes, and rows with bands. */
import { expect, test } from "bun:test";
import { Figures } from "../../src/console/components/blocks.tsx";
import { DeliveredShare, Gauge, Meter, TimeStrip, windowGauge } from "../../src/console/components/pictures.tsx";
import { type Column, RecordRow, Records } from "../../src/console/components/records.tsx";
import { renderPartial } from "../../src/console/html.tsx";
import { createLocale } from "../../src/console/locale.ts";
import { uptimeText } from "../../src/console/places/routes/route-uptime.tsx";

const locale = createLocale({ language: "en", zone: "UTC", now: 0 });
const shown = (view: Parameters<typeof renderPartial>[1]) => renderPartial(locale, view);

test("a gauge is as wide as its share, never wider than its rest, and empty at zero", () => {
  expect(shown(<Gauge share={0.625} />)).toContain('<rect width="62.5%" height="100%" class="gauge-use">');
  expect(shown(<Gauge share={7} tone="bad" />)).toContain('<rect width="100%" height="100%" class="gauge-bad">');
  expect(shown(<Gauge share={0} />)).not.toContain("gauge-use");
});

test("a strip of time shows each gap where it was, a short one too, and nothing before the first knowledge", () => {
  const gaps = [
    { from: 500, to: 501 },
    { from: 999, to: 1000 },
  ];
  const strip = shown(<TimeStrip from={0} to={1000} knownFrom={250} gaps={gaps} ends={["then", "now"]} />);
  expect(strip).toContain('<rect x="250" width="750" height="10" class="gauge-ok">');
  expect(strip).toContain('<rect x="500" width="8" height="10" class="gauge-bad">');
  expect(strip).toContain('<rect x="992" width="8" height="10" class="gauge-bad">');
});

test("a bar of outcomes ends with what waits, and leaves out what there is none of", () => {
  const bar = shown(<Meter label="a" counts={{ delivered: 6, sent: 1, waiting: 2, cancelled: 0, failed: 1 }} />);
  expect(
    [...bar.matchAll(/x="([^"]+)" y="-50%" width="([^"]+)"[^>]*class="fill-([a-z]+)"/g)].map(([, ...of]) => of),
  ).toEqual([
    ["0%", "60%", "delivered"],
    ["60%", "10%", "sent"],
    ["70%", "10%", "failed"],
    ["80%", "20%", "waiting"],
  ]);
});

test("a delivered share is marked from one in twenty failed, and more from one in ten", () => {
  const inkOf = (delivered: number, failed: number) =>
    shown(<DeliveredShare {...{ delivered, failed }} />).match(/ink-(bad|warn)/)?.[1];
  expect([inkOf(96, 4), inkOf(95, 5), inkOf(90, 10), inkOf(0, 0)]).toEqual([undefined, "warn", "bad", undefined]);
  expect([windowGauge(45, 50), windowGauge(46, 50), windowGauge(0, 0)].map(({ tone }) => tone)).toEqual([
    "use",
    "warn",
    "use",
  ]);
});

test("a tile has its gauge above its note", () => {
  const tile = shown(<Figures figures={[{ label: "Window", value: "31", gauge: { share: 0.62 }, note: "of 50" }]} />);
  expect(tile.indexOf("62%")).toBeGreaterThan(tile.indexOf(">31"));
  expect(tile.indexOf("of 50")).toBeGreaterThan(tile.indexOf("62%"));
});

test("a band is named once, before the first of its rows; a new row is marked", () => {
  const columns: Column<number>[] = [{ head: "Number", phone: "title", cell: (row) => `n${row}` }];
  const table = shown(
    <Records
      label="Numbers"
      columns={columns}
      rows={[1, 2, 13]}
      keyOf={String}
      picture
      bandOf={(row) => ({ name: row > 9 ? "Large" : "Small" })}
    />,
  );
  expect(table.replace(/<[^>]+>/g, " ").match(/\S+/g)).toEqual(["Number", "Small", "n1", "n2", "Large", "n13"]);
  expect(table.match(/class="record picture"/g)).toHaveLength(3);
  expect(shown(<RecordRow row={1} columns={columns} fresh />)).toContain('class="record fresh"');
});

test("a route that was gone says how much of the time, how often and when last", () => {
  const hour = 3_600_000;
  const at = createLocale({ language: "en", zone: "UTC", now: 10 * hour });
  expect(uptimeText([], 0, at)).toBe("It was never gone.");
  const gaps = [
    { from: hour, to: 1.5 * hour, why: "The SMSC unbound." },
    { from: 5 * hour, to: 5.5 * hour, why: "It is not known why." },
  ];
  expect(uptimeText(gaps, 0, at)).toBe(
    "90.0% of the time; gone 2 times. The last time from 05:00 to 05:30. It is not known why.",
  );
  expect(uptimeText([{ from: 9 * hour, to: 10 * hour, why: "Down." }], 0, at)).toContain(
    "It is gone since 09:00. Down.",
  );
});
