/** The chart of the last hours, day or month, with the choice of the span. */
import { ChartCard } from "../../components/chart.tsx";
import type { ChartData } from "../../components/chart-data.ts";
import { useShell } from "../../components/navigation.tsx";
import { useLocale } from "../../locale.ts";
import { type RecentSpan, recentSpans } from "./recent-chart.ts";
import { reportsWords } from "./words.ts";

export function RecentCard({ chart, span }: { chart: ChartData; span: RecentSpan }) {
  const { words, say } = useLocale(reportsWords);
  const [path = ""] = useShell().path.split("?");
  const spans = (
    <nav class="segments" aria-label={words.terms.time}>
      {recentSpans.map((one) => (
        <a key={one} href={`${path}?span=${one}`} aria-current={one === span ? "true" : undefined}>
          {say.span[one]}
        </a>
      ))}
    </nav>
  );
  return <ChartCard title={say.outcomes[span]} chart={chart} actions={spans} />;
}
