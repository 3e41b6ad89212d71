/** An account's money: what stands now, the statement of a month, and its ledger; on screen and on paper. */
import { Card, type Figure, Figures, Notice, SegmentLinks } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Code, Icon, Name, Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { type Column, figureColumn, Records } from "../../components/records.tsx";
import { monthTitle } from "../../format/calendar.ts";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { balanceAlertWords } from "../own-account/asking-words.ts";
import { type ChargedRow, dateIn, dayText, type LedgerDay, type MoneyView } from "./money-view.ts";
import { moneyWords } from "./words.ts";

/** `issuer`: whose letterhead a printed statement has. */
export function MoneyPage({ view, issuer }: { view: MoneyView; issuer: string }) {
  const locale = useLocale();
  const { words, say } = useLocale(moneyWords);
  const mayCharge = useMay("prices.change");
  const { balance, isCustomer, id, name } = view;
  return (
    <PageLayout
      title={words.places.money}
      {...(!isCustomer && { above: { title: name, href: `/accounts/${id}` } })}
      lead={`${name} · ${say.billing[balance.billing]}`}
      actions={<Actions view={view} />}
    >
      <div class="stack">
        {balance.billing === "free" ? (
          <Notice tone="info" action={mayCharge ? <LinkButton href="/prices" label={say.charge} /> : null}>
            {say.free}
          </Notice>
        ) : null}
        {view.isUnused ? null : (
          <>
            <Letterhead view={view} issuer={issuer} />
            <div class="screen-only">
              <Figures figures={presentFigures(view, locale)} />
            </div>
            <StatementPart view={view} />
            <LedgerPart view={view} />
          </>
        )}
      </div>
    </PageLayout>
  );
}

function Actions({ view: { csv, id } }: { view: MoneyView }) {
  const { words } = useLocale();
  const { topUp } = useWords(moneyWords);
  const { title: tell } = useWords(balanceAlertWords);
  return (
    <>
      <button type="button" class="button" data-print="" hidden>
        <Icon name="print" />
        {words.actions.print}
      </button>
      <LinkButton icon="download" href={csv} label={words.actions.csv} />
      {useMay("balance.watch") ? <LinkButton icon="alert" href="/balance-alert" label={tell} /> : null}
      {useMay("accounts.change") ? (
        <LinkButton look="primary" icon="plus" href={`/accounts/${id}/balance`} label={topUp} />
      ) : null}
    </>
  );
}

/** In place of the heading, on paper. */
function Letterhead({ view: { id, name, month }, issuer }: { view: MoneyView; issuer: string }) {
  const locale = useLocale(moneyWords);
  const { language, format, say } = locale;
  return (
    <div class="letterhead">
      <p class="letterhead-name">
        <Name>{issuer}</Name>
      </p>
      <div>
        <p class="letterhead-name">{say.statement(monthTitle(month.name, language, month.timeZone))}</p>
        <p>
          <Name>{name}</Name> (<Code>{id}</Code>)
        </p>
        {Date.parse(month.to) > format.now ? <p>{say.asOf(dateIn(format.now, month.timeZone, locale))}</p> : null}
      </div>
    </div>
  );
}

function presentFigures(
  { balance, spent, month, isCustomer }: MoneyView,
  { language, format, words }: Locale,
): Figure[] {
  const say = moneyWords[language];
  const { settled, reserved, available, billing, currency } = balance;
  const amount = (value: number) => format.figure(value, currency);
  const stands: Figure =
    settled < 0
      ? { label: isCustomer ? say.ownOwed : say.owed, ...amount(-settled), tone: "bad" }
      : { label: words.terms.balance, ...amount(settled) };
  const left: Figure = {
    label: say.left,
    ...amount(available),
    ...(available <= 0 && { tone: "bad" as const }),
  };
  return [
    ...(billing === "prepaid" ? [left] : []),
    stands,
    { label: words.terms.held, ...amount(reserved), note: say.heldNote },
    { label: say.spent(monthTitle(spent.month, language, month.timeZone)), ...amount(spent.amount) },
  ];
}

/** Of a whole amount in a table, whose head names the currency. */
export function moneyText(amount: number, currency: string, { format }: Locale) {
  return <bdi dir="ltr">{currency === "IRR" ? format.number(amount) : format.amount(amount, currency)}</bdi>;
}

function StatementPart({ view }: { view: MoneyView }) {
  const locale = useLocale(moneyWords);
  const { language, words, format, say } = locale;
  const { month, statement, by, dimensions, rows } = view;
  const title = monthTitle(month.name, language, month.timeZone);
  const [from, to] = [month.from, Date.parse(month.to) - 1].map((at) => dateIn(at, month.timeZone, locale));
  const amount = (value: number) => format.figure(value, statement.currency);
  const isPresent = Date.parse(month.to) > format.now;
  return (
    <>
      <Months view={view} title={say.statement(title)} />
      <Figures
        figures={[
          { label: say.opening(from ?? ""), ...amount(statement.opening) },
          { label: say.topUps, ...amount(statement.topUps), sign: "+" },
          {
            label: say.corrections,
            ...amount(Math.abs(statement.corrections)),
            sign: statement.corrections < 0 ? "−" : "+",
          },
          { label: words.terms.messages, ...amount(statement.charged.price), sign: "−" },
          { label: isPresent ? words.places.now : say.closing(to ?? ""), ...amount(statement.closing), sign: "=" },
        ]}
      />
      <p class="muted">{say.about(words.month[month.calendar], from ?? "", to ?? "", month.timeZone)}</p>
      <Card
        title={say.sent}
        flush
        // Routes are the operator's own business.
        screenOnly={by === "route"}
        actions={<SegmentLinks label={say.by} segments={dimensions} names={words.terms} current={by} />}
      >
        {rows.length === 0 ? (
          <p class="card-words muted">{say.nothing}</p>
        ) : (
          <Records
            label={say.sent}
            columns={statementColumns(view, locale)}
            rows={[...rows, null]}
            keyOf={(row) => row?.of ?? " "}
          />
        )}
      </Card>
    </>
  );
}

function Months({ view: { older, newer, month }, title }: { view: MoneyView; title: string }) {
  const { language, say } = useLocale(moneyWords);
  const named = (name: string) => monthTitle(name, language, month.timeZone);
  return (
    <div class="month-line">
      <h2>{title}</h2>
      {older === null && newer === null ? null : (
        <nav class="segments" aria-label={say.months}>
          {older === null ? null : (
            <a href={older.href} rel="prev">
              <Icon name="left" />
              {named(older.month)}
            </a>
          )}
          {newer === null ? null : (
            <a href={newer.href} rel="next">
              {named(newer.month)}
              <Icon name="right" />
            </a>
          )}
        </nav>
      )}
    </div>
  );
}

/** The last row, which is null, is all of them. */
function statementColumns({ by, statement, month }: MoneyView, locale: Locale): readonly Column<ChargedRow | null>[] {
  const { words, language, format } = locale;
  const say = moneyWords[language];
  const { charged, currency } = statement;
  const nameOf = ({ of }: ChargedRow) => {
    if (of === "") return <span class="muted">{say.unknown}</span>;
    if (by === "sender") return <Phone number={of} />;
    return by === "day" ? dayText(of, month.timeZone, locale) : <Name>{of}</Name>;
  };
  const counted = (name: "messages" | "parts"): Column<ChargedRow | null> =>
    figureColumn(say.column[name], (row) =>
      row === null ? <strong>{format.number(charged[name])}</strong> : format.number(row[name]),
    );
  const money = (name: "price" | "cost" | "margin", phone: "aside" | "word"): Column<ChargedRow | null> => ({
    head: say.inCurrency(say.column[name], format.currencyName(currency)),
    phone,
    named: phone === "word",
    figure: true,
    screenOnly: name !== "price",
    cell: (row) => {
      const amount = (row ?? charged)[name];
      if (amount === null) return null;
      const text = moneyText(amount, currency, locale);
      return row === null ? <strong>{text}</strong> : text;
    },
  });
  return [
    {
      head: words.terms[by],
      phone: "title",
      cell: (row) => (row === null ? <strong>{words.terms.all}</strong> : nameOf(row)),
    },
    counted("messages"),
    counted("parts"),
    money("price", "aside"),
    // A customer does not see what carriers charge.
    ...(charged.cost === null ? [] : [money("cost", "word"), money("margin", "word")]),
  ];
}

function LedgerPart({ view }: { view: MoneyView }) {
  const locale = useLocale(moneyWords);
  const { words, format, say } = locale;
  const { ledger, ledgerLines, ledgerCsv, isCustomer, id } = view;
  return (
    <Card
      title={say.ledger}
      flush
      none={ledger.length === 0 && say.ledgerEmpty}
      actions={
        <span class="heading-actions">
          {isCustomer ? null : <LinkButton look="quiet small" href={`/accounts/${id}/balance`} label={say.lines} />}
          <a class="button button-quiet button-small" href={ledgerCsv} aria-label={say.ledgerCsv}>
            <Icon name="download" />
            {words.actions.csv}
          </a>
        </span>
      }
    >
      <Records
        label={`${say.ledger}: ${say.ledgerNote}`}
        columns={ledgerColumns(view, locale)}
        rows={ledger.map((line, index) => ({ ...line, index }))}
        keyOf={({ index }) => String(index)}
      />
      {ledger.length < ledgerLines ? (
        <p class="card-words muted">{say.more(format.number(ledger.length), format.number(ledgerLines))}</p>
      ) : null}
    </Card>
  );
}

function ledgerColumns({ statement: { currency, timeZone } }: MoneyView, locale: Locale): readonly Column<LedgerDay>[] {
  const { words, language, format } = locale;
  const { head, entered, traffic, inCurrency } = moneyWords[language];
  const money = (name: "out" | "in" | "after", of: (line: LedgerDay) => number | null): Column<LedgerDay> =>
    figureColumn(inCurrency(head[name], format.currencyName(currency)), (line) => {
      const amount = of(line);
      return amount === null ? null : moneyText(amount, currency, locale);
    });
  return [
    { head: head.date, phone: "title", cell: ({ startsAt }) => dateIn(startsAt, timeZone, locale) },
    {
      head: head.what,
      phone: "line",
      cell: (line) =>
        line.kind === "messages" ? (
          traffic(format.count(line.messages), format.count(line.parts))
        ) : (
          <>
            {entered[line.entered]}
            <Detail text={line.note} />
            <Detail text={line.actor} screenOnly />
          </>
        ),
    },
    {
      head: words.terms.reference,
      phone: "word",
      cell: (line) => (line.kind === "messages" || line.reference === null ? null : <Code>{line.reference}</Code>),
    },
    money("out", ({ change }) => (change < 0 ? -change : null)),
    money("in", ({ change }) => (change > 0 ? change : null)),
    money("after", ({ after }) => after),
  ];
}

/** Whoever entered an amount is not named on paper. */
function Detail({ text, screenOnly = false }: { text: string | null; screenOnly?: boolean }) {
  if (text === null || text === "") return null;
  return (
    <span class={screenOnly ? "muted screen-only" : "muted"}>
      {" · "}
      <bdi>{text}</bdi>
    </span>
  );
}
