/** The Grafana dashboard, docs/grafana/peyk.json: written by `bun run docs`. */
import type * as cog from "@grafana/grafana-foundation-sdk/cog";
import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  type Panel,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as StatBuilder } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as TimeseriesBuilder } from "@grafana/grafana-foundation-sdk/timeseries";

interface Query {
  /** Grafana fills in `$job` and `$__rate_interval`. */
  expr: string;
  legend: string;
}

interface PanelDeclaration {
  title: string;
  says: string;
  unit: string;
  /** A single number instead of lines over time. */
  isNumber?: true;
  queries: readonly Query[];
}

const of = (metric: string, ...labels: string[]) => `${metric}{${['job="$job"', ...labels].join(", ")}}`;
const rate = (metric: string, by: string, ...labels: string[]) =>
  `sum by (${by}) (rate(${of(metric, ...labels)}[$__rate_interval]))`;
const quantile = (share: number, metric: string, by: readonly string[] = []) =>
  `histogram_quantile(${share}, sum by (${["le", ...by].join(", ")}) (rate(${of(`${metric}_bucket`)}[$__rate_interval])))`;
const medianAndP99 = (metric: string, label: string): Query[] => [
  { expr: quantile(0.5, metric, [label]), legend: `{{${label}}} median` },
  { expr: quantile(0.99, metric, [label]), legend: `{{${label}}} p99` },
];

const rows: Readonly<Record<string, readonly PanelDeclaration[]>> = {
  "At a glance": [
    {
      title: "Up",
      says: "1 while Prometheus reaches the console's listener.",
      unit: "none",
      isNumber: true,
      queries: [{ expr: of("up"), legend: "{{instance}}" }],
    },
    {
      title: "Routes up",
      says: "Of those that messages of active senders may take.",
      unit: "none",
      isNumber: true,
      queries: [{ expr: `sum(${of("peyk_route_up")} * on (instance, route) ${of("peyk_route_used")})`, legend: "up" }],
    },
    {
      title: "Oldest due message",
      says: "How long the message that is due first has been due.",
      unit: "s",
      isNumber: true,
      queries: [{ expr: `max(${of("peyk_queue_oldest_seconds")})`, legend: "oldest" }],
    },
    {
      title: "Certificate ends in",
      says: "Nothing is shown without TLS.",
      unit: "s",
      isNumber: true,
      queries: [{ expr: `min(${of("peyk_certificate_end_timestamp_seconds")}) - time()`, legend: "left" }],
    },
    {
      title: "Newest nightly backup",
      says: "Its age.",
      unit: "s",
      isNumber: true,
      queries: [{ expr: `time() - max(${of("peyk_last_backup_timestamp_seconds")})`, legend: "age" }],
    },
    {
      title: "Free on the disk",
      says: "Of the data folder.",
      unit: "bytes",
      isNumber: true,
      queries: [{ expr: `min(${of("peyk_disk_free_bytes")})`, legend: "free" }],
    },
  ],
  Messages: [
    {
      title: "Accepted",
      says: "Messages a second that are on disk and answered with 202.",
      unit: "mps",
      queries: [{ expr: rate("peyk_messages_accepted_total", "class"), legend: "{{class}}" }],
    },
    {
      title: "Waiting",
      says: "Scheduled ones included; counted up to 10,000 a lane.",
      unit: "none",
      queries: [{ expr: `sum by (class) (${of("peyk_queue_messages")})`, legend: "{{class}}" }],
    },
    {
      title: "Ends",
      says: "Messages a second that reached a final status; without a route where none took them.",
      unit: "mps",
      queries: [{ expr: rate("peyk_messages_ended_total", "status, route"), legend: "{{status}} {{route}}" }],
    },
    {
      title: "Due until handed over",
      says: "From the time for which a message was asked for until a carrier took it.",
      unit: "s",
      queries: medianAndP99("peyk_message_handover_seconds", "class"),
    },
    {
      title: "Due until the receipt",
      says: "From the same time until the receipt that ended it.",
      unit: "s",
      queries: medianAndP99("peyk_message_receipt_seconds", "class"),
    },
  ],
  Routes: [
    {
      title: "Submits",
      says: "Messages a second handed to a route, by what became of it.",
      unit: "mps",
      queries: [{ expr: rate("peyk_submits_total", "route, outcome"), legend: "{{route}} {{outcome}}" }],
    },
    {
      title: "Receipts",
      says: "Receipts a second; orphaned ones match no message (yet).",
      unit: "mps",
      queries: [
        { expr: rate("peyk_receipts_total", "route, state, effect"), legend: "{{route}} {{state}} {{effect}}" },
      ],
    },
    {
      title: "Window in use",
      says: "Parts that were submitted and are not answered, of those that may be.",
      unit: "percentunit",
      queries: [
        {
          expr: `${of("peyk_route_unanswered_parts")} / (${of("peyk_route_window_parts")} > 0)`,
          legend: "{{route}}",
        },
      ],
    },
    {
      title: "Up and down",
      says: "1 while a route takes messages.",
      unit: "none",
      queries: [{ expr: of("peyk_route_up"), legend: "{{route}}" }],
    },
  ],
  Customers: [
    {
      title: "API requests",
      says: "Answered requests a second, by status.",
      unit: "reqps",
      queries: [{ expr: rate("peyk_http_requests_total", "status"), legend: "{{status}}" }],
    },
    {
      title: "API answers, p99",
      says: "By operation.",
      unit: "s",
      queries: [{ expr: quantile(0.99, "peyk_http_request_seconds", ["operation"]), legend: "{{operation}}" }],
    },
    {
      title: "Callbacks",
      says: "Attempts a second, by outcome, and those under way.",
      unit: "none",
      queries: [
        { expr: rate("peyk_callback_attempts_total", "outcome"), legend: "{{outcome}} a second" },
        { expr: of("peyk_callbacks_in_flight"), legend: "under way" },
      ],
    },
  ],
  "The service": [
    {
      title: "Commits",
      says: "Time of a transaction, fsync included.",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "peyk_commit_seconds"), legend: "median" },
        { expr: quantile(0.99, "peyk_commit_seconds"), legend: "p99" },
      ],
    },
    {
      title: "Failed commits",
      says: "Transactions a second that the database could not write: their requests were answered with 503.",
      unit: "none",
      queries: [{ expr: `sum(rate(${of("peyk_commit_failures_total")}[$__rate_interval]))`, legend: "failed" }],
    },
    {
      title: "Event loop",
      says: "How late a timer comes: everything else waits as long.",
      unit: "s",
      queries: [{ expr: quantile(0.99, "peyk_event_loop_delay_seconds"), legend: "p99" }],
    },
    {
      title: "Files",
      says: "The database and its write-ahead log.",
      unit: "bytes",
      queries: [
        { expr: of("peyk_database_bytes"), legend: "database" },
        { expr: of("peyk_wal_bytes"), legend: "log" },
      ],
    },
    {
      title: "Memory",
      says: "Resident memory of the process.",
      unit: "bytes",
      queries: [{ expr: of("process_resident_memory_bytes"), legend: "{{instance}}" }],
    },
    {
      title: "Processors",
      says: "In use; one thread decides and writes, so 1 is its limit.",
      unit: "none",
      queries: [{ expr: `rate(${of("process_cpu_seconds_total")}[$__rate_interval])`, legend: "{{instance}}" }],
    },
    {
      title: "Backups",
      says: "Nightly ones in a day, by outcome.",
      unit: "none",
      queries: [{ expr: `sum by (outcome) (increase(${of("peyk_backups_total")}[1d]))`, legend: "{{outcome}}" }],
    },
  ],
};

/** Every expression on the dashboard, as Grafana queries it. */
export const boardExpressions: readonly string[] = Object.values(rows).flatMap((panels) =>
  panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)),
);

const source = { type: "prometheus", uid: "$datasource" };
const widthMax = 24;

function panelOf({ title, says, unit, isNumber, queries }: PanelDeclaration, id: number): cog.Builder<Panel> {
  const panel =
    isNumber === true ? new StatBuilder().span(4).height(4) : new TimeseriesBuilder().span(widthMax / 3).height(8);
  panel.id(id).title(title).description(says).unit(unit).datasource(source);
  for (const [index, { expr, legend }] of queries.entries()) {
    const refId = String.fromCharCode("A".charCodeAt(0) + index);
    const query = new DataqueryBuilder().refId(refId).datasource(source).expr(expr).legendFormat(legend);
    panel.withTarget(isNumber === true ? query.instant() : query.range());
  }
  return panel;
}

/** The dashboard in Grafana's import format. */
export function grafanaBoard(): string {
  const board = new DashboardBuilder("Peyk")
    .uid("peyk")
    .description("A self-hosted SMS service: what it accepts, what waits, what becomes of it, and how the service is.")
    .tags(["peyk", "sms"])
    .time({ from: "now-3h", to: "now" })
    .timezone("browser")
    .refresh("30s")
    .withVariable(new DatasourceVariableBuilder("datasource").label("Data source").type("prometheus"))
    .withVariable(
      new QueryVariableBuilder("job")
        .label("Job")
        .datasource(source)
        .query("label_values(peyk_info, job)")
        .refresh(VariableRefresh.OnDashboardLoad),
    );
  let id = 0;
  for (const [title, panels] of Object.entries(rows)) {
    board.withRow(new RowBuilder(title).id(++id));
    for (const panel of panels) board.withPanel(panelOf(panel, ++id));
  }
  return `${JSON.stringify(board.build(), null, 2)}\n`;
}
