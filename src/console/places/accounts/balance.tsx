/** An account's money: what is left, what was entered and charged, and a form to enter more. */

import { pick } from "../../../fields/field.ts";
import { entryFields } from "../../../fields/money.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, Empty, Figures } from "../../components/blocks.tsx";
import { FormButtons, SubmitButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { ErrorSummary, type FormState } from "../../components/forms.tsx";
import { Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import type { Column } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { accountBalance } from "./accounts-view.ts";
import { balanceWords } from "./words.ts";

const minuteMs = 60_000;

type LedgerLine = AnswerOf<"GET /accounts/:id/ledger">["lines"][number];

/** `reference`: unique to the form, so that its amount is entered once however often it is posted. */
type Balance = FormState<"amount" | "note" | "reference"> & Awaited<ReturnType<typeof accountBalance>>;

export function BalancePage({ account: { id, name }, balance, ledger, texts, errors }: Balance) {
  const { words, format, say } = useLocale(balanceWords);
  const path = `/accounts/${id}`;
  const { currency } = balance;
  const columns = useColumns();
  return (
    <PageLayout title={words.terms.balance} above={{ title: name, href: path }} lead={say.billing[balance.billing]}>
      <div class="stack">
        <Figures
          figures={[
            { label: say.available, ...format.figure(balance.available, currency) },
            { label: say.settled, ...format.figure(balance.settled, currency) },
            { label: words.terms.held, ...format.figure(balance.reserved, currency), note: say.reservedNote },
          ]}
        />
        {useMay("accounts.change") ? <Entry {...{ texts, errors, currency, path }} /> : null}
        <RecordsCard
          title={say.ledger}
          columns={columns}
          rows={ledger.lines}
          keyOf={({ at, number }) => `${at} ${number}`}
          older={ledger.nextCursor === null ? null : `${path}/balance?cursor=${ledger.nextCursor}`}
        >
          <Empty icon="document" title={say.emptyTitle} command={`peyk account topup ${id} 1000000`}>
            {say.empty}
          </Empty>
        </RecordsCard>
      </div>
    </PageLayout>
  );
}

interface EntryProps extends FormState<"amount" | "note" | "reference"> {
  currency: string;
  path: string;
}

function Entry({ texts, errors, currency, path }: EntryProps) {
  const { format, say } = useLocale(balanceWords);
  const { amount, ...fields } = say.fields;
  const said = { ...fields, amount: { ...amount, label: say.amount(format.currencyName(currency)) } };
  return (
    <Card title={say.enter}>
      <PostForm class="form" action={`${path}/balance`}>
        <ErrorSummary errors={errors} />
        <input type="hidden" name="reference" value={texts.reference} />
        <DeclaredFields row="form-row" table={pick(entryFields, "amount", "note")} {...{ said, texts, errors }} />
        <FormButtons name="kind" value="topup" label={say.topUp}>
          <SubmitButton name="kind" value="correction" label={say.correct} />
        </FormButtons>
      </PostForm>
    </Card>
  );
}

/** Only set if a statement has the line at a different time. */
function Booked({ at, bookedAt }: LedgerLine) {
  const { format, say } = useLocale(balanceWords);
  return (
    <>
      <Time at={at} />
      {Math.abs(Date.parse(bookedAt) - Date.parse(at)) < minuteMs ? null : (
        <span class="muted"> · {say.bookedAt(format.moment(bookedAt))}</span>
      )}
    </>
  );
}

function useColumns(): readonly Column<LedgerLine>[] {
  const { words, format } = useLocale();
  const { head, kind: kinds } = useWords(balanceWords);
  const amount = (value: number) => <bdi dir="ltr">{format.number(value)}</bdi>;
  /** Nothing where nothing changed. */
  const change = (value: number) => (value === 0 ? null : amount(value));
  const whatOf = ({ kind, note, actor }: LedgerLine) => (
    <>
      {kinds[kind]}
      {[note, actor].map((one) =>
        one === null || one === "" ? null : (
          <span key={one} class="muted">
            {" · "}
            <bdi>{one}</bdi>
          </span>
        ),
      )}
    </>
  );
  const changeOf = (line: LedgerLine) => change(line.kind === "messages" ? -line.captured : line.amount);
  const heldOf = ({ reserved, captured, released }: LedgerLine) => change(reserved - captured - released);
  const figure = { phone: "word", named: true, figure: true } as const;
  return [
    { head: words.terms.when, phone: "title", cell: (line) => <Booked {...line} /> },
    { head: head.what, phone: "line", cell: whatOf },
    { head: head.change, phone: "aside", figure: true, cell: changeOf },
    { head: words.terms.held, ...figure, cell: heldOf },
    { head: head.after, ...figure, cell: ({ settledAfter }) => amount(settledAfter) },
  ];
}
