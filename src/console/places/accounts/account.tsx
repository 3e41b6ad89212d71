/** One account: how it is, and everything that it has. An empty section is one line with its button. */

import { type Figure, Figures } from "../../components/blocks.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { NewKeyLink } from "../keys/keys.tsx";
import { AccountChanges } from "./account-changes.tsx";
import { Keys, Limits, Money, NoteCard, type NoteForm, People, Senders, Usage } from "./account-sections.tsx";
import type { AccountView } from "./accounts-view.ts";
import { accountWords } from "./words.ts";

interface AccountProps {
  shell: Shell;
  view: AccountView;
  may: { change: boolean; changeKeys: boolean; addPeople: boolean };
  inherited: ServiceDefaults["account"];
  /** The note form's fields, as typed. */
  newNote?: NoteForm;
}

export function AccountPage({ shell, view, may, inherited, newNote }: AccountProps) {
  const locale = useLocale();
  const { language, words, format } = locale;
  const say = accountWords[language];
  const path = `/accounts/${view.id}`;
  return (
    <PageLayout
      shell={shell}
      title={view.name}
      hasChart={isDrawn(view.usage)}
      beside={<Pill state={view.status} />}
      above={{ title: words.places.accounts, href: "/accounts" }}
      lead={say.created(format.date(view.createdAt), view.id)}
      actions={<Actions view={view} path={path} may={may} />}
    >
      <div class="stack">
        <AccountFigures view={view} path={path} mayCharge={may.change} />
        <Usage view={view} />
        <Senders view={view} path={path} mayChange={may.change} />
        <Keys view={view} path={path} mayChange={may.changeKeys} />
        <div class="columns">
          <Limits view={view} path={path} mayChange={may.change} inherited={inherited} />
          <div class="stack">
            <Money view={view} path={path} mayCharge={may.change} />
            <People view={view} mayAdd={may.addPeople} />
            <NoteCard
              path={path}
              mayChange={may.change}
              {...(newNote ?? { value: view.note ?? "", errors: {}, isOpen: false })}
            />
          </div>
        </div>
        <AccountChanges path={path} entries={view.changes} />
      </div>
    </PageLayout>
  );
}

function Actions({ view, path, may }: { view: AccountView; path: string; may: AccountProps["may"] }) {
  const { language } = useLocale();
  const say = accountWords[language];
  const suspended = view.status === "suspended";
  return (
    <>
      {may.change ? (
        <PostForm action={`${path}/${suspended ? "resume" : "suspend"}`}>
          <button type="submit" class="button">
            <Icon name={suspended ? "play" : "pause"} />
            {suspended ? say.resume : say.suspend}
          </button>
        </PostForm>
      ) : null}
      {may.changeKeys ? <NewKeyLink path={`${path}/keys`} /> : null}
    </>
  );
}

function AccountFigures({ view, path, mayCharge }: { view: AccountView; path: string; mayCharge: boolean }) {
  const { language, words, format } = useLocale();
  const say = accountWords[language].figure;
  const { balance } = view;
  const figures: Figure[] = [
    {
      label: say.month,
      value: format.number(view.messagesThisMonth),
      note: say.monthNote(format.count(view.partsThisMonth)),
      href: `/messages?account=${view.id}`,
    },
    {
      label: say.delivered,
      value: view.deliveredRatio === null ? words.charts.unknown : format.percent(view.deliveredRatio),
    },
    {
      label: say.balance,
      value: balance.billing === "free" ? say.free : format.amount(balance.available, balance.currency),
      href: `${path}/money`,
      ...(balance.billing === "free" && mayCharge && { note: <a href="/prices">{say.charge}</a> }),
    },
  ];
  for (const { period, partsMax, partsUsed } of view.quotas) {
    figures.push({
      label: say.quota[period],
      value: format.number(partsUsed),
      note: say.quotaNote(format.number(partsMax)),
    });
  }
  return <Figures figures={figures} />;
}
