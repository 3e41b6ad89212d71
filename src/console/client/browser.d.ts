/** What the scripts of the pages find in the browser besides what every browser has. Global, because the scripts are no modules. */
import type { Htmx } from "htmx.org";
import type uPlot from "uplot";

declare global {
  interface Window {
    htmx: Htmx;
    uPlot: typeof uPlot;
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createHTML(html: string): string; createScript(source: string): string },
      ): unknown;
    };
  }

  /** The part of htmx's inner API that it hands to an extension and that is used here. */
  interface ExtensionApi {
    initSecurity(policy: unknown, sync: () => never, async: () => never): void;
  }

  /** What htmx tells an extension of an answer. */
  interface AnswerDetail {
    ctx: { response: { status: number; raw: Response } };
  }

  /** What a chart is drawn from, as it stands in the page. Times in epoch milliseconds. */
  interface ChartFigures {
    times: number[];
    series: { name: string; values: (number | null)[]; line: "solid" | "dashed" | "dotted"; colour: number }[];
    step: "minute" | "day";
  }

  /** One more moment of a live chart: a value for each series. */
  interface ChartMoment {
    at: number;
    values: (number | null)[];
  }

  /** A named event of a page's stream. */
  type StreamEvent = CustomEvent<{ data: string; id: string }>;

  type Plot = uPlot;
  type PlotAxis = uPlot.Axis;
  type PlotOptions = Omit<uPlot.Options, "width" | "height">;
  type PlotData = uPlot.AlignedData;
}
