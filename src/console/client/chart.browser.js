/**
 * Draws the charts of a page from the figures that stand in it, in the colours of its style sheet and the digits of its
 * language. Time runs left to right in both languages; the figures stand at the side where reading starts.
 */
(() => {
  const root = document.documentElement;
  const persian = root.lang === "fa";
  const timeZone = root.dataset.zone ?? "UTC";
  const numbers = new Intl.NumberFormat(persian ? "fa-IR" : "en-US");
  const calendar = persian ? "fa-IR-u-ca-persian" : "en-US";
  const clocks = new Intl.DateTimeFormat(calendar, { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const days = new Intl.DateTimeFormat(calendar, { timeZone, day: "numeric", month: persian ? "long" : "short" });
  const dashes = { solid: [], dashed: [7, 5], dotted: [2, 4] };

  /** A colour that only the style sheet knows. @param {string} className @param {"color" | "backgroundColor"} property */
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

  /** @param {ChartFigures["step"]} step @returns {PlotAxis} */
  function timeAxis(step) {
    const text = step === "day" ? dayText : (/** @type {number} */ at) => clocks.format(at);
    return { grid: { show: false }, space: 80, size: 28, values: (_, moments) => moments.map(text) };
  }

  /** @returns {PlotAxis} */
  function valueAxis() {
    return {
      side: persian ? 1 : 3,
      grid: { stroke: inkOf("chart-ink", "backgroundColor"), width: 1 },
      space: 40,
      size: 60,
      values: (_, values) => values.map((value) => (Number.isInteger(value) ? numbers.format(value) : "")),
    };
  }

  /** @param {ChartFigures} figures @returns {PlotOptions} */
  function optionsOf({ step, series }) {
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { stroke: inkOf("chart-ink", "color"), font, ticks: { show: false } };
    return {
      ms: 1,
      legend: { show: false },
      padding: [8, persian ? 0 : 20, 0, persian ? 24 : 0],
      cursor: { points: { show: false }, drag: { x: false, y: false }, y: false },
      scales: { x: { time: true }, y: { range: (_, __, max) => [0, Math.max(max, 1) * 1.08] } },
      axes: [
        { ...axis, ...timeAxis(step) },
        { ...axis, ...valueAxis() },
      ],
      series: [
        {},
        ...series.map(({ line, colour }) => ({
          stroke: inkOf(`ink-series-${colour}`, "color"),
          width: 2,
          dash: dashes[line],
          points: { show: false },
        })),
      ],
    };
  }

  /** @param {ChartFigures} figures @returns {PlotData} */
  const dataOf = ({ times, series }) => [times, ...series.map(({ values }) => values)];

  class Chart {
    /** @param {HTMLElement} place @param {Element} chart @param {ChartFigures} figures */
    constructor(place, chart, figures) {
      this.place = place;
      this.legend = /** @type {NodeListOf<HTMLElement>} */ (chart.querySelectorAll("[data-series]"));
      this.figures = figures;
      this.plot = this.draw();
      new ResizeObserver(() => this.plot.setSize(this.size())).observe(place);
    }

    size() {
      return { width: Math.max(this.place.clientWidth, 80), height: this.place.clientHeight };
    }

    draw() {
      const hooks = { setCursor: [(/** @type {Plot} */ plot) => this.showValues(plot.cursor.idx)] };
      return new window.uPlot({ ...optionsOf(this.figures), ...this.size(), hooks }, dataOf(this.figures), this.place);
    }

    redraw() {
      this.plot.destroy();
      this.plot = this.draw();
    }

    /** The legend says what stands under the pointer, or the newest. @param {number | null | undefined} pointed */
    showValues(pointed) {
      const index = pointed ?? this.figures.times.length - 1;
      for (const place of this.legend) {
        const value = this.figures.series[Number(place.dataset.series)]?.values[index] ?? null;
        place.textContent = value === null ? "–" : numbers.format(value);
      }
    }

    /** A newer moment pushes the oldest out; the same one again takes its place. @param {ChartMoment} moment */
    add({ at, values }) {
      const { times, series } = this.figures;
      const again = times.at(-1) === at;
      for (const list of [times, ...series.map((one) => one.values)]) again ? list.pop() : list.shift();
      times.push(at);
      for (const [index, one] of series.entries()) one.values.push(values[index] ?? null);
      this.plot.setData(dataOf(this.figures));
      this.showValues(this.plot.cursor.idx);
    }
  }

  /** With the fonts of the page. @param {HTMLElement} place @param {Element} frame */
  async function drawn(place, frame) {
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
    await document.fonts.ready;
    const chart = new Chart(place, frame, JSON.parse(place.dataset.chart ?? "null"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => chart.redraw());
    return chart;
  }

  /**
   * Figures that come later are events of the page's stream, named as the chart is. It is listened to at once: what comes before
   * the fonts is not told again. @param {HTMLElement} place
   */
  function start(place) {
    const frame = place.closest("figure");
    if (frame === null) return;
    const chart = drawn(place, frame);
    const { live } = frame.dataset;
    if (live === undefined) return;
    document.addEventListener(live, async (event) => {
      const { data } = /** @type {StreamEvent} */ (event).detail;
      (await chart).add(JSON.parse(data));
    });
  }

  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-chart]"))) start(place);
})();
