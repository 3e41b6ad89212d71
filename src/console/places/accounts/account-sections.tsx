/** The sections of an account's page: usage, senders, keys, money, limits, people, notes. */
import { accountFields } from "../../../fields/account.ts";
import { Card, Facts, LineCard } from "../../components/blocks.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { ChartCard } from "../../components/chart.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { declaredFacts } from "../../components/declared-fields.tsx";
import { controlsOf, type FieldErrors, TextArea } from "../../components/forms.tsx";
import { Code, ForeignText, Time } from "../../components/inline.tsx";
import { useMay } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
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
}

const AddLink = (link: { href: string; label: string }) => <LinkButton look="small" icon="plus" {...link} />;

export function Usage({ view }: Pick<SectionProps, "view">) {
  const say = useWords(accountWords);
  if (!isDrawn(view.usage)) return <LineCard title={say.usage}>{say.noUsage}</LineCard>;
  return <ChartCard chart={view.usage} />;
}

export function Senders({ view: { id, senders }, path }: SectionProps) {
  const { senders: title, noSenders } = useWords(accountWords);
  const { add: label } = useWords(senderWords);
  const add = useMay("accounts.change") ? <AddLink href={newSenderHref(path)} label={label} /> : null;
  if (senders.all === 0) {
    return (
      <LineCard title={title} action={add}>
        {noSenders}
      </LineCard>
    );
  }
  return (
    <Card title={title} actions={add} flush>
      <SenderList account={id} senders={senders} path={path} />
    </Card>
  );
}

export function Keys({ view: { id, keys }, path }: SectionProps) {
  const { keys: title, noKeys } = useWords(accountWords);
  const { create } = useWords(keysWords);
  const add = useMay("keys.change") ? <AddLink href={`${path}/keys/new`} label={create} /> : null;
  if (keys.all === 0) {
    return (
      <LineCard title={title} action={add}>
        {noKeys}
      </LineCard>
    );
  }
  return (
    <Card title={title} flush>
      <KeyList account={id} keys={keys} path={`${path}/keys`} />
    </Card>
  );
}

export function Money({ view: { balance }, path }: SectionProps) {
  const { format } = useLocale();
  const say = useWords(accountWords);
  const money = useWords(moneyWords);
  const mayCharge = useMay("accounts.change");
  const { billing, settled, reserved, available, currency } = balance;
  const link = (href: string, label: string) => <LinkButton look="small" href={href} label={label} />;
  if (billing === "free") {
    return (
      <LineCard title={say.money} action={mayCharge ? link("/prices", say.figure.charge) : null}>
        {say.notCharged}
      </LineCard>
    );
  }
  return (
    <Card title={say.money} actions={link(`${path}/money`, say.statements)}>
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

export function Limits({ view, path, inherited }: SectionProps & { inherited: ServiceDefaults["account"] }) {
  const locale = useLocale();
  const say = useWords(accountWords);
  const change = <LinkButton look="small" href={`${path}/settings`} label={say.change} />;
  const declared = { said: locale.words.fields.account, values: view, inherited: { ...inherited } };
  return (
    <Card title={say.limits} actions={useMay("accounts.change") ? change : null}>
      <Facts facts={declaredFacts(limits, declared, locale)} />
    </Card>
  );
}

/** Who signs in at the portal for it. */
export function People({ view: { id, name, people } }: Pick<SectionProps, "view">) {
  const { format } = useLocale();
  const say = useWords(accountWords);
  const users = useWords(usersWords);
  const mayAdd = useMay("users.change");
  const add = mayAdd ? <AddLink href={`/users?account=${id}#add`} label={say.addPerson} /> : null;
  const { all, first } = people;
  if (all === 0 || all > first.length) {
    const label = say.allPeople(format.count(all));
    const listed = mayAdd ? <a href={`/users?q=${encodeURIComponent(name)}`}>{label}</a> : label;
    return (
      <LineCard title={say.people} action={add}>
        {all === 0 ? say.noPeople : listed}
      </LineCard>
    );
  }
  const columns: readonly Column<(typeof first)[number]>[] = [
    { head: users.name, phone: "title", cell: (user) => <Code>{user.name}</Code> },
    { head: users.status, phone: "aside", cell: ({ status }) => <UserState status={status} /> },
    { head: users.since, phone: "word", named: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  ];
  return (
    <Card title={say.people} actions={add} flush>
      <Records label={say.people} columns={columns} rows={first} keyOf={(user) => user.name} />
    </Card>
  );
}

export interface NoteForm {
  texts: { note: string };
  errors: FieldErrors;
  /** Opened although nothing is noted yet. */
  isOpen: boolean;
}

export function NoteCard({ path, texts, errors, isOpen }: NoteForm & Pick<SectionProps, "path">) {
  const { words } = useLocale();
  const say = useWords(accountWords);
  const mayChange = useMay("accounts.change");
  if (texts.note === "" && !isOpen) {
    const write = <LinkButton look="small" href={`${path}?note=new#note`} label={say.writeNote} />;
    return (
      <LineCard title={say.note} id="note" action={mayChange ? write : null}>
        {say.noNote}
      </LineCard>
    );
  }
  const note = { ...controlsOf(texts, errors)("note"), label: say.noteLabel, hint: say.noteHint };
  return (
    <Card title={say.note} id="note">
      {mayChange ? (
        <PostForm class="form" action={`${path}/note`}>
          <TextArea {...note} rows={3} />
          <p class="form-buttons">
            <SubmitButton label={words.actions.save} />
          </p>
        </PostForm>
      ) : (
        <ForeignText text={texts.note} />
      )}
    </Card>
  );
}
