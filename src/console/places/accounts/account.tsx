/** One account: how it is, and everything that it has. An empty section is one line with its button. */
import { type Figure, Figures, LineCard } from "../../components/blocks.tsx";
import { LinkButton, PostButton } from "../../components/buttons.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { errorsWords } from "../errors/words.ts";
import { NewKeyLink } from "../keys/keys.tsx";
import { AccountChanges } from "./account-changes.tsx";
import { Keys, Limits, Money, NoteCard, type NoteForm, People, Senders, Usage } from "./account-sections.tsx";
import type { AccountView } from "./accounts-view.ts";
import { accountWords } from "./words.ts";

interface AccountProps {
  view: AccountView;
  inherited: ServiceDefaults["account"];
  note: NoteForm;
}

export function AccountPage({ view, inherited, note }: AccountProps) {
  const { words, format } = useLocale();
  const say = useWords(accountWords);
  const errors = useWords(errorsWords);
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
      <div class="stack">
        <AccountFigures {...section} />
        <Usage view={view} />
        <Senders {...section} />
        <Keys {...section} />
        <LineCard
          title={errors.card.title}
          action={<LinkButton look="quiet small" href={`${section.path}/errors`} label={errors.card.open} />}
        >
          {errors.card.words}
        </LineCard>
        <div class="columns">
          <Limits {...section} inherited={inherited} />
          <div class="stack">
            <Money {...section} />
            <People view={view} />
            <NoteCard path={section.path} {...note} />
          </div>
        </div>
        <AccountChanges path={section.path} entries={view.changes} />
      </div>
    </PageLayout>
  );
}

function Actions({ view: { status }, path }: { view: AccountView; path: string }) {
  const say = useWords(accountWords);
  const suspended = status === "suspended";
  const [action, label] = suspended ? [`${path}/resume`, say.resume] : [`${path}/suspend`, say.suspend];
  return (
    <>
      {useMay("accounts.change") ? (
        <PostButton action={action} icon={suspended ? "play" : "pause"} label={label} />
      ) : null}
      {useMay("keys.change") ? <NewKeyLink path={`${path}/keys`} /> : null}
    </>
  );
}

function AccountFigures({ view, path }: { view: AccountView; path: string }) {
  const { words, format } = useLocale();
  const say = useWords(accountWords).figure;
  const mayCharge = useMay("accounts.change");
  const { balance, deliveredRatio: ratio } = view;
  const isFree = balance.billing === "free";
  const month = {
    value: format.number(view.messagesThisMonth),
    note: `${say.monthNote(format.count(view.partsThisMonth))} · ${words.month[format.calendar]}`,
    href: `/messages?account=${view.id}`,
  };
  const left = {
    value: isFree ? say.free : format.amount(balance.available, balance.currency),
    href: `${path}/money`,
    ...(isFree && mayCharge && { note: <a href="/prices">{say.charge}</a> }),
  };
  const quotas = view.quotas.map(({ period, partsMax, partsUsed }) => ({
    label: say.quota[period],
    value: format.number(partsUsed),
    note: say.quotaNote(format.number(partsMax)),
  }));
  const figures: Figure[] = [
    { label: say.month, ...month },
    { label: say.delivered, value: ratio === null ? words.charts.unknown : format.percent(ratio) },
    { label: say.balance, ...left },
    ...quotas,
  ];
  return <Figures figures={figures} />;
}
