/** After which message codes were verified, by route and network, and how soon. */
import type { OtpTriedAnswer } from "../../../operator/otp.ts";
import { Empty } from "../../components/blocks.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { type Column, figureColumn } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { reportsWords } from "./words.ts";

type Row = OtpTriedAnswer[number];

export function CodesPage({ rows }: { rows: OtpTriedAnswer }) {
  const {
    words,
    format,
    say: { codes: say, unknown },
  } = useLocale(reportsWords);
  const columns: readonly Column<Row>[] = [
    figureColumn(say.messages, ({ messages }) => format.number(messages)),
    { head: words.terms.route, phone: "title", cell: ({ route }) => <bdi>{route ?? unknown}</bdi> },
    { head: words.terms.network, phone: "word", cell: ({ network }) => <bdi>{network ?? unknown}</bdi> },
    figureColumn(say.sent, ({ challenges }) => format.number(challenges)),
    {
      head: say.verified,
      phone: "aside",
      cell: ({ challenges, verified }) => `${format.number(verified)} (${format.percent(verified / challenges)})`,
    },
    figureColumn(say.median, ({ medianMs }) => (medianMs === null ? "–" : format.duration(medianMs))),
  ];
  return (
    <PageLayout title={say.title} lead={say.lead} above={{ title: words.places.reports, href: "/reports" }}>
      <RecordsCard title={say.rowsTitle} columns={columns} rows={rows} keyOf={(row) => String(rows.indexOf(row))}>
        <Empty icon="chart" title={say.empty} command="peyk otp steps set --try sms:20">
          {say.emptyWords}
        </Empty>
      </RecordsCard>
    </PageLayout>
  );
}
