/** The list of routes, and the form that adds one: it knows the ready-made carriers. */
import type { Reason } from "../../domain/reason.ts";
import { Card, CodeBlock, Facts } from "../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../components/collection.tsx";
import { Choice, ErrorSummary, type FieldErrors, PasswordField, TextArea, TextField } from "../components/forms.tsx";
import { Code, Icon } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState, TonePill } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import { type Column, Records, RowLink } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { type CarrierChoice, carrierNeeds, carrierTitle } from "./carrier.ts";
import { routeTrouble, toldText } from "./reason.ts";

export interface RouteListItem {
  name: string;
  kind: "smpp" | "http" | "simulator";
  state: Extract<PillState, "up" | "down" | "off">;
  /** It takes no more messages, and waits for answers and receipts. */
  isDraining: boolean;
  /** Null for the simulator. */
  host: string | null;
  partsPerSecond: number;
  partsPerSecondMax: number | null;
  waiting: number;
  /** What should be mended though it is up. */
  warnings: readonly Reason[];
}

interface RoutesProps {
  shell: Shell;
  routes: ListPart<RouteListItem>;
  mayChange: boolean;
}

export function RoutesPage({ shell, routes, mayChange }: RoutesProps) {
  const locale = useLocale();
  const { words } = locale;
  const say = words.routes;
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
      keyOf={({ name }) => name}
    />
  );
}

export const routeHref = (name: string, rest = ""): string => `/routes/${encodeURIComponent(name)}${rest}`;

function columnsOf(locale: Locale): readonly Column<RouteListItem>[] {
  const { words, format } = locale;
  const { head, draining } = words.routes;
  return [
    {
      head: head.name,
      phone: "title",
      cell: ({ name }) => (
        <RowLink href={routeHref(name)}>
          <Code>{name}</Code>
        </RowLink>
      ),
    },
    {
      head: head.state,
      phone: "aside",
      cell: ({ state, isDraining }) => (
        <>
          <Pill state={state} /> {isDraining ? <span class="badge badge-quiet">{draining}</span> : null}
        </>
      ),
    },
    { head: head.kind, phone: "word", cell: ({ kind }) => words.route.kind[kind] },
    {
      head: head.carrier,
      phone: "line",
      cell: ({ host, warnings }) => (
        <>
          {host === null ? null : <Code>{host}</Code>}
          {warnings.map((warning) => (
            <p key={warning.code} class="ink-warn">
              {routeTrouble(warning, locale)}
            </p>
          ))}
        </>
      ),
    },
    {
      head: head.rate,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ partsPerSecond, partsPerSecondMax }) =>
        partsPerSecondMax === null
          ? format.decimal(partsPerSecond)
          : words.now.rateOf(format.decimal(partsPerSecond), format.number(partsPerSecondMax)),
    },
    { head: head.waiting, phone: "word", named: true, figure: true, cell: ({ waiting }) => format.number(waiting) },
  ];
}

/** As they were typed; a password never comes back. */
export interface RouteFields {
  kind: "smpp" | "http" | "simulator";
  name: string;
  host: string;
  port: string;
  systemId: string;
  password: string;
  partsPerSecond: string;
  tls: boolean;
  /** Of an HTTP route. */
  file: string;
}

export interface NewRouteView {
  fields: RouteFields;
  carriers: readonly CarrierChoice[];
  /** The one whose file is in the form; null for none. */
  carrier: CarrierChoice | null;
  errors: FieldErrors;
}

export function NewRoutePage({ shell, view }: { shell: Shell; view: NewRouteView }) {
  const { words } = useLocale();
  const say = words.routes;
  const { kind } = view.fields;
  return (
    <PageLayout shell={shell} title={say.create} above={{ title: words.places.routes, href: "/routes" }}>
      <div class="stack">
        <div class="choices">
          <nav class="segments" aria-label={say.head.kind}>
            {(["smpp", "http", "simulator"] as const).map((one) => (
              <a key={one} href={`/routes/-new?kind=${one}`} aria-current={one === kind ? "true" : undefined}>
                {words.route.kind[one]}
              </a>
            ))}
          </nav>
        </div>
        {kind === "http" ? <Carriers view={view} /> : null}
        <PostForm class="card form" action="/routes/-new">
          <ErrorSummary errors={view.errors} />
          <input type="hidden" name="kind" value={kind} />
          <TextField
            name="name"
            label={say.head.name}
            hint={say.nameHint}
            error={view.errors.name}
            value={view.fields.name}
            size="medium"
            script="code"
          />
          {kind === "smpp" ? <SmppFields view={view} /> : null}
          {kind === "http" || view.errors.file !== undefined ? (
            <TextArea
              name="file"
              label={say.file}
              hint={say.fileHint}
              error={view.errors.file}
              value={view.fields.file}
              rows={16}
              script="code"
            />
          ) : null}
          {kind === "simulator" ? <p class="muted">{say.simulatorNote}</p> : null}
          <p class="form-buttons">
            <button type="submit" class="button button-primary">
              {say.add}
            </button>
          </p>
        </PostForm>
      </div>
    </PageLayout>
  );
}

function SmppFields({ view: { fields, errors } }: { view: NewRouteView }) {
  const { words } = useLocale();
  const say = words.routes;
  return (
    <>
      <div class="form-row">
        <TextField name="host" label={say.host} error={errors.host} value={fields.host} script="code" />
        <TextField
          name="port"
          label={say.port}
          error={errors.port}
          value={fields.port}
          inputMode="numeric"
          script="digits"
          size="short"
        />
      </div>
      <div class="form-row">
        <TextField name="systemId" label={say.systemId} error={errors.systemId} value={fields.systemId} script="code" />
        <PasswordField name="password" label={say.password} error={errors.password} autocomplete="new-password" />
      </div>
      <TextField
        name="partsPerSecond"
        label={say.head.rate}
        hint={say.rateHint}
        error={errors.partsPerSecond}
        value={fields.partsPerSecond}
        inputMode="numeric"
        script="digits"
        size="short"
        optional
      />
      <Choice name="tls" value="yes" checked={fields.tls} label={say.tls} />
      <p class="muted">{say.moreOptions}</p>
    </>
  );
}

function Carriers({ view: { carriers, carrier } }: { view: NewRouteView }) {
  const locale = useLocale();
  const say = locale.words.routes;
  const needs = carrier === null ? [] : carrierNeeds(carrier, locale);
  return (
    <Card title={say.carriers}>
      <p class="muted">{say.carriersHint}</p>
      <p class="choices">
        {carriers.map((choice) => (
          <a
            key={choice.name}
            class={choice.name === carrier?.name ? "button button-primary" : "button"}
            href={`/routes/-new?kind=http&carrier=${choice.name}`}
          >
            {carrierTitle(choice, locale)}
          </a>
        ))}
      </p>
      {needs.length === 0 ? null : <Facts facts={needs} />}
    </Card>
  );
}

export interface RouteTestView {
  name: string;
  ok: boolean;
  steps: readonly { name: string; ok: boolean | null; detail: string; reason?: Reason }[];
}

export function RouteTestPage({ shell, view }: { shell: Shell; view: RouteTestView }) {
  const locale = useLocale();
  const say = locale.words.routes;
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
  const { words } = useLocale();
  const say = words.routes;
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
        </p>
      </PostForm>
      <CodeBlock code={`peyk route update ${view.name} --config route.json`} label={words.empty.command} />
    </PageLayout>
  );
}
