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
    const chart = place.closest(".chart");
    place.figures ??= JSON.parse(place.dataset.chart ?? "null");
    const { figures } = place;
    if (figures === null || chart === null) return;
    place.plot?.destroy();
    place.observer?.disconnect();
    place.replaceChildren();
    const size = () => ({ width: Math.max(place.clientWidth, 80), height: place.clientHeight });
    place.plot = new uPlot({ ...optionsOf(figures, chart), ...size() }, dataOf(figures), place);
    place.observer = new ResizeObserver(() => place.plot.setSize(size()));
    place.observer.observe(place);
  }

  const dataOf = ({ times, series }) => [times, ...series.map(({ values }) => values)];

  /** A newer moment pushes the oldest out; the same one again takes its place. */
  function add(place, { at, values }) {
    const { figures, plot } = place;
    const again = figures.times.at(-1) === at;
    for (const [index, list] of dataOf(figures).entries()) {
      if (again) list.pop();
      else list.shift();
      list.push(index === 0 ? at : (values[index - 1] ?? null));
    }
    plot.setData(dataOf(figures));
    if (plot.cursor.idx == null) showValues(plot, figures, place.closest(".chart"));
  }

  /** An event of the page's stream, named as the chart is: `{at, values}`, a value for each series. */
  function follow(place) {
    const name = place.closest(".chart")?.dataset.live;
    if (name === undefined) return;
    document.addEventListener(name, (event) => {
      if (place.isConnected && place.plot) add(place, JSON.parse(event.detail.data));
    });
  }

  function drawAll() {
    for (const place of document.querySelectorAll("[data-chart]")) draw(place);
  }

  function start() {
    for (const place of document.querySelectorAll("[data-chart]")) follow(place);
    drawAll();
  }

  document.addEventListener("DOMContentLoaded", async () => {
    await document.fonts.ready;
    start();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  });
})();
