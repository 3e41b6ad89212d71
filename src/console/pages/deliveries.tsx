/** One webhook: what was posted to it, what it answered at each attempt, and its signing secret. */
import { Card, CodeBlock, Empty, Facts, Notice } from "../components/blocks.tsx";
import { Choice, SelectField } from "../components/forms.tsx";
import { Address, Breakable, Code, Icon, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import { type Column, Pagination, Records } from "../components/records.tsx";
import { Raw } from "../components/story.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { answerText, type CallbackAnswer, type WebhookListItem } from "./callbacks.tsx";

export interface CallbackAttempt {
  at: number;
  isAccepted: boolean;
  answer: CallbackAnswer;
  /** That was dialled. */
  address: string | null;
  /** The first bytes of the answer, or what went wrong. */
  said: string;
}

export interface DeliveryItem {
  event: string;
  kind: string;
  /** Tracking code of a message; null where the event is of something else. */
  subject: string | null;
  /** The public status that it tells; empty for other events. */
  step: string;
  state: "waiting" | "held" | "delivered" | "failed" | "stopped";
  dueAt: number | null;
  createdAt: number;
  attempts: readonly CallbackAttempt[];
}

export interface DeliveriesView {
  webhook: WebhookListItem;
  events: readonly string[] | string;
  switchedOffAt: number | null;
  /** From when the new signing secret signs; null where none was made. */
  nextSecretFrom: number | null;
  deliveries: readonly DeliveryItem[];
  /** The last event shown, where there are older ones. */
  olderThan: string | null;
}

const states: Readonly<Record<DeliveryItem["state"], PillState>> = {
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
  /** What the reader's role may: `change` sends again; `rotate` makes a new signing secret, which signs in the customer's name. */
  may: { change: boolean; rotate: boolean };
}

export function DeliveriesPage({ shell, view, may }: DeliveriesProps) {
  const locale = useLocale();
  const { words, format } = locale;
  const { webhook, deliveries, olderThan } = view;
  const path = pathOf(view);
  const { host } = new URL(webhook.url);
  return (
    <PageLayout
      shell={shell}
      title={host}
      heading={<Breakable text={host} />}
      above={{ title: words.callbacks.title, href: "/callbacks" }}
      beside={<Pill state={webhook.state} />}
      actions={
        may.change && webhook.state !== "off" ? (
          <a class="button" href={`${path}/replay`}>
            <Icon name="again" />
            {words.callbacks.again}
          </a>
        ) : null
      }
    >
      <div class="stack">
        {view.switchedOffAt === null ? null : (
          <Notice tone="bad">{words.callbacks.switchedOff(format.moment(view.switchedOffAt))}</Notice>
        )}
        <Card title={words.callbacks.webhook}>
          <Facts
            facts={[
              [words.callbacks.head.url, <Address key="url" url={webhook.url} />],
              [words.callbacks.events, <Code key="events">{[view.events].flat().join(", ")}</Code>],
              [words.callbacks.head.waiting, format.number(webhook.waiting)],
            ]}
          />
        </Card>
        {may.rotate ? <SigningSecret view={view} /> : null}
        <Card title={words.callbacks.deliveries} flush>
          {deliveries.length === 0 ? (
            <Empty icon="callback" title={words.callbacks.nothingYet}>
              {words.callbacks.nothingYetWords}
            </Empty>
          ) : (
            <>
              <Records
                label={words.callbacks.deliveries}
                columns={columnsOf(locale, path, may.change)}
                rows={deliveries}
                keyOf={({ event }) => event}
              />
              <Pagination
                range={words.callbacks.shown(format.count(deliveries.length))}
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

function columnsOf({ words }: Locale, path: string, mayChange: boolean): readonly Column<DeliveryItem>[] {
  const head = words.callbacks.head;
  return [
    { head: head.created, phone: "title", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={states[state]} /> },
    { head: head.event, phone: "line", cell: (delivery) => <EventOf delivery={delivery} /> },
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
              {words.callbacks.againOne}
            </button>
          </PostForm>
        ) : null,
    },
  ];
}

function EventOf({ delivery: { kind, subject, step } }: { delivery: DeliveryItem }) {
  const { words } = useLocale();
  if (subject === null) return <Code>{kind}</Code>;
  return (
    <a href={`/messages/${subject}`}>
      {words.callbacks.message} <Code>{step}</Code>
    </a>
  );
}

function Attempts({ delivery: { attempts, dueAt, state } }: { delivery: DeliveryItem }) {
  const locale = useLocale();
  const { words, format } = locale;
  return (
    <>
      {attempts.length === 0 ? (
        <span class="muted">{state === "held" ? words.callbacks.behind : words.callbacks.none}</span>
      ) : null}
      {attempts.map(({ at, isAccepted, answer, address, said }) => (
        <div key={at} class={isAccepted ? undefined : "ink-bad"}>
          {answerText(answer, locale)}{" "}
          <span class="muted nowrap">
            <Time at={at} />
          </span>
          {said === "" ? null : <Raw>{address === null ? said : `${address}\n${said}`}</Raw>}
        </div>
      ))}
      {state === "waiting" && attempts.length > 0 && dueAt !== null ? (
        <span class="muted">{words.callbacks.next(format.moment(dueAt))}</span>
      ) : null}
    </>
  );
}

/** A new one signs from when it is switched to, or after a day: both sides have time. */
function SigningSecret({ view }: { view: DeliveriesView }) {
  const { words, format } = useLocale();
  const say = words.callbacks.secret;
  const path = pathOf(view);
  return (
    <Card title={say.title}>
      {view.nextSecretFrom === null ? (
        <p class="muted">{say.hint}</p>
      ) : (
        <p>{say.next(format.moment(view.nextSecretFrom))}</p>
      )}
      <PostForm action={`${path}/${view.nextSecretFrom === null ? "secret" : "secret/switch"}`}>
        <button type="submit" class="button">
          <Icon name="key" />
          {view.nextSecretFrom === null ? say.make : say.switchNow}
        </button>
      </PostForm>
    </Card>
  );
}

export function NewSigningSecretPage({ shell, view }: { shell: Shell; view: NewSigningSecret }) {
  const { words, format } = useLocale();
  const say = words.callbacks.secret;
  const back = `/callbacks/${view.id}/deliveries`;
  return (
    <PageLayout shell={shell} title={say.title} above={{ title: words.callbacks.title, href: back }}>
      <section class="card show-once">
        <p class="show-once-title">
          <Icon name="key" />
          {say.shownOnce}
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
  signsFrom: number;
}

export const replaySpans = ["hour", "day", "week"] as const;
export type ReplaySpan = (typeof replaySpans)[number];

export interface ReplayView {
  id: string;
  host: string;
}

/** Asks what to post again before it does: a receiver that kept no ids would act twice. */
export function ReplayPage({ shell, view }: { shell: Shell; view: ReplayView }) {
  const { words } = useLocale();
  const say = words.callbacks.replayForm;
  const back = `/callbacks/${view.id}/deliveries`;
  return (
    <PageLayout
      shell={shell}
      title={say.title(view.host)}
      heading={<Breakable text={say.title(view.host)} />}
      above={{ title: words.callbacks.title, href: back }}
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
            {words.callbacks.again}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}
