/**
 * Draws the charts of a page from the figures that stand in it, in the colours of its style sheet and the digits of its
 * language. Time runs left to right in both languages; the figures stand at the side where reading starts.
 */
(() => {
  const { uPlot } = window;
  const root = document.documentElement;
  const persian = root.lang === "fa";
  const timeZone = root.dataset.zone ?? "UTC";
  const numbers = new Intl.NumberFormat(persian ? "fa-IR" : "en-US");
  const calendar = persian ? "fa-IR-u-ca-persian" : "en-US";
  const clocks = new Intl.DateTimeFormat(calendar, { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const days = new Intl.DateTimeFormat(calendar, { timeZone, day: "numeric", month: persian ? "long" : "short" });
  const dashes = { solid: [], dashed: [7, 5], dotted: [2, 4] };

  /** @param {string} className @param {"color" | "backgroundColor"} property */
  function inkOf(className, property) {
    const probe = document.createElement("i");
    probe.className = className;
    document.body.append(probe);
    const colour = getComputedStyle(probe)[property];
    probe.remove();
    return colour;
  }

  /** `20 Nov`; put together from its parts: the order that some engines give to a Persian date is wrong. @param {number} at */
  function dayText(at) {
    const parts = Object.fromEntries(days.formatToParts(at).map(({ type, value }) => [type, value]));
    // Isolated: the canvas itself runs left to right.
    return persian ? `\u2067${parts.day} ${parts.month}\u2069` : `${parts.day} ${parts.month}`;
  }

  /** @param {number} at @param {"minute" | "day"} step */
  const momentText = (at, step) => (step === "day" ? dayText(at) : clocks.format(at));

  /** @param {import("./chart.d.ts").ChartFigures} figures @param {Element} chart */
  function optionsOf(figures, chart) {
    const text = inkOf("chart-ink", "color");
    const grid = inkOf("chart-ink", "backgroundColor");
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: text, font, ticks: { show: false } };
    return {
      width: 100,
      height: 200,
      ms: 1,
      legend: { show: false },
      padding: [8, persian ? 0 : 20, 0, persian ? 24 : 0],
      cursor: { points: { show: false }, drag: { x: false, y: false }, y: false },
      scales: { x: { time: true }, y: { range: (_, __, max) => [0, Math.max(max, 1) * 1.08] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 80,
          size: 28,
          values: (_, moments) => moments.map((at) => momentText(at, figures.step)),
        },
        {
          ...axis,
          side: persian ? 1 : 3,
          grid: { stroke: grid, width: 1 },
          space: 40,
          size: 60,
          values: (_, values) => values.map((value) => (Number.isInteger(value) ? numbers.format(value) : "")),
        },
      ],
      series: [
        {},
        ...figures.series.map(({ line, colour }) => ({
          stroke: inkOf(`ink-series-${colour}`, "color"),
          width: 2,
          dash: dashes[line],
          points: { show: false },
        })),
      ],
      hooks: { setCursor: [(plot) => showValues(plot, figures, chart)] },
    };
  }

  /** The legend says what stands under the pointer, or the newest. */
  function showValues(plot, figures, chart) {
    const index = plot.cursor.idx ?? figures.times.length - 1;
    for (const place of chart.querySelectorAll("[data-series]")) {
      const value = figures.series[Number(place.dataset.series)]?.values[index] ?? null;
      place.textContent = value === null ? "–" : numbers.format(value);
    }
  }

  /** @param {HTMLElement} place */
  function draw(place) {
    const figures = JSON.parse(place.dataset.chart ?? "null");
    const chart = place.closest(".chart");
    if (figures === null || chart === null) return;
    const data = [figures.times, ...figures.series.map(({ values }) => values)];
    place.replaceChildren();
    const size = () => ({ width: Math.max(place.clientWidth, 80), height: place.clientHeight });
    const plot = new uPlot({ ...optionsOf(figures, chart), ...size() }, data, place);
    place.plot?.destroy();
    place.plot = plot;
    new ResizeObserver(() => {
      if (place.plot === plot) plot.setSize(size());
    }).observe(place);
  }

  function drawAll() {
    for (const place of document.querySelectorAll("[data-chart]")) draw(place);
  }

  document.addEventListener("DOMContentLoaded", async () => {
    await document.fonts.ready;
    drawAll();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  });
})();
