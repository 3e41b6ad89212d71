/** One account: its usage, keys, senders and limits, and the operators' notes about it. */

import { accountFields } from "../../../domain/declared-fields.ts";
import { Card, Facts, type Figure, Figures } from "../../components/blocks.tsx";
import { Chart } from "../../components/chart.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { declaredFacts } from "../../components/declared-fields.tsx";
import { type FieldErrors, TextArea } from "../../components/forms.tsx";
import { ForeignText, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { KeyList, NewKeyLink } from "../keys/keys.tsx";
import type { AccountView } from "./accounts-view.ts";
import { newSenderHref, SenderList } from "./senders.tsx";
import { accountWords, senderWords } from "./words.ts";

interface AccountProps {
  shell: Shell;
  view: AccountView;
  may: { change: boolean; changeKeys: boolean };
  inherited: ServiceDefaults["account"];
  /** The note form's fields, as typed. */
  newNote?: { value: string; errors: FieldErrors };
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
        <Card title={say.usage}>
          <Chart title={say.usageTitle} {...view.usage} />
        </Card>
        <Card title={say.senders} actions={may.change ? <NewSenderLink path={path} /> : null} flush>
          <SenderList account={view.id} senders={view.senders} path={path} mayChange={may.change} />
        </Card>
        <Card title={say.keys} flush>
          <KeyList account={view.id} keys={view.keys} path={`${path}/keys`} mayChange={may.changeKeys} />
        </Card>
        <Limits view={view} path={path} mayChange={may.change} inherited={inherited} />
        <NoteCard path={path} mayChange={may.change} {...(newNote ?? { value: view.note ?? "", errors: {} })} />
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

function NewSenderLink({ path }: { path: string }) {
  return (
    <a class="button button-small" href={newSenderHref(path)}>
      <Icon name="plus" />
      {senderWords[useLocale().language].add}
    </a>
  );
}

interface NoteProps {
  path: string;
  value: string;
  errors: FieldErrors;
  mayChange: boolean;
}

function NoteCard({ path, value, errors, mayChange }: NoteProps) {
  const { language, words } = useLocale();
  const say = accountWords[language];
  return (
    <Card title={say.note} id="note">
      {mayChange ? (
        <PostForm class="form" action={`${path}/note`}>
          <TextArea name="note" label={say.noteLabel} hint={say.noteHint} error={errors.note} value={value} rows={3} />
          <p class="form-buttons">
            <button type="submit" class="button">
              {words.actions.save}
            </button>
          </p>
        </PostForm>
      ) : value === "" ? (
        <p class="muted">{say.noNote}</p>
      ) : (
        <ForeignText text={value} />
      )}
    </Card>
  );
}

const { name: _, ...limits } = accountFields;

interface LimitsProps {
  view: AccountView;
  path: string;
  mayChange: boolean;
  inherited: ServiceDefaults["account"];
}

function Limits({ view, path, mayChange, inherited }: LimitsProps) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = accountWords[language];
  return (
    <Card
      title={say.limits}
      actions={
        mayChange ? (
          <a class="button button-quiet button-small" href={`${path}/settings`}>
            {say.change}
          </a>
        ) : null
      }
    >
      <Facts
        facts={declaredFacts(limits, { said: words.fields.account, values: view, inherited: { ...inherited } }, locale)}
      />
    </Card>
  );
}
