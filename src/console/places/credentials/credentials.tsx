/** Credentials: who connects by SMPP and by other protocols, from where, how fast, and what waits for them. */

import { type CredentialKind, defaultSmppOptions } from "../../../domain/credential.ts";
import { defaultDropInOptions } from "../../../domain/drop-in-credential.ts";
import {
  credentialFields,
  kannelCredentialFields,
  smppCredentialFields,
  smtpCredentialFields,
} from "../../../fields/credential.ts";
import type { Field } from "../../../fields/field.ts";
import type { CredentialLimitsAnswer } from "../../../operator/answers.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import type { CredentialAnswer, IssuedCredentialAnswer } from "../../../operator/credentials.ts";
import { Card, CodeBlock, type Fact, Facts, ShowOnce } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { isDrawn } from "../../components/chart-data.ts";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { declaredFacts, Limit, SettingFacts } from "../../components/declared-fields.tsx";
import { AccountLink, Code, Name, Slug, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Column, RowLink, wordColumn } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { Uptime } from "../routes/route-uptime.tsx";
import {
  BoundNow,
  type CredentialTraffic,
  LastRefusals,
  TrafficChart,
  TrafficFigures,
  trafficChart,
} from "./credential-traffic.tsx";
import { credentialsWords } from "./words.ts";

/** `owner`: the account's name; null for a customer, who has one. */
type CredentialView = CredentialAnswer & { owner: string | null };

/** Names of third-party protocols and products: the same in every language. */
export const kindNames = {
  smpp: "SMPP",
  kannel: "Kannel",
  jasmin: "Jasmin",
  intake: "Intake",
  smtp: "SMTP",
} satisfies Record<CredentialKind, string>;

function State({ status }: Pick<CredentialAnswer, "status">) {
  return <Pill state={status === "active" || status === "revoked" ? status : "keyEnded"} />;
}

export function CredentialsPage({ list }: { list: ListPart<CredentialView> }) {
  const { words, say } = useLocale(credentialsWords);
  const command = "peyk credential create --key key_1 --kind smpp --traffic bulk";
  return (
    <CollectionPage
      title={words.places.credentials}
      lead={say.lead}
      create={useMay("keys.change") ? { href: "/credentials/new", label: say.create } : null}
      empty={{ icon: "link", title: say.emptyTitle, words: say.empty, command }}
      columns={useColumns()}
      list={list}
      keyOf={({ id }) => id}
    />
  );
}

function NowrapCode({ children }: { children: string }) {
  return (
    <span class="nowrap">
      <Code>{children}</Code>
    </span>
  );
}

function useColumns(): readonly Column<CredentialView>[] {
  const { words, format, say } = useLocale(credentialsWords);
  const account: Column<CredentialView> = {
    head: words.terms.account,
    phone: "line",
    cell: ({ owner }) => (owner === null ? null : <Name>{owner}</Name>),
  };
  const nameOf = ({ id, name }: CredentialView) => (
    <RowLink href={`/credentials/${id}`}>
      <span class="nowrap">
        <Slug>{name}</Slug>
      </span>
    </RowLink>
  );
  const boundOf = ({ binds, options }: CredentialView) =>
    options === null ? "–" : say.boundOf(format.number(binds.length), format.number(options.binds));
  const refusalOf = ({ lastRefusal }: CredentialView) =>
    lastRefusal === null ? null : <NowrapCode>{lastRefusal.status.replace(/^ESME_/, "")}</NowrapCode>;
  return [
    { head: words.terms.name, phone: "title", cell: nameOf },
    { head: words.terms.state, phone: "aside", cell: ({ status }) => <State status={status} /> },
    { head: say.kind, phone: "word", cell: ({ kind }) => kindNames[kind] },
    ...(useIsCustomer() ? [] : [account]),
    wordColumn(say.bound, boundOf),
    { head: say.waiting, phone: "line", named: true, cell: (row) => <Waiting row={row} /> },
    { head: say.lastRefusal, phone: "line", named: true, cell: refusalOf },
  ];
}

function Waiting({ row: { waiting, waitingMore, oldestWaitingAt } }: { row: CredentialAnswer }) {
  const { format, say } = useLocale(credentialsWords);
  if (oldestWaitingAt === null) return null;
  return (
    <>
      {format.number(waiting)}
      {waitingMore ? "+" : ""} · {say.oldest} <Time at={Date.parse(oldestWaitingAt)} />
    </>
  );
}

const dayMs = 86_400_000;

type ShownCredential = CredentialView & { limits: CredentialLimitsAnswer } & CredentialTraffic &
  Pick<AnswerOf<"GET /credentials/:id">, "bound">;

export function CredentialPage(credential: ShownCredential) {
  const locale = useLocale(credentialsWords);
  const { words, say } = locale;
  const { id, name, status, kind, owner, account, binds, bound, refusals } = credential;
  const mayChange = useMay("keys.change") && status !== "revoked";
  return (
    <PageLayout
      title={name}
      heading={<Slug>{name}</Slug>}
      beside={<State status={status} />}
      above={{ title: words.places.credentials, href: "/credentials" }}
      lead={
        <>
          {kindNames[kind]}
          {owner === null ? null : (
            <>
              {" · "}
              <AccountLink id={account} name={owner} />
            </>
          )}
        </>
      }
      hasChart={isDrawn(trafficChart(credential, locale))}
      actions={mayChange ? <Actions id={id} /> : null}
    >
      <div class="stack">
        <TrafficFigures {...credential} />
        <TrafficChart {...credential} />
        <LastRefusals {...{ id, account, refusals, mayChange }} />
        {kind === "smpp" || credential.mail !== null ? (
          <div class="columns">
            <Settings {...credential} mayChange={mayChange} />
            <div class="stack">
              {kind === "smpp" ? <BoundNow binds={binds} /> : null}
              {bound === null ? null : <Uptime title={say.binds24} {...bound} shownMs={dayMs} />}
              <MailUse {...credential} />
            </div>
          </div>
        ) : (
          <Settings {...credential} mayChange={mayChange} />
        )}
      </div>
    </PageLayout>
  );
}

/** What its device is told. */
function MailUse({ mail, name }: Pick<CredentialAnswer, "mail" | "name">) {
  const { words, say } = useLocale(credentialsWords);
  if (mail === null) return null;
  const facts: Fact[] = [
    [say.mailTo, <Code key="to">{mail.to}</Code>],
    [say.mailPort, <Code key="port">{mail.ports.join(" ")}</Code>],
    [words.terms.name, <Slug key="name">{name}</Slug>],
  ];
  return (
    <Card title={say.mailUse}>
      <Facts facts={facts} />
      <p>
        <LinkButton href="/help/smtp" label={say.mailHelp} />
      </p>
    </Card>
  );
}

function Actions({ id }: { id: string }) {
  const { words, say } = useLocale(credentialsWords);
  return (
    <>
      <LinkButton href={`/credentials/${id}/rotate`} label={say.rotate} dialog />
      <LinkButton href={`/credentials/${id}/revoke`} label={words.actions.revoke} dialog />
    </>
  );
}

function Settings({ mayChange, ...credential }: ShownCredential & { mayChange: boolean }) {
  const { id, name, kind, status } = credential;
  const { words, say } = useLocale(credentialsWords);
  const { own = [], usual = [] } = Object.groupBy(useSettings(credential), ([state]) => state);
  const change = <LinkButton look="quiet small" href={`/credentials/${id}/change`} label={words.forms.change} />;
  return (
    <Card title={say.settings} actions={mayChange ? change : null}>
      <SettingFacts own={own.map(factOf)} usual={usual.map(factOf)} />
      {kind === "intake" && status !== "revoked" ? (
        <p>
          <LinkButton href={`/intakes/${name}`} label={say.intake} />
        </p>
      ) : null}
    </Card>
  );
}

/** As a new credential has it, or its own. */
type Setting = [state: "own" | "usual", ...Fact];
const stateOf = (isUsual: boolean) => (isUsual ? "usual" : "own");
const factOf = ([, name, value]: Setting): Fact => [name, value];

function useSettings(credential: ShownCredential): Setting[] {
  const { key, kind, traffic, rate, options, dropIn, limits, previousPasswordUntil } = credential;
  const locale = useLocale(credentialsWords);
  const { words, format, say } = locale;
  const kannel = { said: say.kannel, values: { ...dropIn }, inherited: {} };
  const mail = { ...kannel, said: say.mail };
  const until = previousPasswordUntil === null ? null : <Time at={Date.parse(previousPasswordUntil)} />;
  const rateText = rate === null ? say.rateNone : format.number(rate);
  const own: Fact[] = [
    ...(until === null ? [] : [[say.oldPassword, until] as const]),
    [words.terms.key, <Code key="key">{key}</Code>],
    [say.traffic, say.traffics[traffic]],
    ...(dropIn === null || kind !== "kannel" ? [] : declaredFacts(kannelCredentialFields, kannel, locale)),
    ...(kind === "smtp" ? declaredFacts(smtpCredentialFields, mail, locale) : []),
  ];
  return [
    ...own.map(([name, value]): Setting => ["own", name, value]),
    [stateOf(rate === null), say.shared.rate.label, withLimit(credentialFields.rate, rateText, limits.rate)],
    ...useSmppOptions(options, limits),
    ...useDropInOptions(kind === "intake" || kind === "smtp" ? null : dropIn),
  ];
}

/** A value, and who limits it if somebody does. */
const withLimit = (field: Field, value: string, limit: number | null) =>
  limit === null ? (
    value
  ) : (
    <>
      {value}{" "}
      <span class="muted">
        · <Limit {...{ field, limit }} beside={value} />
      </span>
    </>
  );

function useSmppOptions(options: CredentialAnswer["options"], limits: CredentialLimitsAnswer): Setting[] {
  const { format, say } = useLocale(credentialsWords);
  if (options === null) return [];
  const { binds, window, charset, ia5, messageIds, repeats } = options;
  const named = { off: say.noRepeats, reference: "user_message_reference" };
  const shown = [
    ["binds", withLimit(smppCredentialFields.binds, format.number(binds), limits.binds)],
    ["window", withLimit(smppCredentialFields.window, format.number(window), limits.window)],
    ["charset", <Code key="charset">{charset}</Code>],
    ["ia5", <Code key="ia5">{ia5}</Code>],
    ["messageIds", say.idForms[messageIds]],
    ["repeats", typeof repeats === "number" ? `TLV 0x${repeats.toString(16)}` : named[repeats]],
  ] as const;
  return shown.map(([name, value]) => [
    stateOf(options[name] === defaultSmppOptions[name]),
    say.smpp[name].label,
    value,
  ]);
}

function useDropInOptions(dropIn: CredentialAnswer["dropIn"]): Setting[] {
  const { format, say } = useLocale(credentialsWords);
  if (dropIn === null) return [];
  const { callbackOrigins, key, keySeconds, keyFreeAfterFailure } = dropIn;
  const { callbackOrigins: origins, requestKey, requestKeySeconds: seconds, ...said } = say.dropIn;
  const hasNone = callbackOrigins.length === 0;
  const place = key === null ? say.keyHeaderOnly : <Code>{`${key.from} ${key.name}`}</Code>;
  const free = keyFreeAfterFailure ? say.yes : say.no;
  return [
    [stateOf(hasNone), origins.label, hasNone ? say.originsNone : <Code>{callbackOrigins.join(" ")}</Code>],
    [stateOf(key === null), requestKey.label, place],
    [stateOf(keySeconds === defaultDropInOptions.keySeconds), seconds.label, format.number(keySeconds)],
    [stateOf(!keyFreeAfterFailure), said.requestKeyFreeAfterFailure.label, free],
  ];
}

/** No other page shows the password. */
export function IssuedCredentialPage(issued: IssuedCredentialAnswer) {
  const { name, password, kind } = issued;
  const { words } = useLocale();
  return (
    <PageLayout title={name} above={{ title: words.places.credentials, href: "/credentials" }}>
      <ShowOnce done={kind === "intake" ? `/intakes/${name}` : "/credentials"}>
        <CodeBlock code={name} label={words.terms.name} />
        <CodeBlock code={password} label={words.terms.password} />
        <MailUse {...issued} />
      </ShowOnce>
    </PageLayout>
  );
}
