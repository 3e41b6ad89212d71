/** The sections of an account's page: usage, senders, keys, money, limits, people, notes. */
import { accountFields } from "../../../fields/account.ts";
import { Card, Facts, LineCard } from "../../components/blocks.tsx";
import { FormButtons, LinkButton } from "../../components/buttons.tsx";
import { SettingFacts, settingFacts } from "../../components/declared-fields.tsx";
import { controlsOf, type FormState, TextArea } from "../../components/forms.tsx";
import { ForeignText } from "../../components/inline.tsx";
import { useMay } from "../../components/navigation.tsx";
import { openHref } from "../../components/opened-form.tsx";
import { Gauge } from "../../components/pictures.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { KeyList } from "../keys/keys.tsx";
import { keysWords } from "../keys/words.ts";
import { moneyWords } from "../money/words.ts";
import { UserState } from "../users/users.tsx";
import type { AccountView } from "./accounts-view.ts";
import { newSenderHref, SenderList } from "./senders.tsx";
import { accountWords, senderWords } from "./words.ts";

interface SectionProps {
  view: AccountView;
  /** The account's path. */
  path: string;
}

const AddLink = (link: { href: string; label: string }) => <LinkButton look="small" icon="plus" {...link} />;

export function Senders({ view: { id, senders }, path }: SectionProps) {
  const { words, say } = useLocale(accountWords);
  const { add: label } = useWords(senderWords);
  const add = useMay("accounts.change") ? <AddLink href={newSenderHref(path)} label={label} /> : null;
  return (
    <Card title={words.terms.senders} actions={add} none={senders.all === 0 && say.noSenders} flush>
      <SenderList account={id} senders={senders} path={path} />
    </Card>
  );
}

export function Keys({ view: { keys }, path }: SectionProps) {
  const { words, say } = useLocale(accountWords);
  const { create } = useWords(keysWords);
  const add = useMay("keys.change") ? <AddLink href={`${path}/keys/new`} label={create} /> : null;
  return (
    <Card title={words.places.keys} actions={add} none={keys.all === 0 && say.noKeys} flush>
      <KeyList keys={keys} path={`${path}/keys`} />
    </Card>
  );
}

/** A balance that lasts for fewer days is worth a look. */
export const daysLeftLow = 7;

export function Money({ view: { balance }, path }: SectionProps) {
  const { words, format, say } = useLocale(accountWords);
  const money = useWords(moneyWords);
  const mayCharge = useMay("accounts.change");
  const { billing, settled, reserved, currency } = balance;
  const link = (href: string, label: string) => <LinkButton look="quiet small" href={href} label={label} />;
  if (billing === "free") {
    return (
      <LineCard title={words.places.money} action={mayCharge ? link("/prices", say.figure.charge) : null}>
        {say.notCharged}
      </LineCard>
    );
  }
  return (
    <Card title={words.places.money} actions={link(`${path}/money`, say.statements)}>
      <Facts
        facts={[
          [money.mode, money.billing[billing]],
          billing === "prepaid" && [words.terms.balance, format.amount(settled, currency)],
          [words.terms.held, format.amount(reserved, currency)],
        ]}
      />
    </Card>
  );
}

/** Beyond this share a quota will be missed soon. */
const quotaShareLow = 0.8;

export function Quotas({ view: { quotas }, path }: SectionProps) {
  const { say } = useLocale(accountWords);
  const change = useMay("accounts.change") ? (
    <LinkButton look="quiet small" href={`${path}/settings`} label={say.change} />
  ) : null;
  return (
    <Card title={say.quotas} actions={change} none={quotas.length === 0 && say.noQuota}>
      <QuotaBars quotas={quotas} />
    </Card>
  );
}

export function QuotaBars({ quotas }: Pick<AccountView, "quotas">) {
  const { format, say } = useLocale(accountWords);
  return (
    <dl class="quotas">
      {quotas.map(({ period, partsMax, partsUsed }) => {
        const share = partsMax === 0 ? 1 : partsUsed / partsMax;
        const tone = share >= 1 ? "bad" : share >= quotaShareLow ? "warn" : "use";
        return (
          <div key={period}>
            <dt>
              {say.figure.quota[period]} <span class="muted">{say.figure.quotaNote(format.number(partsMax))}</span>
            </dt>
            <dd class="strong">{format.number(partsUsed)}</dd>
            <dd class="quota-gauge">
              <Gauge share={share} tone={tone} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const { name: _, ...limits } = accountFields;

export function Limits({ view, path, inherited }: SectionProps & { inherited: ServiceDefaults["account"] }) {
  const locale = useLocale(accountWords);
  const { words, say } = locale;
  const change = <LinkButton look="quiet small" href={`${path}/settings`} label={say.change} />;
  const facts = { said: words.fields.account, values: { ...view }, inherited: { ...inherited } };
  return (
    <Card title={words.places.settingsInUse} actions={useMay("accounts.change") ? change : null}>
      <SettingFacts {...settingFacts(limits, facts, locale)} />
    </Card>
  );
}

/** Who signs in at the portal for it. */
export function People({ view: { id, name, people } }: Pick<SectionProps, "view">) {
  const { format, say } = useLocale(accountWords);
  const mayAdd = useMay("users.change");
  const add = mayAdd ? (
    <LinkButton
      look="quiet small"
      href={openHref("/users", "add", { account: id })}
      dialog="#add"
      label={say.addPerson}
    />
  ) : null;
  const { all, first } = people;
  const label = say.allPeople(format.count(all));
  const listed = mayAdd ? <a href={`/users?q=${encodeURIComponent(name)}`}>{label}</a> : label;
  return (
    <Card title={say.people} actions={add} none={all === 0 ? say.noPeople : all > first.length && listed}>
      <Facts facts={first.map((user) => [user.name, <UserState key={user.name} status={user.status} />])} />
    </Card>
  );
}

export interface NoteForm extends FormState<"note"> {
  /** Opened although nothing is noted yet. */
  isOpen: boolean;
}

export function NoteCard({ path, texts, errors, isOpen }: NoteForm & Pick<SectionProps, "path">) {
  const { words, say } = useLocale(accountWords);
  const mayChange = useMay("accounts.change");
  if (texts.note === "" && !isOpen) {
    const write = <LinkButton look="quiet small" href={`${path}?note=new#note`} label={say.writeNote} />;
    return (
      <LineCard title={words.terms.note} id="note" action={mayChange ? write : null}>
        {say.noNote}
      </LineCard>
    );
  }
  const note = { ...controlsOf(texts, errors)("note"), label: say.noteLabel, hint: say.noteHint };
  return (
    <Card title={words.terms.note} id="note">
      {mayChange ? (
        <PostForm class="form" action={`${path}/note`}>
          <TextArea {...note} rows={3} />
          <FormButtons isSecond label={words.actions.save} />
        </PostForm>
      ) : (
        <ForeignText text={texts.note} />
      )}
    </Card>
  );
}
