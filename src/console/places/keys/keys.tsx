/** API keys: their list, a new one, and the secret that is shown only once. */

import { permissions } from "../../../domain/permissions.ts";
import type { FieldTexts } from "../../../fields/field.ts";
import { keyFields } from "../../../fields/key.ts";
import type { KeyAnswer, keyLimitsAnswer } from "../../../operator/answers.ts";
import { CodeBlock, ShowOnce } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { CollectionPage, ListBeginning, type ListPart } from "../../components/collection.tsx";
import { DeclaredFields } from "../../components/declared-fields.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { Choice, type FieldErrors, SelectField } from "../../components/forms.tsx";
import { Code, Time } from "../../components/inline.tsx";
import { type Crumb, PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Column, wordColumn } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { keysWords } from "./words.ts";

interface KeysOfAccount {
  /** The account's id; empty for a customer's own. */
  account: string;
  keys: ListPart<KeyAnswer>;
  /** `/accounts/acc_1/keys` for an operator, `/keys` for a customer. */
  path: string;
}

/** As shown on its account's page. */
export function KeyList({ keys, path }: Omit<KeysOfAccount, "account">) {
  const { words, format, say } = useLocale(keysWords);
  const all = { href: path, label: say.all(format.count(keys.all)) };
  const columns = useColumns(path).filter(({ head }) => head !== say.head.from && head !== say.head.created);
  return <ListBeginning title={words.places.keys} list={keys} {...{ columns, all }} keyOf={({ id }) => id} />;
}

function useColumns(path: string): readonly Column<KeyAnswer>[] {
  const { words, say } = useLocale(keysWords);
  const { head } = say;
  const mayChange = useMay("keys.change");
  const line = { phone: "line", named: true } as const;
  const nameOf = ({ id, name, status, test }: KeyAnswer) => (
    <>
      {mayChange && status !== "revoked" ? (
        <a href={`${path}/${id}/change`}>
          <bdi>{name}</bdi>
        </a>
      ) : (
        <bdi>{name}</bdi>
      )}{" "}
      <Code>{id}</Code>
      {test ? <span class="badge badge-quiet">{say.test}</span> : null}
    </>
  );
  const permissionsOf = (key: KeyAnswer) =>
    key.permissions.length === permissions.length ? say.everything : <Code>{key.permissions.join(", ")}</Code>;
  const placesOf = ({ allowFrom }: KeyAnswer) =>
    allowFrom.length === 0 ? <span class="nowrap">{say.everywhere}</span> : <Code>{allowFrom.join(", ")}</Code>;
  const endOf = ({ expiresAt }: KeyAnswer) =>
    expiresAt === null ? words.terms.never : <Time at={expiresAt} as="date" />;
  const buttonsOf = ({ id, status }: KeyAnswer) =>
    status === "revoked" ? null : (
      <>
        <LinkButton look="quiet small" href={`${path}/${id}/rotate`} label={say.rotate} dialog />
        <LinkButton look="quiet small" href={`${path}/${id}/revoke`} label={words.actions.revoke} dialog />
      </>
    );
  const actions: Column<KeyAnswer> = { head: words.lists.actions, phone: "line", buttons: true, cell: buttonsOf };
  return [
    { head: words.terms.name, phone: "title", cell: nameOf },
    { head: words.terms.state, phone: "aside", cell: ({ status }) => <Pill state={status} /> },
    { head: head.permissions, ...line, cell: permissionsOf },
    { head: head.from, ...line, cell: placesOf },
    wordColumn(words.terms.ends, endOf),
    wordColumn(head.created, ({ createdAt }) => <Time at={createdAt} as="date" />),
    ...(mayChange ? [actions] : []),
  ];
}

/** A customer's own, or all of one account. */
export function KeysPage({ account, path, above, keys }: KeysOfAccount & { above: Crumb }) {
  const { words, say } = useLocale(keysWords);
  const whose = account === "" ? "own" : "other";
  const command = `peyk key create --account ${account} --name backend`;
  return (
    <CollectionPage
      title={words.places.keys}
      lead={say.lead[whose]}
      create={useMay("keys.change") ? { href: `${path}/new`, label: say.create } : null}
      empty={{ icon: "key", title: say.emptyTitle, words: say.empty[whose], command }}
      columns={useColumns(path)}
      list={keys}
      keyOf={({ id }) => id}
      {...(whose === "other" && { crumb: above })}
    />
  );
}

interface KeyForm {
  title: string;
  /** The account and the page of the key. */
  above: Crumb;
  texts: FieldTexts<typeof keyFields>;
  errors: FieldErrors;
  /** For a new key, if test keys can be created: whether it is to be one. */
  isTest: boolean | null;
  /** For a change: see `openedWith`. */
  opened: string | null;
  inherited: ServiceDefaults["key"];
  limits?: ReturnType<typeof keyLimitsAnswer>;
}

/** A new key, or a change to one. */
export function KeyFormPage({ title, above, texts, errors, isTest, opened, inherited, limits }: KeyForm) {
  const { words, say } = useLocale(keysWords);
  return (
    <FormPage {...{ title, above, errors }} submit={opened === null ? say.make : undefined}>
      {opened === null ? null : <input type="hidden" name="opened" value={opened} />}
      <div class="form-group form-columns form-columns-2">
        <DeclaredFields table={keyFields} said={words.fields.key} {...{ texts, errors, inherited, limits }} />
        {isTest === null ? null : (
          <Choice name="test" value="yes" checked={isTest} label={say.testKey} hint={say.testKeyHint} />
        )}
      </div>
    </FormPage>
  );
}

/** How long the previous secret stays valid; a day is enough to install a new one by hand. */
export const gracesOffered = [0, 3_600, 86_400, 604_800, 2_592_000] as const;
const graceDefault: (typeof gracesOffered)[number] = 86_400;

export function GraceChoice() {
  const say = useWords(keysWords);
  const options = gracesOffered.map((seconds) => ({ value: String(seconds), label: say.graces[seconds] }));
  return <SelectField name="grace" label={say.grace} value={String(graceDefault)} options={options} />;
}

export function CancelWaitingChoice() {
  const say = useWords(keysWords);
  return (
    <Choice name="cancelWaiting" value="yes" checked={false} label={say.cancelWaiting} hint={say.cancelWaitingHint} />
  );
}

interface IssuedKey {
  name: string;
  above: Crumb;
  apiKey: string;
  /** A line of curl that sends a first message with it. */
  example: string;
}

export function IssuedKeyPage({ name, above, apiKey, example }: IssuedKey) {
  const { secrets } = useLocale().words;
  return (
    <PageLayout title={name} above={above}>
      <ShowOnce done={above.href}>
        <CodeBlock code={apiKey} label={secrets.secret} />
        <CodeBlock code={example} label={secrets.example} />
      </ShowOnce>
    </PageLayout>
  );
}
