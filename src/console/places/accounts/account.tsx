/** One account: how it is, and everything that it has. An empty section is one line with its button. */
import { type Figure, Figures, LineCard } from "../../components/blocks.tsx";
import { LinkButton, PostButton } from "../../components/buttons.tsx";
import { ChartCard } from "../../components/chart.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { errorsWords } from "../errors/words.ts";
import { moneyWords } from "../money/words.ts";
import { AccountChanges } from "./account-changes.tsx";
import {
  daysLeftLow,
  Keys,
  Limits,
  Money,
  NoteCard,
  type NoteForm,
  People,
  Quotas,
  Senders,
} from "./account-sections.tsx";
import type { AccountView } from "./accounts-view.ts";
import { accountWords } from "./words.ts";

interface AccountProps {
  view: AccountView;
  inherited: ServiceDefaults["account"];
  note: NoteForm;
}

export function AccountPage({ view, inherited, note }: AccountProps) {
  const { words, format, say } = useLocale(accountWords);
  const section = { view, path: `/accounts/${view.id}` };
  return (
    <PageLayout
      title={view.name}
      hasChart={isDrawn(view.usage)}
      beside={<Pill state={view.status} />}
      above={{ title: words.places.accounts, href: "/accounts" }}
      lead={say.created(format.date(view.createdAt), view.id)}
      actions={<Actions {...section} />}
    >
      {isNew(view) ? (
        <NewAccount {...section} inherited={inherited} note={note} />
      ) : (
        <div class="stack">
          <AccountFigures {...section} />
          <div class="columns account-columns">
            <div class="stack">
              <ChartCard chart={view.usage} />
              <Senders {...section} />
              <Keys {...section} />
              <AccountChanges path={section.path} entries={view.changes} />
            </div>
            <Aside {...section} inherited={inherited} note={note} />
          </div>
        </div>
      )}
    </PageLayout>
  );
}

/** It has sent nothing so far, and cannot send by itself. */
const isNew = ({ usage, senders, keys }: AccountView): boolean =>
  !isDrawn(usage) && (senders.all === 0 || keys.all === 0);

interface AsideProps extends Pick<AccountProps, "view" | "inherited" | "note"> {
  path: string;
}

function Aside({ view, path, inherited, note }: AsideProps) {
  const { words, format } = useLocale();
  const { card } = useWords(errorsWords);
  const open = <LinkButton look="quiet small" href={`${path}/errors`} label={words.lists.showAll} />;
  return (
    <div class="stack">
      <Money view={view} path={path} />
      <Quotas view={view} path={path} />
      <Limits view={view} path={path} inherited={inherited} />
      <LineCard title={words.places.errors} action={open}>
        {view.refused === 0 ? card.none : card.some(format.count(view.refused))}
      </LineCard>
      <People view={view} />
      <NoteCard path={path} {...note} />
    </div>
  );
}

/** One that cannot send yet: what it needs, and everything else behind a line. */
function NewAccount({ view, path, ...rest }: AsideProps) {
  const say = useWords(accountWords);
  return (
    <div class="stack">
      <section class="card card-flush needs">
        <div class="card-head">
          <h2>{say.needs(view.senders.all === 0 && view.keys.all === 0 ? 2 : 1)}</h2>
        </div>
        <Senders view={view} path={path} />
        <Keys view={view} path={path} />
      </section>
      <details class="card card-flush more" open={rest.note.isOpen || Object.keys(rest.note.errors).length > 0}>
        <summary>
          <span class="form-fold-title">{say.more}</span>
          <span class="form-fold-note">{say.moreNote}</span>
        </summary>
        <Aside view={view} path={path} {...rest} />
        <AccountChanges path={path} entries={view.changes} />
      </details>
    </div>
  );
}

function Actions({ view: { status, balance }, path }: { view: AccountView; path: string }) {
  const say = useWords(accountWords);
  const { topUp } = useWords(moneyWords);
  const suspended = status === "suspended";
  const [action, label] = suspended ? [`${path}/resume`, say.resume] : [`${path}/suspend`, say.suspend];
  return (
    <>
      {useMay("accounts.change") ? (
        <PostButton action={action} icon={suspended ? "play" : "pause"} label={label} />
      ) : null}
      {useMay("accounts.change") && balance.billing !== "free" ? (
        <LinkButton look="primary" icon="plus" href={`${path}/balance`} label={topUp} />
      ) : null}
    </>
  );
}

function AccountFigures({ view, path }: { view: AccountView; path: string }) {
  const { words, format } = useLocale();
  const { figure: say, lasts } = useWords(accountWords);
  const mayCharge = useMay("accounts.change");
  const money = useWords(moneyWords);
  const { balance, daysLeft, deliveredRatio: ratio } = view;
  const isFree = balance.billing === "free";
  const isOwing = balance.billing === "postpaid";
  const month = {
    value: format.number(view.messagesThisMonth),
    note: `${say.monthNote(format.count(view.partsThisMonth))} · ${words.month[format.calendar]}`,
    href: `/messages?account=${view.id}`,
  };
  const left = {
    ...(isFree ? { value: say.free } : format.figure(isOwing ? -balance.settled : balance.available, balance.currency)),
    href: `${path}/money`,
    ...(isFree && mayCharge && { note: <a href="/prices">{say.charge}</a> }),
    ...(daysLeft !== null && {
      note: <span class={daysLeft <= daysLeftLow ? "ink-warn" : ""}>{lasts(format.count(daysLeft))}</span>,
    }),
  };
  const figures: Figure[] = [
    { label: say.month, ...month },
    { label: words.terms.delivered, value: ratio === null ? words.charts.unknown : format.percent(ratio) },
    { label: isFree ? words.terms.balance : isOwing ? money.owed : money.left, ...left },
  ];
  return <Figures figures={figures} />;
}
