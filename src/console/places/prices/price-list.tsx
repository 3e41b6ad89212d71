/** One price list: the accounts and routes that use it, its prices, and a form for each change. */

import { billingModes } from "../../../domain/price-list.ts";
import { priceFields } from "../../../fields/money.ts";
import { routeName } from "../../../fields/route.ts";
import type { RouteAnswer } from "../../../operator/answers.ts";
import type { PriceLinesAnswer, PriceListAnswer, PriceState } from "../../../operator/prices.ts";
import { Card } from "../../components/blocks.tsx";
import { FormButtons, LinkButton, PostButton } from "../../components/buttons.tsx";
import { ListedRecords, type ListPart } from "../../components/collection.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { controlsOf, type FormState, type Option, SelectField, TextField } from "../../components/forms.tsx";
import { AccountLink, Phone, Slug, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { AccountField, isListed } from "../../components/listed-field.tsx";
import { OpenButton, OpenedForm } from "../../components/opened-form.tsx";
import { type Tone, TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { AccountNames } from "../../page/accounts-and-senders.ts";
import { MessageCost, type MessageCostForm } from "./message-cost.tsx";
import type { noPrice, noUse } from "./price-input.ts";
import { pricesWords } from "./words.ts";

export const pricesHref = (list: string, rest = ""): string => `/prices/${encodeURIComponent(list)}${rest}`;

export type PriceForm = FormState<keyof typeof noPrice>;
export type UseForm = FormState<keyof typeof noUse>;

interface PriceListView {
  list: PriceListAnswer;
  /** The first of the accounts charged by it, and their names. */
  charged: PriceListAnswer["accounts"];
  names: AccountNames;
  lines: ListPart<PriceLine>;
  accounts: readonly Option[];
  routes: readonly RouteAnswer[];
  price: PriceForm;
  use: UseForm;
  cost: MessageCostForm;
}

type PriceLine = PriceLinesAnswer["lines"][number];

export function PriceListPage(view: PriceListView) {
  const { words, say } = useLocale(pricesWords);
  const { list, lines, price, cost } = view;
  const { name, currency } = list;
  const columns = [...useLineColumns(list), useActions(list)];
  return (
    <PageLayout
      title={name}
      above={{ title: words.places.prices, href: "/prices" }}
      actions={<OpenButton name="set" look="primary" icon="plus" label={say.set} path={pricesHref(name)} />}
    >
      <div class="stack">
        <SetPrice {...price} currency={currency} action={pricesHref(name, "/set")} />
        <div class="price-uses">
          <Customers {...view} />
          <CostedRoutes {...view} />
        </div>
        <ListedRecords
          path={pricesHref(name)}
          title={words.places.prices}
          hasHead
          list={lines}
          columns={columns}
          keyOf={({ prefix, validFrom }) => `${prefix} ${validFrom}`}
        />
        <MessageCost {...cost} action={pricesHref(name, "/cost")} />
      </div>
    </PageLayout>
  );
}

/** The accounts charged by the list, and a form to charge another one. */
function Customers({ list, charged, accounts, names, use }: PriceListView) {
  const { format, say } = useLocale(pricesWords);
  const all = list.accounts.length;
  return (
    <Card title={say.customers} id="customers">
      <div class="form">
        {all === 0 ? <p class="muted">{say.nobody}</p> : null}
        <ul class="uses">
          {charged.map(({ account, billing }) => (
            <li key={account}>
              <span>
                <AccountLink id={account} name={names.get(account) ?? account} />{" "}
                <span class="muted">{say.modes[billing]}</span>
              </span>
              <EndUse list={list.name} field="account" value={account} label={say.free} />
            </li>
          ))}
        </ul>
        {charged.length === all ? null : (
          <p>
            <a href={pricesHref(list.name, "/accounts")}>{say.allAccounts(format.count(all))}</a>
          </p>
        )}
        <Charge list={list} accounts={accounts} {...use} />
      </div>
    </Card>
  );
}

/** The routes whose cost the list gives, and a form to add another one. */
function CostedRoutes({ list, routes }: Pick<PriceListView, "list" | "routes">) {
  const say = useWords(pricesWords);
  return (
    <Card title={say.costedRoutes} id="routes">
      <div class="form">
        {list.routes.length === 0 ? <p class="muted">{say.noRoute}</p> : null}
        <ul class="uses">
          {list.routes.map((route) => (
            <li key={route}>
              <a href={`/routes/${encodeURIComponent(route)}`}>
                <Slug>{route}</Slug>
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

interface EndUseProps {
  list: string;
  field: "account" | "route";
  value: string;
  label: string;
}

export function EndUse({ list, field, ...button }: EndUseProps) {
  return <PostButton look="quiet small" action={pricesHref(list, "/unassign")} name={field} {...button} />;
}

function Charge({ list, accounts, texts, errors }: Pick<PriceListView, "list" | "accounts"> & UseForm) {
  const say = useWords(pricesWords);
  const isOther = ({ value }: Option) => list.accounts.every((used) => used.account !== value);
  // Beyond the listed ones, any name may be typed.
  const others = isListed(accounts) ? accounts.filter(isOther) : accounts;
  if (others.length === 0) return null;
  const modes = billingModes.map((value) => ({ value, label: say.modes[value] }));
  return (
    <PostForm class="form" action={pricesHref(list.name, "/assign")}>
      <AccountField {...controlsOf(texts, errors)("account")} label={say.charge} accounts={others} />
      <SelectField name="mode" label={say.mode} value="prepaid" options={modes} />
      <FormButtons isSecond label={say.doCharge} />
    </PostForm>
  );
}

function CostForm({ list, routes }: Pick<PriceListView, "list" | "routes">) {
  const say = useWords(pricesWords);
  const others = routes.filter(({ name }) => !list.routes.includes(name));
  if (others.length === 0) return null;
  const options = others.map(({ name }) => ({ value: name, label: name }));
  const route = { name: "route", label: say.costOf, hint: say.costHint, value: "" };
  return (
    <PostForm class="form" action={pricesHref(list.name, "/assign")}>
      {isListed(options) ? (
        <SelectField {...route} options={options} />
      ) : (
        <TextField {...route} script="code" choices="routes" />
      )}
      <FormButtons isSecond label={say.doCost} />
    </PostForm>
  );
}

interface SetPriceProps extends PriceForm {
  action: string;
  /** Null until there is a list. */
  currency: string | null;
  hasName?: boolean;
}

/** Its first price makes a list. */
const newListFields = {
  list: { ...routeName, label: "Name" },
  ...priceFields,
  prefix: { ...priceFields.prefix, beside: true },
} as const;

/** Sets one price, replacing the previous one. */
export function SetPrice({ texts, errors, currency, action, hasName = false }: SetPriceProps) {
  const { words, format, say } = useLocale(pricesWords);
  const { price, ...fields } = say.fields;
  const label = currency === null ? price.label : `${price.label} (${format.currencyName(currency)})`;
  const said = { ...fields, price: { ...price, label }, list: { label: words.terms.list } };
  const table = hasName ? newListFields : priceFields;
  return (
    <OpenedForm name="set" title={say.set} action={action} submit={say.doSet} errors={errors}>
      <DeclaredFields row="form-row" {...{ table, said, texts, errors }} />
    </OpenedForm>
  );
}

const stateTones: Readonly<Record<PriceState, Tone>> = { valid: "ok", later: "info", over: "wait" };

export function useLineColumns({ currency }: PriceListAnswer): readonly Column<PriceLine>[] {
  const { words, format, say } = useLocale(pricesWords);
  const prefixOf = ({ prefix }: PriceLine) => (prefix === "*" ? say.everyNumber : <Phone number={prefix} />);
  const beginOf = ({ validFrom }: PriceLine) => <Time at={Date.parse(validFrom)} as="date" />;
  const stateOf = ({ state }: PriceLine) => <TonePill tone={stateTones[state]}>{say.states[state]}</TonePill>;
  return [
    { head: say.fields.prefix.label, phone: "title", cell: prefixOf },
    { head: say.fields.price.label, phone: "aside", figure: true, cell: ({ price }) => format.amount(price, currency) },
    wordColumn(say.fields.from.label, beginOf),
    { head: words.terms.state, phone: "word", cell: stateOf },
  ];
}

function useActions({ name }: PriceListAnswer): Column<PriceLine> {
  const { words, say } = useLocale(pricesWords);
  const named = (label: string, prefix: string) => ({
    label,
    described: `${label}: ${prefix === "*" ? say.everyNumber : prefix}`,
  });
  const linksOf = ({ prefix, validFrom, state }: PriceLine) => {
    const history = pricesHref(name, `/history/${encodeURIComponent(prefix)}`);
    const end = pricesHref(name, `/end?${endedPrice(prefix, state === "later" ? validFrom : null)}`);
    return (
      <>
        <LinkButton look="quiet small" href={history} {...named(say.history, prefix)} />
        {state === "over" ? null : <LinkButton look="quiet small" href={end} dialog {...named(say.end, prefix)} />}
      </>
    );
  };
  return { head: words.lists.actions, phone: "line", buttons: true, cell: linksOf };
}

/** `from`: the start of a future price; null for all prices of the prefix. */
export const endedPrice = (prefix: string, from: string | null): URLSearchParams =>
  new URLSearchParams({ prefix, ...(from !== null && { from }) });
