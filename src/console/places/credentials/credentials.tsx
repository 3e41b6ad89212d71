/** Credentials: who connects by SMPP and by other protocols, from where, how fast, and what waits for them. */
import type { CredentialKind } from "../../../domain/credential.ts";
import { kannelCredentialFields } from "../../../domain/declared-fields.ts";
import { Card, CodeBlock, Facts } from "../../components/blocks.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { declaredFacts } from "../../components/declared-fields.tsx";
import { Code, Icon, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import type { CredentialView } from "./credentials-view.ts";
import { credentialsWords } from "./words.ts";

/** Names of third-party protocols and products: the same in every language. */
export const kindNames = {
  smpp: "SMPP",
  kannel: "Kannel",
  jasmin: "Jasmin",
  intake: "Intake",
} satisfies Record<CredentialKind, string>;

const repeatsName = (repeats: "off" | "reference", none: string) =>
  repeats === "off" ? none : "user_message_reference";

interface ListProps {
  shell: Shell;
  list: ListPart<CredentialView>;
  mayChange: boolean;
}

export function CredentialsPage({ shell, list, mayChange }: ListProps) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = credentialsWords[language];
  return (
    <CollectionPage
      shell={shell}
      title={words.places.credentials}
      lead={say.lead}
      create={mayChange ? { href: "/credentials/new", label: say.create } : null}
      empty={{
        icon: "link",
        title: say.emptyTitle,
        words: say.empty,
        command: "peyk credential create --key key_1 --kind smpp --traffic bulk",
      }}
      columns={columnsOf(locale, shell.role === "customer")}
      list={list}
      keyOf={({ id }) => id}
    />
  );
}

function columnsOf({ language, format }: Locale, isCustomer: boolean): readonly Column<CredentialView>[] {
  const say = credentialsWords[language];
  const account: Column<CredentialView> = {
    head: say.account,
    phone: "line",
    cell: (row) => (row.account === null ? null : <Name>{row.account.name}</Name>),
  };
  return [
    {
      head: say.name,
      phone: "title",
      cell: ({ id, name }) => (
        <RowLink href={`/credentials/${id}`}>
          <span class="nowrap">
            <Code>{name}</Code>
          </span>
        </RowLink>
      ),
    },
    { head: say.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    { head: say.kind, phone: "word", cell: ({ kind }) => kindNames[kind] },
    ...(isCustomer ? [] : [account]),
    {
      head: say.bound,
      phone: "word",
      named: true,
      cell: ({ binds, options }) =>
        options === null ? "–" : say.boundOf(format.number(binds.length), format.number(options.binds)),
    },
    { head: say.waiting, phone: "line", named: true, cell: (row) => <Waiting row={row} /> },
    {
      head: say.lastRefusal,
      phone: "line",
      named: true,
      cell: ({ lastRefusal }) =>
        lastRefusal === null ? (
          say.never
        ) : (
          <span class="nowrap">
            <Code>{lastRefusal.status.replace(/^ESME_/, "")}</Code>
          </span>
        ),
    },
  ];
}

function Waiting({ row: { waiting, waitingMore, oldestWaitingAt } }: { row: CredentialView }) {
  const { language, format } = useLocale();
  const say = credentialsWords[language];
  if (oldestWaitingAt === null) return say.nothingWaits;
  return (
    <>
      {format.number(waiting)}
      {waitingMore ? "+" : ""} · {say.oldest} <Time at={Date.parse(oldestWaitingAt)} />
    </>
  );
}

export function CredentialPage({ shell, view, mayChange }: { shell: Shell; view: CredentialView; mayChange: boolean }) {
  const locale = useLocale();
  const { language, words } = locale;
  const say = credentialsWords[language];
  const { id, name, state, binds, kind } = view;
  return (
    <PageLayout
      shell={shell}
      title={name}
      heading={<Code>{name}</Code>}
      beside={<Pill state={state} />}
      above={{ title: words.places.credentials, href: "/credentials" }}
      actions={mayChange && state !== "revoked" ? <Actions id={id} /> : null}
    >
      <div class="stack">
        {kind === "smpp" ? (
          <Card title={say.from} flush={binds.length > 0}>
            {binds.length === 0 ? (
              <p>{say.notBound}</p>
            ) : (
              <Records
                label={say.from}
                columns={bindColumns(locale)}
                rows={binds.map((bind, number) => ({ ...bind, number }))}
                keyOf={keyOfBind}
              />
            )}
          </Card>
        ) : null}
        <Card>
          <Facts facts={[...useFacts(view, locale), ...optionFacts(view, locale)]} />
          {kind === "intake" && state !== "revoked" ? (
            <p>
              <a class="button" href={`/intakes/${name}`}>
                {say.intake}
              </a>
            </p>
          ) : null}
        </Card>
      </div>
    </PageLayout>
  );
}

function Actions({ id }: { id: string }) {
  const say = credentialsWords[useLocale().language];
  return (
    <>
      <a class="button" href={`/credentials/${id}/change`}>
        {say.change}
      </a>
      <a class="button" href={`/credentials/${id}/rotate`} data-dialog="">
        {say.rotate}
      </a>
      <a class="button" href={`/credentials/${id}/revoke`} data-dialog="">
        {say.revoke}
      </a>
    </>
  );
}

type Bind = CredentialView["binds"][number] & { number: number };
const keyOfBind = ({ number }: Bind) => String(number);

function bindColumns({ language, format }: Locale): readonly Column<Bind>[] {
  const say = credentialsWords[language];
  const modes: Readonly<Record<string, string>> = say.modes;
  return [
    { head: say.address, phone: "title", cell: ({ address }) => <Code>{address}</Code> },
    { head: say.mode, phone: "aside", cell: ({ mode }) => modes[mode] ?? mode },
    { head: say.since, phone: "word", named: true, cell: ({ since }) => <Time at={Date.parse(since)} /> },
    {
      head: say.openSubmits,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ openSubmits, window }) => say.boundOf(format.number(openSubmits), format.number(window)),
    },
    {
      head: say.openDeliveries,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ openDeliveries, window }) => say.boundOf(format.number(openDeliveries), format.number(window)),
    },
  ];
}

type Fact = Parameters<typeof Facts>[0]["facts"][number];

function useFacts(view: CredentialView, { language, format }: Locale): Fact[] {
  const say = credentialsWords[language];
  const { lastRefusal, previousPasswordUntil, submitsPerSecond } = view;
  const now: Fact[] = submitsPerSecond === null ? [] : [[say.now, format.number(Math.round(submitsPerSecond))]];
  const old: Fact[] =
    previousPasswordUntil === null
      ? []
      : [[say.oldPassword, <Time key="until" at={Date.parse(previousPasswordUntil)} />]];
  return [
    ...now,
    [say.accepted, format.number(view.accepted)],
    [say.refused, format.number(view.refused)],
    [
      say.lastRefusal,
      lastRefusal === null ? (
        say.never
      ) : (
        <>
          <Time at={Date.parse(lastRefusal.at)} /> <Code>{`${lastRefusal.status}: ${lastRefusal.words}`}</Code>
        </>
      ),
    ],
    [say.waiting, <Waiting key="waiting" row={view} />],
    ...old,
  ];
}

function optionFacts(view: CredentialView, locale: Locale): Fact[] {
  const { language, format } = locale;
  const say = credentialsWords[language];
  const { options, account, key, kind, traffic, rate } = view;
  const whose: Fact[] =
    account === null
      ? []
      : [
          [
            say.account,
            <a key="account" href={`/accounts/${account.id}`}>
              <Name>{account.name}</Name>
            </a>,
          ],
        ];
  const smpp: Fact[] =
    options === null
      ? []
      : [
          [say.smpp.binds.label, format.number(options.binds)],
          [say.smpp.window.label, format.number(options.window)],
          [say.smpp.charset.label, <Code key="charset">{options.charset}</Code>],
          [say.smpp.ia5.label, <Code key="ia5">{options.ia5}</Code>],
          [say.smpp.messageIds.label, say.idForms[options.messageIds]],
          [
            say.repeats,
            typeof options.repeats === "number"
              ? `TLV 0x${options.repeats.toString(16)}`
              : repeatsName(options.repeats, say.noRepeats),
          ],
        ];
  return [
    ...whose,
    [say.key, <Code key="key">{key}</Code>],
    [say.kind, kindNames[kind]],
    [say.traffic, say.traffics[traffic]],
    [say.rate, rate === null ? say.rateNone : format.number(rate)],
    ...smpp,
    ...(view.dropIn === null || kind === "intake" ? [] : dropInFacts(view.dropIn, { say, format })),
    ...(view.dropIn === null || kind !== "kannel" ? [] : kannelFacts(view.dropIn, locale)),
  ];
}

function dropInFacts(
  { callbackOrigins, key, keySeconds, keyFreeAfterFailure }: NonNullable<CredentialView["dropIn"]>,
  { say, format }: { say: CredentialsWords; format: Locale["format"] },
): Fact[] {
  return [
    [
      say.callbackOrigins,
      callbackOrigins.length === 0 ? say.originsNone : <Code key="origins">{callbackOrigins.join(" ")}</Code>,
    ],
    [say.requestKey, key === null ? say.keyHeaderOnly : <Code key="rule">{`${key.from} ${key.name}`}</Code>],
    [say.requestKeySeconds, format.number(keySeconds)],
    [say.keyFree, keyFreeAfterFailure ? say.yes : say.no],
  ];
}

const kannelFacts = (dropIn: NonNullable<CredentialView["dropIn"]>, locale: Locale) =>
  declaredFacts(
    kannelCredentialFields,
    { said: credentialsWords[locale.language].kannel, values: { ...dropIn }, inherited: {} },
    locale,
  );

type CredentialsWords = (typeof credentialsWords)[Locale["language"]];

/** No other page shows the password. */
export function IssuedCredentialPage({ shell, issued }: { shell: Shell; issued: { name: string; password: string } }) {
  const { language, words } = useLocale();
  const say = credentialsWords[language];
  return (
    <PageLayout shell={shell} title={issued.name} above={{ title: words.places.credentials, href: "/credentials" }}>
      <section class="card show-once">
        <p class="show-once-title">
          <Icon name="key" />
          {words.secrets.shownOnce}
        </p>
        <CodeBlock code={issued.name} label={say.name} />
        <CodeBlock code={issued.password} label={say.password} />
        <p>
          <a class="button button-primary" href="/credentials">
            {words.secrets.stored}
          </a>
        </p>
      </section>
    </PageLayout>
  );
}
