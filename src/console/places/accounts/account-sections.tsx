/** The sections of an account's page: usage, senders, keys, money, limits, people, notes. */
import { accountFields } from "../../../fields/account.ts";
import { Card, Facts, LineCard } from "../../components/blocks.tsx";
import { Chart } from "../../components/chart.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { declaredFacts } from "../../components/declared-fields.tsx";
import { type FieldErrors, TextArea } from "../../components/forms.tsx";
import { Code, ForeignText, Icon, Time } from "../../components/inline.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { Records } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { KeyList } from "../keys/keys.tsx";
import { keysWords } from "../keys/words.ts";
import { moneyWords } from "../money/words.ts";
import { UserState } from "../users/users.tsx";
import { usersWords } from "../users/words.ts";
import type { AccountView } from "./accounts-view.ts";
import { newSenderHref, SenderList } from "./senders.tsx";
import { accountWords, senderWords } from "./words.ts";

interface SectionProps {
  view: AccountView;
  /** The account's path. */
  path: string;
  mayChange: boolean;
}

function AddLink({ href, label }: { href: string; label: string }) {
  return (
    <a class="button button-small" href={href}>
      <Icon name="plus" />
      {label}
    </a>
  );
}

export function Usage({ view }: Pick<SectionProps, "view">) {
  const say = accountWords[useLocale().language];
  if (!isDrawn(view.usage)) {
    return <LineCard title={say.usage}>{say.noUsage}</LineCard>;
  }
  return (
    <Card title={say.usage}>
      <Chart title={say.usageTitle} {...view.usage} />
    </Card>
  );
}

export function Senders({ view, path, mayChange }: SectionProps) {
  const { language } = useLocale();
  const say = accountWords[language];
  const add = mayChange ? <AddLink href={newSenderHref(path)} label={senderWords[language].add} /> : null;
  if (view.senders.all === 0) {
    return (
      <LineCard title={say.senders} action={add}>
        {say.noSenders}
      </LineCard>
    );
  }
  return (
    <Card title={say.senders} actions={add} flush>
      <SenderList account={view.id} senders={view.senders} path={path} mayChange={mayChange} />
    </Card>
  );
}

export function Keys({ view, path, mayChange }: SectionProps) {
  const { language } = useLocale();
  const say = accountWords[language];
  if (view.keys.all === 0) {
    const add = <AddLink href={`${path}/keys/new`} label={keysWords[language].create} />;
    return (
      <LineCard title={say.keys} action={mayChange ? add : null}>
        {say.noKeys}
      </LineCard>
    );
  }
  return (
    <Card title={say.keys} flush>
      <KeyList account={view.id} keys={view.keys} path={`${path}/keys`} />
    </Card>
  );
}

export function Money({ view, path, mayCharge }: Omit<SectionProps, "mayChange"> & { mayCharge: boolean }) {
  const { language, format } = useLocale();
  const say = accountWords[language];
  const { billing, settled, reserved, available, currency } = view.balance;
  if (billing === "free") {
    return (
      <LineCard
        title={say.money}
        action={
          mayCharge ? (
            <a class="button button-small" href="/prices">
              {say.figure.charge}
            </a>
          ) : null
        }
      >
        {say.notCharged}
      </LineCard>
    );
  }
  const money = moneyWords[language];
  return (
    <Card
      title={say.money}
      actions={
        <a class="button button-small" href={`${path}/money`}>
          {say.statements}
        </a>
      }
    >
      <Facts
        facts={[
          [money.mode, money.billing[billing]],
          billing === "postpaid"
            ? [money.owed, format.amount(-settled, currency)]
            : [money.left, format.amount(available, currency)],
          [money.held, format.amount(reserved, currency)],
        ]}
      />
    </Card>
  );
}

const { name: _, ...limits } = accountFields;

export function Limits({ view, path, mayChange, inherited }: SectionProps & { inherited: ServiceDefaults["account"] }) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = accountWords[language];
  return (
    <Card
      title={say.limits}
      actions={
        mayChange ? (
          <a class="button button-small" href={`${path}/settings`}>
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

/** Who signs in at the portal for it. */
export function People({ view, mayAdd }: { view: AccountView; mayAdd: boolean }) {
  const { language, format } = useLocale();
  const say = accountWords[language];
  const users = usersWords[language];
  const add = mayAdd ? <AddLink href={`/users?account=${view.id}#add`} label={say.addPerson} /> : null;
  const { all, first } = view.people;
  if (all === 0) {
    return (
      <LineCard title={say.people} action={add}>
        {say.noPeople}
      </LineCard>
    );
  }
  if (all > first.length) {
    const label = say.allPeople(format.count(all));
    return (
      <LineCard title={say.people} action={add}>
        {mayAdd ? <a href={`/users?q=${encodeURIComponent(view.name)}`}>{label}</a> : label}
      </LineCard>
    );
  }
  return (
    <Card title={say.people} actions={add} flush>
      <Records
        label={say.people}
        columns={[
          { head: users.name, phone: "title", cell: ({ name }) => <Code>{name}</Code> },
          { head: users.status, phone: "aside", cell: ({ status }) => <UserState status={status} /> },
          {
            head: users.since,
            phone: "word",
            named: true,
            cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
          },
        ]}
        rows={first}
        keyOf={({ name }) => name}
      />
    </Card>
  );
}

export interface NoteForm {
  value: string;
  errors: FieldErrors;
  /** Opened although nothing is noted yet. */
  isOpen: boolean;
}

export function NoteCard({ path, value, errors, isOpen, mayChange }: NoteForm & Omit<SectionProps, "view">) {
  const { language, words } = useLocale();
  const say = accountWords[language];
  if (value === "" && !isOpen) {
    const write = (
      <a class="button button-small" href={`${path}?note=new#note`}>
        {say.writeNote}
      </a>
    );
    return (
      <LineCard title={say.note} id="note" action={mayChange ? write : null}>
        {say.noNote}
      </LineCard>
    );
  }
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
      ) : (
        <ForeignText text={value} />
      )}
    </Card>
  );
}
