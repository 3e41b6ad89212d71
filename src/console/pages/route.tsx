/** One route: whether it is up and why not, how fast it goes, what the carrier refuses, which receipts match nothing. */
import type { Reason } from "../../domain/reason.ts";
import { Card, CodeBlock, Facts, Figures, Notice } from "../components/blocks.tsx";
import { Code, Icon, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import { type Column, Records } from "../components/records.tsx";
import { useLocale } from "../locale.ts";
import { routeTrouble } from "./reason.ts";
import { routeHref } from "./routes.tsx";

export interface BindRow {
  name: string;
  state: Extract<PillState, "up" | "down">;
  /** The provider's own word for it. */
  stateWord: string;
  since: number;
  /** Null where nothing is wrong. */
  lastReason: Reason | null;
}

/** Messages by the carrier's code. */
export interface RefusalRow {
  kind: "rejected" | "temporary" | "throttled" | "uncertain" | "receipt";
  code: string;
  hour: number;
  day: number;
  week: number;
}

export interface UnmatchedRow {
  providerId: string;
  /** The carrier's own word. */
  status: string;
  receivedAt: number;
}

export interface RouteView {
  name: string;
  kind: "smpp" | "http" | "simulator";
  state: Extract<PillState, "up" | "down" | "off">;
  /** It takes no more messages since, and waits for answers and receipts; null where it takes them. */
  drainingSince: number | null;
  /** Why it is down, as the carrier or the network said. */
  down: { since: number; reason: Reason; waiting: number } | null;
  /** What should be mended though it is up. */
  warnings: readonly Reason[];
  partsPerSecond: number;
  partsPerSecondMax: number | null;
  unanswered: number;
  window: number;
  /** Of 24 hours. */
  deliveredRatio: number | null;
  receiptMedianMs: number | null;
  binds: readonly BindRow[];
  refusals: readonly RefusalRow[];
  unmatched: readonly UnmatchedRow[];
  /** Receipts are matched by one form of ids that the file names, not by whichever fits. */
  isIdFormFixed: boolean;
  /** Null for the simulator. */
  host: string | null;
  systemId: string | null;
  /** URLs that the carrier calls; null for none. */
  callbacks: { receiptUrl: string; inboundUrl: string } | null;
  /** The file without its secrets. */
  options: string;
}

interface RouteProps {
  shell: Shell;
  view: RouteView;
  /** `secrets`: the carrier's callback URLs hold one. */
  may: { change: boolean; seeSecrets: boolean };
}

export function RoutePage({ shell, view, may }: RouteProps) {
  const locale = useLocale();
  const { words, format } = locale;
  return (
    <PageLayout
      shell={shell}
      title={view.name}
      heading={<Code>{view.name}</Code>}
      beside={<Pill state={view.state} />}
      above={{ title: words.places.routes, href: "/routes" }}
      actions={may.change ? <Actions view={view} /> : null}
    >
      <div class="stack">
        <Down view={view} />
        {view.drainingSince === null ? null : (
          <Notice tone="warn">{words.routes.drainingSince(format.moment(view.drainingSince))}</Notice>
        )}
        {view.warnings.map((warning) => (
          <Notice key={warning.code} tone="warn">
            {routeTrouble(warning, locale)}
          </Notice>
        ))}
        <RouteFigures view={view} />
        <Card title={words.route.binds} flush>
          <Binds binds={view.binds} />
        </Card>
        <Card title={words.route.refusals} flush>
          <Refusals refusals={view.refusals} />
        </Card>
        <Unmatched view={view} mayChange={may.change} />
        <Connection view={view} may={may} />
      </div>
    </PageLayout>
  );
}

function Actions({ view }: { view: RouteView }) {
  const { words } = useLocale();
  const off = view.state === "off";
  const draining = view.drainingSince !== null;
  return (
    <>
      <a class="button button-quiet" href={routeHref(view.name, "/remove")}>
        {words.routes.remove}
      </a>
      {off ? null : (
        <PostForm action={routeHref(view.name, draining ? "/undrain" : "/drain")}>
          <button type="submit" class="button">
            {draining ? words.routes.undrain : words.routes.drain}
          </button>
        </PostForm>
      )}
      <PostForm action={routeHref(view.name, off ? "/enable" : "/disable")}>
        <button type="submit" class="button">
          <Icon name="off" />
          {off ? words.route.enable : words.route.disable}
        </button>
      </PostForm>
      {off ? null : (
        <PostForm action={routeHref(view.name, "/test")}>
          <button type="submit" class="button button-primary">
            <Icon name="play" />
            {words.route.test}
          </button>
        </PostForm>
      )}
    </>
  );
}

function Down({ view }: { view: RouteView }) {
  const locale = useLocale();
  const { words, format } = locale;
  if (view.down === null) return null;
  const { since, reason, waiting } = view.down;
  return (
    <div class="notice tint-bad">
      <Icon name="alert" />
      <div class="notice-words">
        <p class="strong">{words.route.downSince(format.minute(since), routeTrouble(reason, locale))}</p>
        <p>{words.route.downNote(format.count(waiting))}</p>
      </div>
    </div>
  );
}

function RouteFigures({ view }: { view: RouteView }) {
  const { words, format } = useLocale();
  const say = words.route.figure;
  const unknown = words.charts.unknown;
  const limit = view.partsPerSecondMax;
  return (
    <Figures
      figures={[
        {
          label: say.rate,
          value: format.decimal(view.partsPerSecond),
          ...(limit === null ? {} : { note: say.rateNote(format.number(limit)) }),
        },
        {
          label: say.unanswered,
          value: format.number(view.unanswered),
          note: say.unansweredNote(format.number(view.window)),
        },
        { label: say.delivered, value: view.deliveredRatio === null ? unknown : format.percent(view.deliveredRatio) },
        { label: say.receipt, value: view.receiptMedianMs === null ? unknown : format.duration(view.receiptMedianMs) },
      ]}
    />
  );
}

function Binds({ binds }: { binds: readonly BindRow[] }) {
  const locale = useLocale();
  const { words } = locale;
  const head = words.route.bind;
  if (binds.length === 0) return <p class="card-words muted">{words.route.noBinds}</p>;
  const columns: readonly Column<BindRow>[] = [
    { head: head.link, phone: "title", cell: ({ name }) => <Code>{name}</Code> },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    {
      head: head.answer,
      phone: "line",
      cell: ({ stateWord, lastReason }) => {
        const said = words.route.linkStates[stateWord] ?? stateWord;
        return lastReason === null ? said : `${said}: ${routeTrouble(lastReason, locale)}`;
      },
    },
    { head: head.since, phone: "word", named: true, cell: ({ since }) => <Time at={since} /> },
  ];
  return <Records label={words.route.binds} columns={columns} rows={binds} keyOf={({ name }) => name} />;
}

function Refusals({ refusals }: { refusals: readonly RefusalRow[] }) {
  const { words, format } = useLocale();
  const head = words.route.refusal;
  if (refusals.length === 0) return <p class="card-words muted">{words.route.noRefusals}</p>;
  const counted = (span: "hour" | "day" | "week"): Column<RefusalRow> => ({
    head: head[span],
    phone: "word",
    named: true,
    figure: true,
    cell: (row) => format.number(row[span]),
  });
  const columns: readonly Column<RefusalRow>[] = [
    { head: head.code, phone: "title", cell: ({ code }) => <Code>{code}</Code> },
    { head: head.kind, phone: "aside", cell: ({ kind }) => words.route.refusalKind[kind] },
    counted("hour"),
    counted("day"),
    counted("week"),
  ];
  return (
    <Records
      label={words.route.refusals}
      columns={columns}
      rows={refusals}
      keyOf={({ kind, code }) => `${kind} ${code}`}
    />
  );
}

function Unmatched({ view, mayChange }: { view: RouteView; mayChange: boolean }) {
  const { words } = useLocale();
  const head = words.route.unmatchedHead;
  if (view.unmatched.length === 0) {
    return (
      <Card title={words.route.unmatched} id="unmatched">
        <p class="muted">{words.route.noUnmatched}</p>
      </Card>
    );
  }
  const columns: readonly Column<UnmatchedRow>[] = [
    { head: head.id, phone: "title", cell: ({ providerId }) => <Code>{providerId}</Code> },
    { head: head.status, phone: "aside", cell: ({ status }) => <Code>{status}</Code> },
    { head: head.at, phone: "word", cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  ];
  return (
    <Card title={words.route.unmatched} id="unmatched" flush>
      <p class="card-words">{view.isIdFormFixed ? words.route.unmatchedFixed : words.route.unmatchedWhy}</p>
      <Records
        label={words.route.unmatched}
        columns={columns}
        rows={view.unmatched}
        keyOf={({ providerId, receivedAt }) => `${providerId} ${receivedAt}`}
      />
      {mayChange && view.isIdFormFixed ? (
        <PostForm class="card-form" action={routeHref(view.name, "/match")}>
          <button type="submit" class="button">
            {words.route.match}
          </button>
        </PostForm>
      ) : null}
    </Card>
  );
}

function Connection({ view, may }: { view: RouteView; may: RouteProps["may"] }) {
  const { words } = useLocale();
  const name = words.route.option;
  const { callbacks } = view;
  const urls = may.seeSecrets && callbacks !== null ? [callbacks.receiptUrl, callbacks.inboundUrl] : [];
  return (
    <Card
      title={words.route.options}
      actions={
        may.change && view.kind !== "simulator" ? (
          <a class="button button-quiet button-small" href={routeHref(view.name, "/edit")}>
            {words.account.change}
          </a>
        ) : null
      }
    >
      <Facts
        facts={[
          [name.kind, words.route.kind[view.kind]],
          ...(view.host === null ? [] : [[name.host, <Code key="host">{view.host}</Code>] as const]),
          ...(view.systemId === null ? [] : [[name.systemId, <Code key="id">{view.systemId}</Code>] as const]),
        ]}
      />
      {urls
        .filter((url) => url !== "")
        .map((url) => (
          <CodeBlock key={url} code={url} label={words.route.callbackUrl} />
        ))}
      <details>
        <summary>{words.route.file}</summary>
        <CodeBlock code={view.options} label={words.route.file} />
      </details>
    </Card>
  );
}
