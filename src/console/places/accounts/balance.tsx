/** An account's money: what is left, what was entered and charged, and a form to enter more. */
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, Empty, Figures } from "../../components/blocks.tsx";
import { ErrorSummary, type FieldErrors, TextField } from "../../components/forms.tsx";
import { Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Pagination, Records } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { balanceWords } from "./words.ts";

const minuteMs = 60_000;

type LedgerLine = AnswerOf<"GET /accounts/:id/ledger">["lines"][number];

/** `reference`: unique to this form, so that its amount is entered once however often it is posted. */
export interface EntryFields {
  amount: string;
  note: string;
  reference: string;
}

/** Amounts in the currency's smallest unit. */
export interface BalanceView extends AnswerOf<"GET /accounts/:id/balance"> {
  id: string;
  name: string;
  ledger: AnswerOf<"GET /accounts/:id/ledger">;
  fields: EntryFields;
  errors: FieldErrors;
}

interface BalanceProps {
  shell: Shell;
  view: BalanceView;
  mayChange: boolean;
}

export function BalancePage({ shell, view, mayChange }: BalanceProps) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = balanceWords[language];
  const path = `/accounts/${view.id}`;
  return (
    <PageLayout
      shell={shell}
      title={say.title}
      above={{ title: view.name, href: path }}
      lead={say.billing[view.billing]}
    >
      <div class="stack">
        <Figures
          figures={[
            { label: say.available, value: format.amount(view.available, view.currency) },
            { label: say.settled, value: format.amount(view.settled, view.currency) },
            { label: say.reserved, value: format.amount(view.reserved, view.currency), note: say.reservedNote },
          ]}
        />
        {mayChange ? <Entry view={view} path={path} /> : null}
        <Card title={say.ledger} flush>
          {view.ledger.lines.length === 0 ? (
            <Empty icon="document" title={say.emptyTitle} command={`peyk account topup ${view.id} 1000000`}>
              {say.empty}
            </Empty>
          ) : (
            <>
              <Records
                label={say.ledger}
                columns={columnsOf(locale)}
                rows={view.ledger.lines}
                keyOf={({ at, number }) => `${at} ${number}`}
              />
              <Pagination
                range={say.shown(format.count(view.ledger.lines.length))}
                newer={null}
                older={view.ledger.nextCursor === null ? null : `${path}/balance?cursor=${view.ledger.nextCursor}`}
              />
            </>
          )}
        </Card>
      </div>
    </PageLayout>
  );
}

function Entry({ view: { fields, errors, currency }, path }: { view: BalanceView; path: string }) {
  const { language, format } = useLocale();
  const say = balanceWords[language];
  return (
    <Card title={say.enter}>
      <PostForm class="form" action={`${path}/balance`}>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="reference" value={fields.reference} />
        <div class="form-row">
          <TextField
            name="amount"
            label={say.amount(format.currencyName(currency))}
            hint={say.amountHint}
            error={errors.amount}
            value={fields.amount}
            inputMode="numeric"
            script="digits"
          />
          <TextField name="note" label={say.note} hint={say.noteHint} error={errors.note} value={fields.note} />
        </div>
        <p class="form-buttons">
          <button type="submit" class="button button-primary" name="kind" value="topup">
            {say.topUp}
          </button>
          <button type="submit" class="button" name="kind" value="correction">
            {say.correct}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

/** Only set if a statement has the line at a different time. */
function Booked({ at, bookedAt }: LedgerLine) {
  const { language, format } = useLocale();
  return (
    <>
      <Time at={at} />
      {Math.abs(Date.parse(bookedAt) - Date.parse(at)) < minuteMs ? null : (
        <span class="muted"> · {balanceWords[language].bookedAt(format.moment(bookedAt))}</span>
      )}
    </>
  );
}

function columnsOf({ language, format }: Locale): readonly Column<LedgerLine>[] {
  const say = balanceWords[language];
  /** Nothing where nothing changed. */
  const change = (amount: number) => (amount === 0 ? null : <bdi dir="ltr">{format.number(amount)}</bdi>);
  return [
    { head: say.head.at, phone: "title", cell: (line) => <Booked {...line} /> },
    {
      head: say.head.what,
      phone: "line",
      cell: ({ kind, note, actor }) => (
        <>
          {say.kind[kind]}
          {[note, actor].map((one) =>
            one === null || one === "" ? null : (
              <span key={one} class="muted">
                {" · "}
                <bdi>{one}</bdi>
              </span>
            ),
          )}
        </>
      ),
    },
    {
      head: say.head.change,
      phone: "aside",
      figure: true,
      cell: ({ amount, captured, kind }) => change(kind === "messages" ? -captured : amount),
    },
    {
      head: say.head.held,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ reserved, captured, released }) => change(reserved - captured - released),
    },
    {
      head: say.head.after,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ settledAfter }) => <bdi dir="ltr">{format.number(settledAfter)}</bdi>,
    },
  ];
}
