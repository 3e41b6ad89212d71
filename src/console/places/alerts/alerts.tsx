/** What is wrong right now, who is notified of it, the outcome of the latest notices, and what is watched. */
import { isConditionCode } from "../../../conditions/conditions.ts";
import type { AlertChannelName } from "../../../domain/alert-channel.ts";
import type { NoticeFailure } from "../../../domain/notice-failure.ts";
import type { AlertAnswer, NoticeAnswer, ReceiverAnswer } from "../../../operator/alerts.ts";
import { Card, Notice } from "../../components/blocks.tsx";
import { Icon, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { EnglishSentence } from "../../components/sentence.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { alertSentence, alertTodo, noticeFailureSentence, noticeSentence } from "./alert.ts";
import { conditionHelpHref } from "./condition-help.ts";
import { type ShownSilence, SilenceCell } from "./conditions.tsx";
import { receiverHref } from "./receiver-form.tsx";
import { severityTones } from "./severity.ts";
import { alertsWords } from "./words.ts";

export interface AlertsView {
  /** Those in use. */
  channels: readonly AlertChannelName[];
  receivers: readonly Pick<ReceiverAnswer, "channel" | "from" | "isInFile">[];
  alerts: readonly (AlertAnswer & { silencedUntil: string | null })[];
  silences: readonly ShownSilence[];
  /** Newest first. */
  notices: readonly NoticeAnswer[];
}

interface AlertsProps {
  shell: Shell;
  view: AlertsView;
  /** In full; null for who may not see them. */
  receivers: readonly ReceiverAnswer[] | null;
  may: { change: boolean; silence: boolean };
}

export function AlertsPage({ shell, view, receivers, may }: AlertsProps) {
  const locale = useLocale();
  const { language, words, format } = locale;
  const say = alertsWords[language];
  const { alerts, notices } = view;
  return (
    <PageLayout shell={shell} title={words.places.alerts} lead={say.lead}>
      <SystemTabs role={shell.role} current="/alerts" />
      <div class="stack">
        {alerts.length === 0 ? (
          <section class="well">
            <Icon name="ok" />
            <div>
              <h2>{say.none}</h2>
              <p class="muted">{say.noneLead}</p>
            </div>
          </section>
        ) : (
          <Card title={say.standing} flush>
            <Records
              label={say.standing}
              columns={alertColumns(locale, may.silence)}
              rows={alerts}
              keyOf={({ condition, subject }) => `${condition} ${subject}`}
            />
          </Card>
        )}
        <Receivers view={view} receivers={receivers} may={may.change} />
        {notices.length === 0 ? null : (
          <Card title={say.notices} flush>
            <Records
              label={say.notices}
              columns={noticeColumns(locale)}
              rows={notices}
              keyOf={({ at, channel, title }) => `${at} ${channel} ${title}`}
            />
          </Card>
        )}
        <p>
          <a href="/alerts/conditions">{say.seeConditions}</a>
          {view.silences.length === 0 ? null : (
            <span class="muted"> {say.silencesNow(format.count(view.silences.length))}</span>
          )}
        </p>
      </div>
    </PageLayout>
  );
}

interface ReceiversProps {
  view: AlertsView;
  receivers: readonly ReceiverAnswer[] | null;
  may: boolean;
}

function Receivers({ view: { channels, receivers: states }, receivers, may }: ReceiversProps) {
  const locale = useLocale();
  const say = alertsWords[locale.language];
  const columns: readonly Column<(typeof states)[number]>[] = [
    { head: say.by, phone: "title", cell: ({ channel }) => say.channel[channel] },
    {
      head: say.receiver,
      phone: "line",
      fills: true,
      cell: ({ channel, from }) => (
        <>
          <ReceiverText of={receivers?.find((one) => one.channel === channel) ?? null} />
          <span class="muted"> {say.setIn[from ?? "none"]}</span>
        </>
      ),
    },
    {
      head: say.actions,
      phone: "line",
      buttons: true,
      cell: ({ channel, from }) => (
        <>
          {channels.includes(channel) ? (
            <PostForm class="inline-form" action="/alerts/test">
              <input type="hidden" name="channel" value={channel} />
              <button type="submit" class="button button-quiet button-small">
                <Icon name="send" />
                {say.test}
              </button>
            </PostForm>
          ) : null}
          {may ? (
            <a class="button button-quiet button-small" href={receiverHref(channel)}>
              {from === null ? say.set : say.change}
            </a>
          ) : null}
        </>
      ),
    },
  ];
  return (
    <Card title={say.channels} flush>
      {channels.length === 0 ? <p class="card-words muted">{say.noChannels}</p> : null}
      <Records label={say.channels} columns={columns} rows={states} keyOf={({ channel }) => channel} />
      <p class="card-words muted card-note">{say.consoleWins("[alerts]", "peyk.toml")}</p>
    </Card>
  );
}

function ReceiverText({ of }: { of: ReceiverAnswer | null }) {
  const { format } = useLocale();
  const receiver = of?.receiver ?? null;
  if (receiver === null) return null;
  switch (receiver.channel) {
    case "webhook":
      return <bdi dir="ltr">{new URL(receiver.values.url).host}</bdi>;
    case "mail":
      return <bdi dir="ltr">{receiver.values.to.join(", ")}</bdi>;
    case "sms":
      return <bdi dir="ltr">{format.list(receiver.values.to)}</bdi>;
  }
}

function alertColumns(locale: Locale, maySilence: boolean): readonly Column<AlertsView["alerts"][number]>[] {
  const { language } = locale;
  const say = alertsWords[language];
  return [
    { head: say.what, phone: "title", cell: (alert) => alertSentence(alert, locale) },
    {
      head: say.severity,
      phone: "aside",
      cell: ({ severity }) => <TonePill tone={severityTones[severity]}>{say.severities[severity]}</TonePill>,
    },
    {
      head: say.todo,
      phone: "line",
      cell: (alert) => (
        <>
          {alertTodo(alert, locale)}{" "}
          {isConditionCode(alert.condition) ? (
            <a href={conditionHelpHref(alert.condition, language)}>{say.help}</a>
          ) : null}
        </>
      ),
    },
    {
      head: say.state,
      phone: "word",
      cell: ({ state, silencedUntil }) => (silencedUntil === null ? say.states[state] : say.silenced),
    },
    { head: say.since, phone: "word", cell: ({ since }) => <Time at={Date.parse(since)} /> },
    {
      head: say.silence,
      phone: "line",
      buttons: true,
      cell: ({ condition, subject, silencedUntil }) => (
        <SilenceCell of={{ condition, subject }} until={silencedUntil} may={maySilence} />
      ),
    },
  ];
}

function noticeColumns(locale: Locale): readonly Column<NoticeAnswer>[] {
  const say = alertsWords[locale.language];
  return [
    { head: say.at, phone: "word", cell: ({ at }) => <Time at={Date.parse(at)} /> },
    { head: say.notice, phone: "title", cell: (notice) => noticeSentence(notice, locale) },
    { head: say.by, phone: "word", cell: ({ channel }) => say.channel[channel] },
    { head: say.outcome, phone: "line", cell: (notice) => <Outcome notice={notice} /> },
  ];
}

function Outcome({ notice: { nextAt, failure, failureReason } }: { notice: NoticeAnswer }) {
  const say = alertsWords[useLocale().language].outcomes;
  const outcome = nextAt !== null ? say.waiting : failure === null ? say.arrived : say.failed;
  return (
    <>
      {outcome}
      {failure === null ? null : (
        <>
          {": "}
          <Failure told={failure} reason={failureReason} />
        </>
      )}
    </>
  );
}

/** `reason`: null for an entry by an older version, which stored only text. */
function Failure({ told, reason }: { told: string; reason: NoticeFailure | null }) {
  const locale = useLocale();
  if (locale.language === "en" || reason === null) return <EnglishSentence>{told}</EnglishSentence>;
  return <span hx-ignore="">{noticeFailureSentence(reason, locale)}</span>;
}

export interface TestedChannel {
  channel: AlertChannelName;
  /** Null if the test arrived. */
  failure: string | null;
  failureReason: NoticeFailure | null;
}

export function TestedNotice({ results }: { results: readonly TestedChannel[] }) {
  const { language } = useLocale();
  const say = alertsWords[language];
  const hasFailed = results.some(({ failure }) => failure !== null);
  return (
    <Notice tone={hasFailed ? "bad" : "ok"}>
      {results.map(({ channel, failure, failureReason }) => (
        <p key={channel}>
          {failure === null ? say.arrived(say.channel[channel]) : say.testFailed(say.channel[channel])}{" "}
          {failure === null ? null : <Failure told={failure} reason={failureReason} />}
        </p>
      ))}
    </Notice>
  );
}
