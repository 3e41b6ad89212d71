/** The chart of the last hours, day or month, with the choice of the span. */
import { SegmentLinks } from "../../components/blocks.tsx";
import { ChartCard } from "../../components/chart.tsx";
import type { ChartData } from "../../components/chart-data.ts";
import { useShell } from "../../components/navigation.tsx";
import { useLocale } from "../../locale.ts";
import { type RecentSpan, recentSpans } from "./recent-chart.ts";
import { reportsWords } from "./words.ts";

export function RecentCard({ chart, span }: { chart: ChartData; span: RecentSpan }) {
  const { words, say } = useLocale(reportsWords);
  const [path = ""] = useShell().path.split("?");
  const segments = recentSpans.map((name) => ({ name, href: `${path}?span=${name}` }));
  const spans = <SegmentLinks label={words.terms.time} segments={segments} names={say.span} current={span} />;
  return <ChartCard title={say.outcomes[span]} chart={chart} actions={spans} />;
}
