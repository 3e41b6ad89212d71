/** One webhook: what was posted to it, its answer to each attempt, and its signing secret. */
import { attemptsAtOnceMax } from "../../../domain/attempt-width.ts";
import { publicStatuses } from "../../../domain/message.ts";
import type { DeliveryAnswer, DeliveryAttemptAnswer, WebhookAnswer } from "../../../operator/webhooks.ts";
import { englishWidthReasons } from "../../../words/en/width-reason.ts";
import { persianWidthReasons } from "../../../words/fa/width-reason.ts";
import { Card, CodeBlock, Empty, Facts, Notice } from "../../components/blocks.tsx";
import { Choice, SelectField } from "../../components/forms.tsx";
import { Address, Breakable, Code, Icon, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Pagination, Records } from "../../components/records.tsx";
import { Raw } from "../../components/story.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { statusPills } from "../messages/message-state.ts";
import { answerText, webhookState } from "./callbacks.tsx";
import { callbacksWords } from "./words.ts";

export interface DeliveriesView {
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

const pathOf = ({ webhook }: Pick<DeliveriesView, "webhook">): string => `/callbacks/${webhook.id}`;

interface DeliveriesProps {
  shell: Shell;
  view: DeliveriesView;
  /**
   * What the reader's role permits: `change` replays events; `rotate` makes a new signing secret, which signs on the
   * customer's behalf.
   */
  may: { change: boolean; rotate: boolean };
  /** For a customer, whose webhook it is. */
  isOwn: boolean;
}

export function DeliveriesPage({ shell, view, may, isOwn }: DeliveriesProps) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = callbacksWords[language];
  const { webhook, deliveries, olderThan } = view;
  const path = pathOf(view);
  const { host } = new URL(webhook.url);
  return (
    <PageLayout
      shell={shell}
      title={host}
      heading={<Breakable text={host} />}
      above={{ title: say.title, href: "/callbacks" }}
      beside={<Pill state={webhookState(webhook)} />}
      actions={
        may.change && webhook.isActive ? (
          <>
            <a class="button" href={`${path}/replay`}>
              <Icon name="again" />
              {say.again}
            </a>
            <PostForm action={`${path}/test`}>
              <button type="submit" class="button">
                <Icon name="send" />
                {say.test}
              </button>
            </PostForm>
          </>
        ) : null
      }
    >
      <div class="stack">
        {webhook.switchedOffAt === null ? null : (
          <Notice tone="bad">{(isOwn ? say.own : say).switchedOff(format.moment(webhook.switchedOffAt))}</Notice>
        )}
        <WebhookCard webhook={webhook} mayChange={may.change} />
        {may.rotate ? <SigningSecret webhook={webhook} /> : null}
        <Card title={say.deliveries} flush>
          {deliveries.length === 0 ? (
            <Empty icon="callback" title={say.nothingYet}>
              {say.nothingYetWords}
            </Empty>
          ) : (
            <>
              <Records
                label={say.deliveries}
                columns={columnsOf(locale, path, may.change)}
                rows={deliveries}
                keyOf={({ event }) => event}
              />
              <Pagination
                range={say.shown(format.count(deliveries.length))}
                newer={null}
                older={olderThan === null ? null : `${path}/deliveries?before=${olderThan}`}
              />
            </>
          )}
        </Card>
      </div>
    </PageLayout>
  );
}

function WebhookCard({ webhook, mayChange }: { webhook: WebhookAnswer; mayChange: boolean }) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = callbacksWords[language];
  return (
    <Card title={say.webhook} actions={mayChange ? <WebhookActions webhook={webhook} /> : null}>
      <Facts
        facts={[
          [say.head.url, <Address key="url" url={webhook.url} />],
          [say.events, <Code key="events">{[webhook.events].flat().join(", ")}</Code>],
          [say.head.waiting, format.number(webhook.waiting)],
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
  const { language } = useLocale();
  const say = callbacksWords[language];
  const path = pathOf({ webhook });
  return (
    <div class="row-actions">
      <a class="button button-quiet button-small" href={`${path}/change`}>
        {say.changeEvents}
      </a>
      <PostForm action={`${path}/switch`}>
        <button
          type="submit"
          class="button button-quiet button-small"
          name="active"
          value={webhook.isActive ? "no" : "yes"}
        >
          {webhook.isActive ? say.off : say.on}
        </button>
      </PostForm>
      <a class="button button-quiet button-small" href={`${path}/remove`} data-dialog="">
        {say.remove.button}
      </a>
    </div>
  );
}

function columnsOf({ language }: Locale, path: string, mayChange: boolean): readonly Column<DeliveryAnswer>[] {
  const say = callbacksWords[language];
  const head = say.head;
  return [
    { head: head.created, phone: "title", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={states[state]} /> },
    { head: head.event, phone: "line", cell: (delivery) => <EventOf delivery={delivery} /> },
    { head: head.reports, phone: "word", named: true, cell: (delivery) => <Reported delivery={delivery} /> },
    { head: head.answers, phone: "line", cell: (delivery) => <Attempts delivery={delivery} /> },
    {
      head: head.again,
      phone: "line",
      buttons: true,
      cell: ({ event, state }) =>
        mayChange && (state === "failed" || state === "delivered") ? (
          <PostForm action={`${path}/replay`}>
            <input type="hidden" name="event" value={event} />
            <button type="submit" class="button button-quiet button-small">
              {say.againOne}
            </button>
          </PostForm>
        ) : null,
    },
  ];
}

function EventOf({ delivery: { kind, subject, recipient } }: { delivery: DeliveryAnswer }) {
  const { language } = useLocale();
  if (kind !== "message.status") return <Code>{kind}</Code>;
  return (
    <a href={`/messages/${subject}`}>
      {recipient === null ? callbacksWords[language].message : <Phone number={recipient} />}
    </a>
  );
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
  const locale = useLocale();
  const { language, format } = locale;
  const say = callbacksWords[language];
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
  const { language, format } = useLocale();
  const say = callbacksWords[language].secret;
  const path = pathOf({ webhook });
  return (
    <Card title={say.title}>
      {webhook.nextSecretFrom === null ? (
        <p class="muted">{say.hint}</p>
      ) : (
        <p>{say.next(format.moment(webhook.nextSecretFrom))}</p>
      )}
      <PostForm action={`${path}/${webhook.nextSecretFrom === null ? "secret" : "secret/switch"}`}>
        <button type="submit" class="button">
          <Icon name="key" />
          {webhook.nextSecretFrom === null ? say.make : say.switchNow}
        </button>
      </PostForm>
    </Card>
  );
}

export function NewSigningSecretPage({ shell, view }: { shell: Shell; view: NewSigningSecret }) {
  const { language, words, format } = useLocale();
  const say = callbacksWords[language].secret;
  const back = `/callbacks/${view.id}/deliveries`;
  return (
    <PageLayout shell={shell} title={say.title} above={{ title: callbacksWords[language].title, href: back }}>
      <section class="card show-once">
        <p class="show-once-title">
          <Icon name="key" />
          {shell.role === "customer" ? callbacksWords[language].own.secretShownOnce : say.shownOnce}
        </p>
        <CodeBlock code={view.secret} label={say.title} />
        <p>{say.next(format.moment(view.signsFrom))}</p>
        <p>
          <a class="button button-primary" href={back}>
            {words.secrets.stored}
          </a>
        </p>
      </section>
    </PageLayout>
  );
}

export interface NewSigningSecret {
  id: string;
  secret: string;
  signsFrom: string;
}

export const replaySpans = ["hour", "day", "week"] as const;
export type ReplaySpan = (typeof replaySpans)[number];

export interface ReplayView {
  id: string;
  host: string;
}

/** Asks what to post again first: a receiver that stored no ids would act twice. */
export function ReplayPage({ shell, view }: { shell: Shell; view: ReplayView }) {
  const { language, words } = useLocale();
  const say = callbacksWords[language].replayForm;
  const back = `/callbacks/${view.id}/deliveries`;
  return (
    <PageLayout
      shell={shell}
      title={say.title(view.host)}
      heading={<Breakable text={say.title(view.host)} />}
      above={{ title: callbacksWords[language].title, href: back }}
    >
      <PostForm class="card form" action={`/callbacks/${view.id}/replay`}>
        <SelectField
          name="span"
          label={say.span}
          value="day"
          options={replaySpans.map((value) => ({ value, label: say.spans[value] }))}
        />
        <Choice name="failed" value="yes" checked label={say.onlyFailed} hint={say.onlyFailedHint} />
        <p class="muted">{say.ids}</p>
        <p class="confirm-buttons">
          <a class="button" href={back}>
            {words.actions.back}
          </a>
          <button type="submit" class="button button-primary">
            {callbacksWords[language].again}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}
