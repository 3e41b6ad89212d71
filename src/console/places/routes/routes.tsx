/** The list of routes, and the form for adding one from a ready-made carrier. */
import type { RouteAnswer } from "../../../operator/answers.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, CodeBlock } from "../../components/blocks.tsx";
import { FormButtons, SubmitButton } from "../../components/buttons.tsx";
import { CollectionPage, type ListPart, RecordsCard } from "../../components/collection.tsx";
import { FormFoot } from "../../components/form-page.tsx";
import { controlsOf, ErrorSummary, type FieldErrors, TextArea, TextField } from "../../components/forms.tsx";
import { Code, Slug } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { DeliveredShare, Gauged, Two, windowGauge } from "../../components/pictures.tsx";
import { Pill, TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { type HoursCounted, Sparkline } from "../../components/sparkline.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { DayOutcomes } from "../../page/last-hours.ts";
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
  /** Of the last day. */
  outcomes: DayOutcomes | undefined;
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

export function RoutesPage({ routes }: { routes: ListPart<ListedRoute> }) {
  const { words, say } = useLocale(routesWords);
  const command = "peyk route add operator-a --kind smpp";
  return (
    <CollectionPage
      title={words.places.routes}
      lead={say.lead}
      create={useMay("routes.change") ? { href: "/routes/-new", label: say.create } : null}
      empty={{ icon: "route", title: say.emptyTitle, words: say.empty, command }}
      columns={useColumns()}
      list={routes}
      picture
      keyOf={({ route }) => route.name}
    />
  );
}

function useColumns(): readonly Column<ListedRoute>[] {
  const { format, words } = useLocale();
  const { head, draining } = useWords(routesWords);
  const nameOf = ({ route }: ListedRoute) => (
    <Two below={<Carrier route={route} />}>
      <RowLink href={routeHref(route.name)}>
        <Slug>{route.name}</Slug>
      </RowLink>
    </Two>
  );
  const stateOf = ({ route }: ListedRoute) => (
    <>
      <Pill state={routeState(route)} />{" "}
      {route.drainingSince !== null ? <span class="badge badge-quiet">{draining}</span> : null}
    </>
  );
  const rateOf = ({ now }: ListedRoute) => {
    const [rate, max] = [format.decimal(now?.partsPerSecond ?? 0), now?.partsPerSecondMax ?? null];
    return max === null ? rate : words.counts.rateOf(rate, format.number(max));
  };
  const windowOf = ({ now }: ListedRoute) => {
    const { unanswered = 0, window = 0 } = now ?? {};
    if (window === 0) return <span class="muted">{words.charts.unknown}</span>;
    const taken = words.counts.rateOf(format.number(unanswered), format.number(window));
    return <Gauged {...windowGauge(unanswered, window)}>{taken}</Gauged>;
  };
  const deliveredOf = ({ outcomes }: ListedRoute) => <DeliveredShare {...outcomes} />;
  const waitingOf = ({ now }: ListedRoute) => <WaitingCount count={now?.waiting ?? 0} isDown={now?.state === "down"} />;
  const figure = { phone: "word", named: true, figure: true } as const;
  return [
    { head: words.terms.name, phone: "title", cell: nameOf },
    { head: words.terms.state, phone: "aside", cell: stateOf },
    { head: words.charts.lastDay, phone: "word", cell: ({ hours }) => <Sparkline hours={hours} /> },
    { head: head.delivered, ...figure, cell: deliveredOf },
    { head: words.terms.rate, ...figure, phone: "absent", cell: rateOf },
    { head: words.terms.window, phone: "absent", cell: windowOf },
    { head: words.states.waiting, ...figure, cell: waitingOf },
  ];
}

/** What waits for a route that is down stands out; nothing is quiet. */
export function WaitingCount({ count, isDown }: { count: number; isDown: boolean }) {
  const { format } = useLocale();
  const look = count === 0 ? "muted" : isDown ? "rate ink-bad" : "";
  return <span class={look}>{format.number(count)}</span>;
}

/** Its kind and address, or what is wrong with it. */
function Carrier({ route }: Pick<ListedRoute, "route">) {
  const locale = useLocale();
  const { kind } = useWords(routeWords);
  const host = hostOf(route);
  const [warning] = route.state?.warningReasons ?? [];
  if (warning !== undefined) return <span class="ink-warn">{routeTrouble(warning, locale)}</span>;
  return (
    <>
      {kind[route.kind]}
      {host === null ? null : (
        <>
          {" · "}
          <Code>{host}</Code>
        </>
      )}
    </>
  );
}

/** A route written as JSON. */
export interface JsonRoute {
  texts: { kind: "smpp" | "http"; name: string; file: string };
  carriers: readonly CarrierChoice[];
  /** The carrier whose file is in the form; null for none. */
  carrier: CarrierChoice | null;
  errors: FieldErrors;
}

/** For a carrier without a form, and for any carrier as JSON. */
export function NewRoutePage({ texts, errors, carriers, carrier }: JsonRoute) {
  const { words, say } = useLocale(routesWords);
  const { create, lead, name, nameHint, save, cancel } = useWords(carrierWords);
  const control = controlsOf(texts, errors);
  return (
    <PageLayout title={create} lead={lead} above={{ title: words.places.routes, href: "/routes" }}>
      <div class="card card-form-page">
        <CarrierTiles carrier="other" />
        {texts.kind === "http" ? <Examples carriers={carriers} carrier={carrier} /> : null}
        <PostForm action="/routes/-new">
          <ErrorSummary errors={errors} />
          <input type="hidden" name="kind" value={texts.kind} />
          <section class="form-group form">
            <TextField {...control("name")} label={name} hint={nameHint} script="code" />
            <TextArea {...control("file")} label={say.file} hint={say.fileHint} rows={16} script="code" />
          </section>
          <FormFoot submit={save} cancel={cancel} back="/routes">
            <SubmitButton name="do" value="form" label={say.asForm} />
          </FormFoot>
        </PostForm>
      </div>
    </PageLayout>
  );
}

/** Complete files to start from. */
function Examples({ carriers, carrier }: Pick<JsonRoute, "carriers" | "carrier">) {
  const locale = useLocale();
  const examples = carriers.filter(({ kind }) => kind === "example");
  return (
    <section class="form-group">
      <p class="muted">{useWords(routesWords).examples}</p>
      <p class="choices">
        {examples.map((choice) => (
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

type RouteTest = AnswerOf<"POST /routes/:name/test">;

export function RouteTestPage({ name, ok, steps }: RouteTest & { name: string }) {
  const locale = useLocale();
  const { words, say } = useLocale(routesWords);
  const stateOf = (good: boolean | null) => {
    if (good === null) return <TonePill tone="wait">{say.stepLeftOut}</TonePill>;
    return good ? <TonePill tone="ok">{say.stepGood}</TonePill> : <Pill state="failed" />;
  };
  const columns: readonly Column<RouteTest["steps"][number]>[] = [
    { head: say.step, phone: "title", cell: ({ step }) => <bdi>{say.steps[step] ?? step}</bdi> },
    { head: words.terms.state, phone: "aside", cell: (row) => stateOf(row.ok) },
    {
      head: say.detail,
      phone: "line",
      cell: ({ detail, reason }) => (reason === undefined ? <bdi>{detail}</bdi> : toldText(reason, locale)),
    },
  ];
  return (
    <PageLayout title={ok ? say.testGood : say.testBad} above={{ title: name, href: routeHref(name) }}>
      <div class="stack">
        <RecordsCard title={say.test} hasHead={false} columns={columns} rows={steps} keyOf={({ step }) => step} />
        <Card title={say.testText}>
          <PostForm class="form" action={routeHref(name, "/test")}>
            <TextField name="to" label={say.testTo} hint={say.testToHint} value="" script="digits" />
            <FormButtons isSecond icon="play" label={say.testAgain} />
          </PostForm>
        </Card>
      </div>
    </PageLayout>
  );
}

export interface EditedRoute {
  name: string;
  texts: { file: string };
  errors: FieldErrors;
  /** See `openedWith`. */
  opened: string;
}

export function EditRoutePage({ name, texts, errors, opened }: EditedRoute) {
  const { words, say } = useLocale(routesWords);
  const file = { ...controlsOf(texts, errors)("file"), label: say.file, hint: say.editHint };
  return (
    <PageLayout title={say.edit} above={{ title: name, href: routeHref(name) }}>
      <PostForm class="card form" action={routeHref(name, "/edit")}>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="opened" value={opened} />
        <TextArea {...file} rows={20} script="code" />
        <FormButtons label={words.actions.save}>
          <SubmitButton look="quiet" name="do" value="form" label={say.asForm} />
        </FormButtons>
      </PostForm>
      <CodeBlock code={`peyk route update ${name} --config route.json`} label={words.empty.command} />
    </PageLayout>
  );
}
