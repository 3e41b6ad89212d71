/** One webhook: what was posted to it, its answer to each attempt, and its signing secret. */

import { attemptsAtOnceMax, englishWidthReasons } from "../../../domain/attempt-width.ts";
import { publicStatuses } from "../../../domain/message.ts";
import type { DeliveryAnswer, DeliveryAttemptAnswer, WebhookAnswer } from "../../../operator/webhooks.ts";
import { persianWidthReasons } from "../../../words/fa/width-reason.ts";
import { Card, CodeBlock, Empty, Facts, Notice } from "../../components/blocks.tsx";
import { LinkButton, PostButton, SubmitButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { Choice, SelectField } from "../../components/forms.tsx";
import { Address, Breakable, Code, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, wordColumn } from "../../components/records.tsx";
import { Raw } from "../../components/story.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { statusPills } from "../messages/message-state.ts";
import { answerText, webhookState } from "./callbacks.tsx";
import { SecretShownOnce } from "./webhook-form.tsx";
import { callbacksWords } from "./words.ts";

interface Deliveries {
  webhook: WebhookAnswer;
  deliveries: readonly DeliveryAnswer[];
  /** The last event shown, if there are older ones. */
  olderThan: string | null;
}

const states: Readonly<Record<DeliveryAnswer["state"], PillState>> = {
  waiting: "waiting",
  held: "waiting",
  delivered: "delivered",
  failed: "failed",
  stopped: "cancelled",
};

const pathOf = ({ id }: Pick<WebhookAnswer, "id">): string => `/callbacks/${id}`;

export function DeliveriesPage({ webhook, deliveries, olderThan }: Deliveries) {
  const { words, format, say } = useLocale(callbacksWords);
  const path = pathOf(webhook);
  const { host } = new URL(webhook.url);
  const mayChange = useMay("callbacks.change");
  const { switchedOff } = useIsCustomer() ? say.own : say;
  const columns = useColumns(path, mayChange);
  return (
    <PageLayout
      title={host}
      heading={<Breakable text={host} />}
      above={{ title: words.places.callbacks, href: "/callbacks" }}
      beside={<Pill state={webhookState(webhook)} />}
      actions={
        mayChange && webhook.isActive ? (
          <>
            <LinkButton icon="again" href={`${path}/replay`} label={words.actions.sendAgain} />
            <PostButton icon="send" action={`${path}/test`} label={say.test} />
          </>
        ) : null
      }
    >
      <div class="stack">
        {webhook.switchedOffAt === null ? null : (
          <Notice tone="bad">{switchedOff(format.moment(webhook.switchedOffAt))}</Notice>
        )}
        <WebhookCard webhook={webhook} mayChange={mayChange} />
        {useMay("callbacks.secrets") ? <SigningSecret webhook={webhook} /> : null}
        <RecordsCard
          title={say.deliveries}
          columns={columns}
          rows={deliveries}
          keyOf={({ event }) => event}
          older={olderThan === null ? null : `${path}/deliveries?before=${olderThan}`}
        >
          <Empty icon="callback" title={say.nothingYet}>
            {say.nothingYetWords}
          </Empty>
        </RecordsCard>
      </div>
    </PageLayout>
  );
}

function WebhookCard({ webhook, mayChange }: { webhook: WebhookAnswer; mayChange: boolean }) {
  const locale = useLocale(callbacksWords);
  const { words, format, say } = locale;
  return (
    <Card title={say.webhook} actions={mayChange ? <WebhookActions webhook={webhook} /> : null}>
      <Facts
        facts={[
          [words.terms.address, <Address key="url" url={webhook.url} />],
          [say.events, <Code key="events">{[webhook.events].flat().join(", ")}</Code>],
          [words.states.waiting, format.number(webhook.waiting)],
          [say.attemptsAtOnce, attemptsText(webhook, locale)],
        ]}
      />
    </Card>
  );
}

function attemptsText({ attemptsAtOnce: { now, reason, oneUntil } }: WebhookAnswer, { language, format }: Locale) {
  const why = (language === "fa" ? persianWidthReasons : englishWidthReasons)[reason];
  const say = callbacksWords[language];
  if (oneUntil !== null) return say.oneUntil(format.moment(oneUntil), why);
  return say.ofMost(format.number(now), format.number(attemptsAtOnceMax), why);
}

function WebhookActions({ webhook }: { webhook: WebhookAnswer }) {
  const { words, say } = useLocale(callbacksWords);
  const path = pathOf(webhook);
  const [value, label] = webhook.isActive ? ["no", words.actions.switchOff] : ["yes", words.actions.switchOn];
  return (
    <div class="row-actions">
      <LinkButton look="quiet small" href={`${path}/change`} label={say.changeEvents} />
      <PostButton look="quiet small" action={`${path}/switch`} name="active" value={value} label={label} />
      <LinkButton look="quiet small" href={`${path}/remove`} label={words.actions.remove} dialog />
    </div>
  );
}

function useColumns(path: string, mayChange: boolean): readonly Column<DeliveryAnswer>[] {
  const { words, say } = useLocale(callbacksWords);
  const { head } = say;
  return [
    { head: words.terms.time, phone: "title", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: words.terms.state, phone: "aside", cell: ({ state }) => <Pill state={states[state]} /> },
    { head: head.event, phone: "line", cell: (delivery) => <EventOf delivery={delivery} /> },
    wordColumn(head.reports, (delivery) => <Reported delivery={delivery} />),
    { head: head.answers, phone: "line", cell: (delivery) => <Attempts delivery={delivery} /> },
    {
      head: head.again,
      phone: "line",
      buttons: true,
      cell: ({ event, state }) =>
        mayChange && (state === "failed" || state === "delivered") ? (
          <PostButton look="quiet small" action={`${path}/replay`} label={words.actions.sendAgain}>
            <input type="hidden" name="event" value={event} />
          </PostButton>
        ) : null,
    },
  ];
}

function EventOf({ delivery: { kind, subject, recipient } }: { delivery: DeliveryAnswer }) {
  const say = useWords(callbacksWords);
  if (kind !== "message.status") return <Code>{kind}</Code>;
  return <a href={`/messages/${subject}`}>{recipient === null ? say.message : <Phone number={recipient} />}</a>;
}

/** The message's status at the event. */
function Reported({ delivery: { step } }: { delivery: DeliveryAnswer }) {
  const { words } = useLocale();
  const status = publicStatuses.find((one) => one === step);
  return status === undefined ? step : <span title={step}>{words.states[statusPills[status]]}</span>;
}

/** The first bytes of the answer, or the error, with the address that was dialled. */
function Said({ attempt: { excerpt, detail, address } }: { attempt: DeliveryAttemptAnswer }) {
  const said = excerpt === "" ? detail : excerpt;
  return said === "" ? null : <Raw>{address === null ? said : `${address}\n${said}`}</Raw>;
}

function Attempts({ delivery: { attempts, dueAt, state } }: { delivery: DeliveryAnswer }) {
  const locale = useLocale(callbacksWords);
  const { format, say } = locale;
  return (
    <>
      {attempts.length === 0 ? <span class="muted">{state === "held" ? say.behind : say.none}</span> : null}
      {attempts.map((attempt) => (
        <div key={attempt.number} class={attempt.outcome === "delivered" ? undefined : "ink-bad"}>
          {answerText(attempt, locale)}{" "}
          <span class="muted nowrap">
            <Time at={attempt.at} />
          </span>
          <Said attempt={attempt} />
        </div>
      ))}
      {state === "waiting" && attempts.length > 0 && dueAt !== null ? (
        <span class="muted">{say.next(format.moment(dueAt))}</span>
      ) : null}
    </>
  );
}

/** A new secret signs once it is switched to, or after a day: this gives both sides time. */
function SigningSecret({ webhook }: { webhook: WebhookAnswer }) {
  const { format } = useLocale();
  const say = useWords(callbacksWords).secret;
  const { nextSecretFrom } = webhook;
  const [action, label] = nextSecretFrom === null ? ["secret", say.make] : ["secret/switch", say.switchNow];
  return (
    <Card title={say.title}>
      {nextSecretFrom === null ? <p class="muted">{say.hint}</p> : <p>{say.next(format.moment(nextSecretFrom))}</p>}
      <PostButton icon="key" action={`${pathOf(webhook)}/${action}`} label={label} />
    </Card>
  );
}

interface NewSigningSecret {
  /** The webhook's id. */
  id: string;
  signingSecret: string;
  signsFrom: string;
}

export function NewSigningSecretPage({ id, signingSecret, signsFrom }: NewSigningSecret) {
  const { words, format } = useLocale();
  const { secret: say } = useWords(callbacksWords);
  return (
    <PageLayout title={say.title} above={{ title: words.places.callbacks, href: `/callbacks/${id}/deliveries` }}>
      <SecretShownOnce id={id}>
        <CodeBlock code={signingSecret} label={say.title} />
        <p>{say.next(format.moment(signsFrom))}</p>
      </SecretShownOnce>
    </PageLayout>
  );
}

export const replaySpans = ["hour", "day", "week"] as const;
export type ReplaySpan = (typeof replaySpans)[number];

/** Asks what to post again first: a receiver that stored no ids would act twice. */
export function ReplayPage({ id, host }: { id: string; host: string }) {
  const { words } = useLocale();
  const { replayForm: say } = useWords(callbacksWords);
  const back = `/callbacks/${id}/deliveries`;
  return (
    <PageLayout
      title={say.title(host)}
      heading={<Breakable text={say.title(host)} />}
      above={{ title: words.places.callbacks, href: back }}
    >
      <PostForm class="card form" action={`/callbacks/${id}/replay`}>
        <SelectField
          name="span"
          label={say.span}
          value="day"
          options={replaySpans.map((value) => ({ value, label: say.spans[value] }))}
        />
        <Choice name="failed" value="yes" checked label={say.onlyFailed} hint={say.onlyFailedHint} />
        <p class="muted">{say.ids}</p>
        <p class="confirm-buttons">
          <LinkButton href={back} label={words.actions.back} />
          <SubmitButton look="primary" label={words.actions.sendAgain} />
        </p>
      </PostForm>
    </PageLayout>
  );
}
