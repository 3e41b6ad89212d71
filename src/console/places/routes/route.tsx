/** One route: whether it is up and why not, its speed, the carrier's refusals, and receipts that match nothing. */
import type { RouteAnswer } from "../../../operator/answers.ts";
import { Card, CodeBlock, Facts, Figures, LineCard, Notice } from "../../components/blocks.tsx";
import { Code, Icon, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { routeTrouble } from "../../page/message-reason.ts";
import { accountWords } from "../accounts/words.ts";
import { routeHref } from "./carrier-data.ts";
import { hostOf, optionText, routeState } from "./routes.tsx";
import type { RouteView } from "./routes-view.ts";
import { routesWords, routeWords } from "./words.ts";

type Bind = NonNullable<RouteAnswer["state"]>["links"][number];
type Refusal = RouteView["route"]["figures"]["refusals"][number];

interface RouteProps {
  shell: Shell;
  view: RouteView;
  /** `secrets`: the callback URLs for the carrier contain one. */
  may: { change: boolean; seeSecrets: boolean };
}

export function RoutePage({ shell, view, may }: RouteProps) {
  const locale = useLocale();
  const { language, words, format } = locale;
  const say = routeWords[language];
  const { route } = view;
  return (
    <PageLayout
      shell={shell}
      title={route.name}
      heading={<Code>{route.name}</Code>}
      beside={<Pill state={routeState(route)} />}
      above={{ title: words.places.routes, href: "/routes" }}
      actions={may.change ? <Actions route={view.route} /> : null}
    >
      <div class="stack">
        <Down view={view} />
        {route.drainingSince === null ? null : (
          <Notice tone="warn">{routesWords[language].drainingSince(format.moment(route.drainingSince))}</Notice>
        )}
        {(route.state?.warningReasons ?? []).map((warning) => (
          <Notice key={warning.code} tone="warn">
            {routeTrouble(warning, locale)}
          </Notice>
        ))}
        <RouteFigures view={view} />
        <Card title={say.binds} flush>
          <Binds binds={route.state?.links ?? []} />
        </Card>
        <Refusals refusals={route.figures.refusals} />
        <Unmatched view={view} mayChange={may.change} />
        <Connection view={view} may={may} />
      </div>
    </PageLayout>
  );
}

function Actions({ route }: { route: RouteAnswer }) {
  const { language } = useLocale();
  const say = routesWords[language];
  const off = !route.enabled;
  const draining = route.drainingSince !== null;
  return (
    <>
      <a class="button button-quiet" href={routeHref(route.name, "/remove")}>
        {say.remove}
      </a>
      {off ? null : (
        <PostForm action={routeHref(route.name, draining ? "/undrain" : "/drain")}>
          <button type="submit" class="button">
            {draining ? say.undrain : say.drain}
          </button>
        </PostForm>
      )}
      <PostForm action={routeHref(route.name, off ? "/enable" : "/disable")}>
        <button type="submit" class="button">
          <Icon name="off" />
          {off ? routeWords[language].enable : routeWords[language].disable}
        </button>
      </PostForm>
      {off ? null : (
        <PostForm action={routeHref(route.name, "/test")}>
          <button type="submit" class="button button-primary">
            <Icon name="play" />
            {routeWords[language].test}
          </button>
        </PostForm>
      )}
    </>
  );
}

/** Why it is down, in the words of the carrier or the network. */
function Down({ view: { route, now } }: { view: RouteView }) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = routeWords[language];
  const reason = route.state?.links.find(({ lastReason }) => lastReason !== null)?.lastReason ?? null;
  const since = now?.stateSince ?? null;
  if (!route.enabled || route.up || since === null || reason === null) return null;
  return (
    <div class="notice tint-bad">
      <Icon name="alert" />
      <div class="notice-words">
        <p class="strong">{say.downSince(format.minute(since), routeTrouble(reason, locale))}</p>
        <p>{say.downNote(format.count(now?.waiting ?? 0))}</p>
      </div>
    </div>
  );
}

function RouteFigures({ view: { route, now } }: { view: RouteView }) {
  const { language, words, format } = useLocale();
  const say = routeWords[language].figure;
  const unknown = words.charts.unknown;
  const limit = now?.partsPerSecondMax ?? null;
  const { deliveryRate, receiptMedianMs } = route.figures.day;
  return (
    <Figures
      figures={[
        {
          label: say.rate,
          value: format.decimal(now?.partsPerSecond ?? 0),
          ...(limit === null ? {} : { note: say.rateNote(format.number(limit)) }),
        },
        {
          label: say.unanswered,
          value: format.number(route.state?.unanswered ?? 0),
          note: say.unansweredNote(format.number(route.state?.window ?? 0)),
        },
        { label: say.delivered, value: deliveryRate === null ? unknown : format.percent(deliveryRate) },
        { label: say.receipt, value: receiptMedianMs === null ? unknown : format.duration(receiptMedianMs) },
      ]}
    />
  );
}

/** For a connection: an SMPP bind, an HTTP endpoint, the simulator. */
const isUp = ({ state }: Bind): boolean => ["bound", "up"].includes(state);

function Binds({ binds }: { binds: readonly Bind[] }) {
  const locale = useLocale();
  const { language } = locale;
  const say = routeWords[language];
  const head = say.bind;
  if (binds.length === 0) return <p class="card-words muted">{say.noBinds}</p>;
  const columns: readonly Column<Bind>[] = [
    { head: head.link, phone: "title", cell: ({ name }) => <Code>{name}</Code> },
    { head: head.state, phone: "aside", cell: (bind) => <Pill state={isUp(bind) ? "up" : "down"} /> },
    {
      head: head.answer,
      phone: "line",
      cell: (bind) => {
        const { state, lastReason } = bind;
        const said = say.linkStates[state] ?? state;
        return isUp(bind) || lastReason === null ? said : `${said}: ${routeTrouble(lastReason, locale)}`;
      },
    },
    { head: head.since, phone: "word", named: true, cell: ({ since }) => <Time at={since} /> },
  ];
  return <Records label={say.binds} columns={columns} rows={binds} keyOf={({ name }) => name} />;
}

function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { language, format } = useLocale();
  const say = routeWords[language];
  const head = say.refusal;
  if (refusals.length === 0) return <LineCard title={say.refusals}>{say.noRefusals}</LineCard>;
  const counted = (span: "hour" | "day" | "week"): Column<Refusal> => ({
    head: head[span],
    phone: "word",
    named: true,
    figure: true,
    cell: (row) => format.number(row[span]),
  });
  const columns: readonly Column<Refusal>[] = [
    { head: head.code, phone: "title", cell: ({ code }) => <Code>{code}</Code> },
    { head: head.kind, phone: "aside", cell: ({ kind }) => say.refusalKind[kind] },
    counted("hour"),
    counted("day"),
    counted("week"),
  ];
  return (
    <Card title={say.refusals} flush>
      <Records label={say.refusals} columns={columns} rows={refusals} keyOf={({ kind, code }) => `${kind} ${code}`} />
    </Card>
  );
}

function Unmatched({ view, mayChange }: { view: RouteView; mayChange: boolean }) {
  const { language } = useLocale();
  const say = routeWords[language];
  /** They are matched by the one id format named in the file, not by whichever fits. */
  const isIdFormFixed = !["auto", null].includes(optionText(view.route.options, "receiptId"));
  const head = say.unmatchedHead;
  if (view.unmatched.length === 0) {
    return (
      <LineCard title={say.unmatched} id="unmatched">
        {say.noUnmatched}
      </LineCard>
    );
  }
  const columns: readonly Column<RouteView["unmatched"][number]>[] = [
    { head: head.id, phone: "title", cell: ({ providerId }) => <Code>{providerId}</Code> },
    { head: head.status, phone: "aside", cell: ({ status }) => <Code>{status}</Code> },
    { head: head.at, phone: "word", cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  ];
  return (
    <Card title={say.unmatched} id="unmatched" flush>
      <p class="card-words">{isIdFormFixed ? say.unmatchedFixed : say.unmatchedWhy}</p>
      <Records
        label={say.unmatched}
        columns={columns}
        rows={view.unmatched}
        keyOf={({ providerId, receivedAt }) => `${providerId} ${receivedAt}`}
      />
      {mayChange && isIdFormFixed ? (
        <PostForm class="card-form" action={routeHref(view.route.name, "/match")}>
          <button type="submit" class="button">
            {say.match}
          </button>
        </PostForm>
      ) : null}
    </Card>
  );
}

function Connection({ view, may }: { view: RouteView; may: RouteProps["may"] }) {
  const { language } = useLocale();
  const say = routeWords[language];
  const name = say.option;
  const { route } = view;
  const { callbacks } = route;
  const [host, systemId] = [hostOf(route), optionText(route.options, "systemId")];
  const urls = may.seeSecrets && callbacks !== null ? [callbacks.receiptUrl, callbacks.inboundUrl] : [];
  return (
    <Card
      title={say.options}
      actions={
        may.change && route.kind !== "simulator" ? (
          <a class="button button-quiet button-small" href={routeHref(route.name, "/change")}>
            {accountWords[language].change}
          </a>
        ) : null
      }
    >
      <Facts
        facts={[
          [name.kind, say.kind[route.kind]],
          ...(host === null ? [] : [[name.host, <Code key="host">{host}</Code>] as const]),
          ...(systemId === null ? [] : [[name.systemId, <Code key="id">{systemId}</Code>] as const]),
        ]}
      />
      {urls
        .filter((url) => url !== "")
        .map((url) => (
          <CodeBlock key={url} code={url} label={say.callbackUrl} />
        ))}
      <details>
        <summary>{say.file}</summary>
        <CodeBlock code={JSON.stringify(route.options, null, 2)} label={say.file} />
      </details>
    </Card>
  );
}
