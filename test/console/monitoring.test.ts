/** Monitoring is answered without a session: asking for it again and again must cost little. */
import { expect, test } from "bun:test";
import { openMonitoring } from "../../src/console/server/monitoring.ts";

/** Each text tells how often the metrics were written, and fails as long as told. */
function countedMonitoring() {
  const writes = { count: 0, areFailing: false };
  const answer = openMonitoring({
    readiness: async () => {
      throw new Error("Not asked here");
    },
    metrics: {
      contentType: "text/plain",
      async metrics() {
        writes.count += 1;
        if (writes.areFailing) throw new Error("This scrape fails");
        return `writes ${writes.count}`;
      },
    },
    metricsAllowFrom: ["127.0.0.1"],
    monitoringHosts: [],
  });
  const scrape = async () => {
    const response = await answer(new Request("http://localhost/metrics"), "127.0.0.1");
    return { status: response?.status, text: await response?.text() };
  };
  return { writes, scrape };
}

test("metrics are rendered once for all concurrent scrapes, and anew for a later one", async () => {
  const { writes, scrape } = countedMonitoring();
  const answers = await Promise.all(Array.from({ length: 24 }, scrape));
  expect(answers).toEqual(Array.from({ length: 24 }, () => ({ status: 200, text: "writes 1" })));
  expect(await scrape()).toEqual({ status: 200, text: "writes 2" });
  expect(writes.count).toBe(2);
});

test("a failed scrape is not reused for the next one", async () => {
  const { writes, scrape } = countedMonitoring();
  writes.areFailing = true;
  expect(await scrape()).toMatchObject({ status: 500 });
  writes.areFailing = false;
  expect(await scrape()).toEqual({ status: 200, text: "writes 2" });
});
