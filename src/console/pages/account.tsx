/** One account: what it uses, its keys, senders, limits, and what operators note about it. */
import { accountFields } from "../../domain/declared-fields.ts";
import { Card, Facts, type Figure, Figures } from "../components/blocks.tsx";
import { Chart, type ChartData, isDrawn } from "../components/chart.tsx";
import type { ListPart } from "../components/collection.tsx";
import { declaredFacts } from "../components/declared-fields.tsx";
import { type FieldErrors, TextArea, TextField } from "../components/forms.tsx";
import { ForeignText, Icon } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import { useLocale } from "../locale.ts";
import { type AccountKeyView, KeyList, NewKeyLink } from "./keys.tsx";
import { type AccountSenderView, SenderList } from "./senders.tsx";

export interface AccountQuotaView {
  period: "day" | "month";
  partsMax: number;
  partsUsed: number;
  resetsAt: number;
}

export interface AccountView {
  id: string;
  name: string;
  state: Extract<PillState, "active" | "suspended">;
  createdAt: number;
  messagesThisMonth: number;
  partsThisMonth: number;
  deliveredRatio: number | null;
  billing: "free" | "postpaid" | "prepaid";
  /** In the currency's smallest unit. */
  available: number;
  currency: string;
  usage: ChartData;
  /** The first of each. */
  keys: ListPart<AccountKeyView>;
  senders: ListPart<AccountSenderView>;
  settings: { readonly [Name in Exclude<keyof typeof accountFields, "name">]: unknown };
  quotas: readonly AccountQuotaView[];
  /** Empty for none. */
  note: string;
}

interface AccountProps {
  shell: Shell;
  view: AccountView;
  may: { change: boolean; changeKeys: boolean };
  /** Of the form that adds a sender, as it was typed. */
  newSender?: { value: string; errors: FieldErrors };
  /** Of the form of the note, likewise. */
  newNote?: { value: string; errors: FieldErrors };
}

export function AccountPage({ shell, view, may, newSender = { value: "", errors: {} }, newNote }: AccountProps) {
  const locale = useLocale();
  const { words, format } = locale;
  const say = words.account;
  const path = `/accounts/${view.id}`;
  return (
    <PageLayout
      shell={shell}
      title={view.name}
      hasChart={isDrawn(view.usage)}
      beside={<Pill state={view.state} />}
      above={{ title: words.places.accounts, href: "/accounts" }}
      lead={say.created(format.date(view.createdAt), view.id)}
      actions={<Actions view={view} path={path} may={may} />}
    >
      <div class="stack">
        <AccountFigures view={view} path={path} />
        <Card title={say.keys} flush>
          <KeyList account={view.id} keys={view.keys} path={`${path}/keys`} mayChange={may.changeKeys} />
        </Card>
        <Card title={say.senders} flush>
          <SenderList account={view.id} senders={view.senders} path={path} mayChange={may.change} />
          {may.change ? <NewSender path={path} {...newSender} /> : null}
        </Card>
        <Limits view={view} path={path} mayChange={may.change} />
        <NoteCard path={path} mayChange={may.change} {...(newNote ?? { value: view.note, errors: {} })} />
        <Card title={say.usage}>
          <Chart title={say.usageTitle} {...view.usage} />
        </Card>
      </div>
    </PageLayout>
  );
}

function Actions({ view, path, may }: { view: AccountView; path: string; may: AccountProps["may"] }) {
  const { words } = useLocale();
  const suspended = view.state === "suspended";
  return (
    <>
      {may.change ? (
        <PostForm action={`${path}/${suspended ? "resume" : "suspend"}`}>
          <button type="submit" class="button">
            <Icon name={suspended ? "play" : "pause"} />
            {suspended ? words.account.resume : words.account.suspend}
          </button>
        </PostForm>
      ) : null}
      {may.changeKeys ? <NewKeyLink path={`${path}/keys`} /> : null}
    </>
  );
}

function AccountFigures({ view, path }: { view: AccountView; path: string }) {
  const { words, format } = useLocale();
  const say = words.account.figure;
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
      value: view.billing === "free" ? say.free : format.amount(view.available, view.currency),
      href: `${path}/balance`,
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

function NewSender({ path, value, errors }: { path: string; value: string; errors: FieldErrors }) {
  const { words } = useLocale();
  const say = words.account;
  return (
    <PostForm class="form card-form" action={`${path}/senders`}>
      <TextField
        name="sender"
        label={say.newSender}
        hint={say.newSenderHint}
        error={errors.sender}
        value={value}
        size="medium"
        script="digits"
      />
      <p class="form-buttons">
        <button type="submit" class="button">
          <Icon name="plus" />
          {say.addSender}
        </button>
      </p>
    </PostForm>
  );
}

interface NoteProps {
  path: string;
  value: string;
  errors: FieldErrors;
  mayChange: boolean;
}

function NoteCard({ path, value, errors, mayChange }: NoteProps) {
  const { words } = useLocale();
  const say = words.account;
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

function Limits({ view, path, mayChange }: { view: AccountView; path: string; mayChange: boolean }) {
  const locale = useLocale();
  const { words } = locale;
  return (
    <Card
      title={words.account.limits}
      actions={
        mayChange ? (
          <a class="button button-quiet button-small" href={`${path}/settings`}>
            {words.account.change}
          </a>
        ) : null
      }
    >
      <Facts facts={declaredFacts(limits, words.fields.account, view.settings, locale)} />
    </Card>
  );
}
