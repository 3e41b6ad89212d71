/** The list of routes, and the form for adding one from a ready-made carrier. */
import type { Reason } from "../../../domain/reason.ts";
import type { RouteAnswer } from "../../../operator/answers.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, CodeBlock } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { ErrorSummary, type FieldErrors, TextArea, TextField } from "../../components/forms.tsx";
import { Code, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill, TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { type HoursCounted, Sparkline } from "../../components/sparkline.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { routeTrouble, toldText } from "../../page/message-reason.ts";
import { type CarrierChoice, carrierTitle } from "./carrier.ts";
import { routeHref } from "./carrier-data.ts";
import { CarrierTiles } from "./carrier-tiles.tsx";
import { carrierWords } from "./carrier-words.ts";
import { routesWords, routeWords } from "./words.ts";

/** A route and its current state; the state is missing for one just added. */
export interface ListedRoute {
  route: RouteAnswer;
  now: AnswerOf<"GET /overview">["routes"][number] | undefined;
  /** Missing where there were no messages. */
  hours: HoursCounted | undefined;
}

export const routeState = ({ enabled, up }: Pick<RouteAnswer, "enabled" | "up">) =>
  !enabled ? "off" : up ? "up" : "down";

export function optionText(options: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = options[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** The carrier's address; null for the simulator. */
export function hostOf({ options }: Pick<RouteAnswer, "options">): string | null {
  const [host, port] = [optionText(options, "host"), optionText(options, "port")];
  if (host !== null) return port === null ? host : `${host}:${port}`;
  return optionText(options, "url") ?? optionText(options, "preset");
}

interface RoutesProps {
  shell: Shell;
  routes: ListPart<ListedRoute>;
  mayChange: boolean;
}

export function RoutesPage({ shell, routes, mayChange }: RoutesProps) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = routesWords[language];
  return (
    <CollectionPage
      shell={shell}
      title={words.places.routes}
      lead={say.lead}
      create={mayChange ? { href: "/routes/-new", label: say.create } : null}
      empty={{
        icon: "route",
        title: say.emptyTitle,
        words: say.empty,
        command: "peyk route add operator-a --kind smpp",
      }}
      columns={columnsOf(locale)}
      list={routes}
      keyOf={({ route }) => route.name}
    />
  );
}

function columnsOf(locale: Locale): readonly Column<ListedRoute>[] {
  const { language, format, words } = locale;
  const { head, draining } = routesWords[language];
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ route: { name } }) => (
        <RowLink href={routeHref(name)}>
          <Code>{name}</Code>
        </RowLink>
      ),
    },
    {
      head: head.state,
      phone: "aside",
      cell: ({ route }) => (
        <>
          <Pill state={routeState(route)} />{" "}
          {route.drainingSince !== null ? <span class="badge badge-quiet">{draining}</span> : null}
        </>
      ),
    },
    { head: head.kind, phone: "word", cell: ({ route }) => routeWords[language].kind[route.kind] },
    {
      head: head.carrier,
      phone: "line",
      cell: ({ route }) => (
        <>
          {hostOf(route) === null ? null : <Code>{hostOf(route)}</Code>}
          {(route.state?.warningReasons ?? []).map((warning) => (
            <p key={warning.code} class="ink-warn">
              {routeTrouble(warning, locale)}
            </p>
          ))}
        </>
      ),
    },
    { head: words.charts.lastDay, phone: "line", cell: ({ hours }) => <Sparkline hours={hours} /> },
    {
      head: head.rate,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ now }) => {
        const [rate, max] = [format.decimal(now?.partsPerSecond ?? 0), now?.partsPerSecondMax ?? null];
        return max === null ? rate : words.counts.rateOf(rate, format.number(max));
      },
    },
    {
      head: head.waiting,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ now }) => format.number(now?.waiting ?? 0),
    },
  ];
}

/** For a route written as JSON. */
export interface RouteFields {
  kind: "smpp" | "http";
  name: string;
  file: string;
}

export interface NewRouteView {
  fields: RouteFields;
  carriers: readonly CarrierChoice[];
  /** The carrier whose file is in the form; null for none. */
  carrier: CarrierChoice | null;
  errors: FieldErrors;
}

/** For a carrier without a form, and for any carrier as JSON. */
export function NewRoutePage({ shell, view }: { shell: Shell; view: NewRouteView }) {
  const { language, words } = useLocale();
  const say = routesWords[language];
  const { kind } = view.fields;
  return (
    <PageLayout
      shell={shell}
      title={carrierWords[language].create}
      lead={carrierWords[language].lead}
      above={{ title: words.places.routes, href: "/routes" }}
    >
      <div class="card card-form-page">
        <CarrierTiles carrier="other" />
        {kind === "http" ? <Examples view={view} /> : null}
        <PostForm action="/routes/-new">
          <ErrorSummary errors={view.errors} />
          <input type="hidden" name="kind" value={kind} />
          <section class="form-group form">
            <TextField
              name="name"
              label={carrierWords[language].name}
              hint={carrierWords[language].nameHint}
              error={view.errors.name}
              value={view.fields.name}
              script="code"
            />
            <TextArea
              name="file"
              label={say.file}
              hint={say.fileHint}
              error={view.errors.file}
              value={view.fields.file}
              rows={16}
              script="code"
            />
          </section>
          <p class="form-foot">
            <button type="submit" class="button button-primary">
              {carrierWords[language].save}
            </button>
            <button type="submit" class="button" name="do" value="form">
              {say.asForm}
            </button>
            <a class="button button-quiet" href="/routes">
              {carrierWords[language].cancel}
            </a>
          </p>
        </PostForm>
      </div>
    </PageLayout>
  );
}

/** Complete files to start from. */
function Examples({ view: { carriers, carrier } }: { view: NewRouteView }) {
  const locale = useLocale();
  const say = routesWords[locale.language];
  return (
    <section class="form-group">
      <p class="muted">{say.examples}</p>
      <p class="choices">
        {carriers
          .filter(({ kind }) => kind === "example")
          .map((choice) => (
            <a
              key={choice.name}
              class="button button-small"
              aria-current={choice.name === carrier?.name ? "true" : undefined}
              href={`/routes/-new?carrier=other&example=${choice.name}`}
            >
              {carrierTitle(choice, locale)}
            </a>
          ))}
      </p>
    </section>
  );
}

export interface RouteTestView {
  name: string;
  ok: boolean;
  steps: readonly { name: string; ok: boolean | null; detail: string; reason?: Reason }[];
}

export function RouteTestPage({ shell, view }: { shell: Shell; view: RouteTestView }) {
  const locale = useLocale();
  const say = routesWords[locale.language];
  const columns: readonly Column<RouteTestView["steps"][number]>[] = [
    { head: say.step, phone: "title", cell: ({ name }) => <bdi>{say.steps[name] ?? name}</bdi> },
    {
      head: say.head.state,
      phone: "aside",
      cell: ({ ok }) =>
        ok === null ? (
          <TonePill tone="wait">{say.stepLeftOut}</TonePill>
        ) : ok ? (
          <TonePill tone="ok">{say.stepGood}</TonePill>
        ) : (
          <Pill state="failed" />
        ),
    },
    {
      head: say.detail,
      phone: "line",
      cell: ({ detail, reason }) => (reason === undefined ? <bdi>{detail}</bdi> : toldText(reason, locale)),
    },
  ];
  return (
    <PageLayout
      shell={shell}
      title={view.ok ? say.testGood : say.testBad}
      above={{ title: view.name, href: routeHref(view.name) }}
    >
      <div class="stack">
        <Card flush>
          <Records label={say.test} columns={columns} rows={view.steps} keyOf={({ name }) => name} />
        </Card>
        <Card title={say.testText}>
          <PostForm class="form" action={routeHref(view.name, "/test")}>
            <TextField name="to" label={say.testTo} hint={say.testToHint} value="" size="medium" script="digits" />
            <p class="form-buttons">
              <button type="submit" class="button">
                <Icon name="play" />
                {say.testAgain}
              </button>
            </p>
          </PostForm>
        </Card>
      </div>
    </PageLayout>
  );
}

export interface EditRouteView {
  name: string;
  file: string;
  error: string | null;
  /** See `openedWith`. */
  opened: string;
}

export function EditRoutePage({ shell, view }: { shell: Shell; view: EditRouteView }) {
  const { language, words } = useLocale();
  const say = routesWords[language];
  const errors: FieldErrors = view.error === null ? {} : { file: view.error };
  return (
    <PageLayout shell={shell} title={say.edit} above={{ title: view.name, href: routeHref(view.name) }}>
      <PostForm class="card form" action={routeHref(view.name, "/edit")}>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="opened" value={view.opened} />
        <TextArea
          name="file"
          label={say.file}
          hint={say.editHint}
          error={errors.file}
          value={view.file}
          rows={20}
          script="code"
        />
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {words.actions.save}
          </button>
          <button type="submit" class="button button-quiet" name="do" value="form">
            {say.asForm}
          </button>
        </p>
      </PostForm>
      <CodeBlock code={`peyk route update ${view.name} --config route.json`} label={words.empty.command} />
    </PageLayout>
  );
}
