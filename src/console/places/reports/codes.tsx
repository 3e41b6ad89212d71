/** After which message codes were verified, by route and network, and how soon. */
import type { OtpTriedAnswer } from "../../../operator/otp.ts";
import { Card, Empty } from "../../components/blocks.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { type Column, Records } from "../../components/records.tsx";
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
    { head: say.messages, phone: "word", named: true, cell: ({ messages }) => format.number(messages) },
    { head: words.terms.route, phone: "title", cell: ({ route }) => <bdi>{route ?? unknown}</bdi> },
    { head: words.terms.network, phone: "word", cell: ({ network }) => <bdi>{network ?? unknown}</bdi> },
    { head: say.sent, phone: "word", named: true, cell: ({ challenges }) => format.number(challenges) },
    {
      head: say.verified,
      phone: "aside",
      cell: ({ challenges, verified }) => `${format.number(verified)} (${format.percent(verified / challenges)})`,
    },
    {
      head: say.median,
      phone: "word",
      named: true,
      cell: ({ medianMs }) => (medianMs === null ? "–" : format.duration(medianMs)),
    },
  ];
  return (
    <PageLayout title={say.title} lead={say.lead} above={{ title: words.places.reports, href: "/reports" }}>
      <Card title={say.rowsTitle} flush>
        {rows.length === 0 ? (
          <Empty icon="chart" title={say.empty} command="peyk otp steps set --try sms:20">
            {say.emptyWords}
          </Empty>
        ) : (
          <Records label={say.title} columns={columns} rows={rows} keyOf={(row) => String(rows.indexOf(row))} />
        )}
      </Card>
    </PageLayout>
  );
}
