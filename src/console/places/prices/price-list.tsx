/** One price list: the accounts and routes that use it, its prices, and a form for each change. */
import type { PriceLinesAnswer, PriceListAnswer, PriceState } from "../../../operator/prices.ts";
import { billingModes } from "../../../store/schema.ts";
import { Card } from "../../components/blocks.tsx";
import { ListedRecords, type ListPart } from "../../components/collection.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { ErrorSummary, type FieldErrors, type Option, SelectField, TextField } from "../../components/forms.tsx";
import { Code, Icon, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField, isListed } from "../../components/listed-field.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { type Tone, TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import type { Column } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { MessageCost, type MessageCostView } from "./message-cost.tsx";
import { pricesWords } from "./words.ts";

export const pricesHref = (list: string, rest = ""): string => `/prices/${encodeURIComponent(list)}${rest}`;

/** As typed. */
export interface PriceFields {
  /** The list's name; empty where the page already belongs to a list. */
  list: string;
  prefix: string;
  price: string;
  /** A date in the reader's calendar; empty for immediately. */
  from: string;
}

export interface PriceFormView {
  fields: PriceFields;
  errors: FieldErrors;
  /** Null until there is a list. */
  currency: string | null;
}

/** Either account or route is empty. */
export interface PriceUseFields {
  account: string;
  mode: string;
  route: string;
}

export interface PriceListView {
  list: PriceListAnswer;
  /** The first of the accounts charged by it. */
  charged: PriceListAnswer["accounts"];
  lines: ListPart<PriceLine>;
  accounts: readonly Option[];
  /** The accounts charged by it, by id. */
  names: ReadonlyMap<string, string>;
  routes: readonly string[];
  price: PriceFormView;
  use: { account: string; errors: FieldErrors };
  cost: MessageCostView;
}

type PriceLine = PriceLinesAnswer["lines"][number];

export function PriceListPage({ shell, view }: { shell: Shell; view: PriceListView }) {
  const { words } = useLocale();
  const { name } = view.list;
  return (
    <PageLayout shell={shell} title={name} above={{ title: words.places.prices, href: "/prices" }}>
      <div class="stack">
        <div class="price-uses">
          <Customers view={view} />
          <CostedRoutes view={view} />
        </div>
        <Lines view={view} />
        <PriceForm view={view.price} action={pricesHref(name, "/set")} />
        <MessageCost view={view.cost} action={pricesHref(name, "/cost")} />
      </div>
    </PageLayout>
  );
}

/** The accounts charged by the list, and a form to charge another one. */
function Customers({ view: { list, charged, accounts, names, use } }: { view: PriceListView }) {
  const { language, format } = useLocale();
  const say = pricesWords[language];
  return (
    <Card title={say.customers} id="customers">
      <div class="form">
        {list.accounts.length === 0 ? <p class="muted">{say.nobody}</p> : null}
        <ul class="uses">
          {charged.map(({ account, billing }) => (
            <li key={account}>
              <span>
                <a href={`/accounts/${account}`}>
                  <Name>{names.get(account) ?? account}</Name>
                </a>{" "}
                <span class="muted">{say.modes[billing]}</span>
              </span>
              <EndUse list={list.name} field="account" value={account} label={say.free} />
            </li>
          ))}
        </ul>
        {charged.length === list.accounts.length ? null : (
          <p>
            <a href={pricesHref(list.name, "/accounts")}>{say.allAccounts(format.count(list.accounts.length))}</a>
          </p>
        )}
        <ChargeForm list={list} accounts={accounts} {...use} />
      </div>
    </Card>
  );
}

/** The routes whose cost the list gives, and a form to add another one. */
function CostedRoutes({ view: { list, routes } }: { view: PriceListView }) {
  const say = pricesWords[useLocale().language];
  return (
    <Card title={say.costedRoutes} id="routes">
      <div class="form">
        {list.routes.length === 0 ? <p class="muted">{say.noRoute}</p> : null}
        <ul class="uses">
          {list.routes.map((route) => (
            <li key={route}>
              <a href={`/routes/${encodeURIComponent(route)}`}>
                <Code>{route}</Code>
              </a>
              <EndUse list={list.name} field="route" value={route} label={say.forget} />
            </li>
          ))}
        </ul>
        <CostForm list={list} routes={routes} />
      </div>
    </Card>
  );
}

export interface EndUseProps {
  list: string;
  field: "account" | "route";
  value: string;
  label: string;
}

export function EndUse({ list, field, value, label }: EndUseProps) {
  return (
    <PostForm action={pricesHref(list, "/unassign")}>
      <button type="submit" class="button button-quiet button-small" name={field} value={value}>
        {label}
      </button>
    </PostForm>
  );
}

function ChargeForm({
  list,
  accounts,
  account,
  errors,
}: Pick<PriceListView, "list" | "accounts"> & PriceListView["use"]) {
  const { language } = useLocale();
  const say = pricesWords[language];
  const isOther = ({ value }: Option) => list.accounts.every((used) => used.account !== value);
  // Beyond the listed ones, any name may be typed.
  const others = isListed(accounts) ? accounts.filter(isOther) : accounts;
  if (others.length === 0) return null;
  return (
    <PostForm class="form" action={pricesHref(list.name, "/assign")}>
      <AccountField label={say.charge} value={account} error={errors.account} accounts={others} />
      <SelectField
        name="mode"
        label={say.mode}
        value="prepaid"
        options={billingModes.map((value) => ({ value, label: say.modes[value] }))}
      />
      <p class="form-buttons">
        <button type="submit" class="button">
          {say.doCharge}
        </button>
      </p>
    </PostForm>
  );
}

function CostForm({ list, routes }: Pick<PriceListView, "list" | "routes">) {
  const { language } = useLocale();
  const say = pricesWords[language];
  const others = routes.filter((route) => !list.routes.includes(route));
  if (others.length === 0) return null;
  return (
    <PostForm class="form" action={pricesHref(list.name, "/assign")}>
      <SelectField
        name="route"
        label={say.costOf}
        hint={say.costHint}
        value=""
        options={others.map((value) => ({ value, label: value }))}
      />
      <p class="form-buttons">
        <button type="submit" class="button">
          {say.doCost}
        </button>
      </p>
    </PostForm>
  );
}

function Lines({ view: { list, lines } }: { view: PriceListView }) {
  const locale = useLocale();
  const say = pricesWords[locale.language];
  return (
    <ListedRecords
      path={pricesHref(list.name)}
      title={say.lines}
      hasHead
      list={lines}
      columns={[...lineColumns(locale, list), actionsColumn(locale, list)]}
      keyOf={({ prefix, validFrom }) => `${prefix} ${validFrom}`}
    />
  );
}

interface PriceFormProps {
  view: PriceFormView;
  action: string;
  hasName?: boolean;
}

/** Sets one price, replacing the previous one. */
export function PriceForm({ view: { fields, errors, currency }, action, hasName = false }: PriceFormProps) {
  const { language, format } = useLocale();
  const say = pricesWords[language];
  return (
    <Card title={say.set} id="set">
      <PostForm class="form" action={action}>
        <ErrorSummary errors={errors} />
        <div class="form-row">
          {hasName ? (
            <TextField name="list" label={say.name} error={errors.list} value={fields.list} script="code" />
          ) : null}
          <TextField
            name="prefix"
            label={say.prefix}
            hint={<Code>98912, *</Code>}
            error={errors.prefix}
            value={fields.prefix}
            script="digits"
          />
          <TextField
            name="price"
            label={currency === null ? say.price : `${say.price} (${format.currencyName(currency)})`}
            hint={say.priceHint}
            error={errors.price}
            value={fields.price}
            inputMode="numeric"
            script="digits"
          />
          <TextField
            name="from"
            label={say.validFrom}
            hint={say.fromHint}
            error={errors.from}
            value={fields.from}
            script="digits"
            optional
          />
        </div>
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            <Icon name="plus" />
            {say.doSet}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

const stateTones: Readonly<Record<PriceState, Tone>> = { valid: "ok", later: "info", over: "wait" };

export function lineColumns({ language, format }: Locale, { currency }: PriceListAnswer): readonly Column<PriceLine>[] {
  const say = pricesWords[language];
  return [
    {
      head: say.prefix,
      phone: "title",
      cell: ({ prefix }) => (prefix === "*" ? say.everyNumber : <Phone number={prefix} />),
    },
    { head: say.price, phone: "aside", figure: true, cell: ({ price }) => format.amount(price, currency) },
    {
      head: say.validFrom,
      phone: "word",
      named: true,
      cell: ({ validFrom }) => <Time at={Date.parse(validFrom)} as="date" />,
    },
    {
      head: say.state,
      phone: "word",
      cell: ({ state }) => <TonePill tone={stateTones[state]}>{say.states[state]}</TonePill>,
    },
  ];
}

function actionsColumn({ language, words }: Locale, { name }: PriceListAnswer): Column<PriceLine> {
  const say = pricesWords[language];
  const labelOf = (what: string, prefix: string) => `${what}: ${prefix === "*" ? say.everyNumber : prefix}`;
  return {
    head: words.lists.actions,
    phone: "line",
    buttons: true,
    cell: ({ prefix, validFrom, state }) => (
      <>
        <a
          class="button button-quiet button-small"
          href={pricesHref(name, `/history/${encodeURIComponent(prefix)}`)}
          aria-label={labelOf(say.history, prefix)}
        >
          {say.history}
        </a>
        {state === "over" ? null : (
          <a
            class="button button-quiet button-small"
            href={pricesHref(name, `/end?${endedPrice(prefix, state === "later" ? validFrom : null)}`)}
            data-dialog=""
            aria-label={labelOf(say.end, prefix)}
          >
            {say.end}
          </a>
        )}
      </>
    ),
  };
}

/** `from`: the start of a future price; null for all prices of the prefix. */
const endedPrice = (prefix: string, from: string | null): URLSearchParams =>
  new URLSearchParams({ prefix, ...(from !== null && { from }) });

export function endQuestion(
  list: string,
  prefix: string,
  from: string | null,
  { language, format, words }: Locale,
): ConfirmView {
  const say = pricesWords[language];
  const beginning = prefix === "*" ? say.everyNumber : prefix;
  return {
    question: say.endAsk(beginning, list),
    goes: [from === null ? say.endGoes : say.endLaterGoes(format.date(Date.parse(from)))],
    stays: [say.endStays],
    action: pricesHref(list, `/end?${endedPrice(prefix, from)}`),
    doIt: say.endDo,
    keep: words.confirm.keep,
    back: pricesHref(list),
  };
}
