/** What is wrong right now, who is notified of it, and the outcome of the latest notices. */
import type { AlertChannelName } from "../../../domain/alert-channel.ts";
import type { NoticeFailure } from "../../../domain/notice-failure.ts";
import type { AlertAnswer, NoticeAnswer } from "../../../operator/alerts.ts";
import { Card, Notice } from "../../components/blocks.tsx";
import { Code, Icon, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { type Tone, TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { EnglishSentence } from "../../components/sentence.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { document, page, redirect } from "../../page/page.ts";
import { alertSentence, alertTodo, noticeFailureSentence, noticeSentence } from "./alert.ts";
import { alertsWords } from "./words.ts";

export interface AlertsView {
  /** The ones named in the settings. */
  channels: readonly AlertChannelName[];
  alerts: readonly AlertAnswer[];
  /** Newest first. */
  notices: readonly NoticeAnswer[];
}

export function AlertsPage({ shell, view }: { shell: Shell; view: AlertsView }) {
  const locale = useLocale();
  const { language, format, words } = locale;
  const say = alertsWords[language];
  const { channels, alerts, notices } = view;
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
              columns={alertColumns(locale)}
              rows={alerts}
              keyOf={({ condition, subject }) => `${condition} ${subject}`}
            />
          </Card>
        )}
        <Card title={say.channels}>
          {channels.length === 0 ? (
            <p class="muted">
              {say.noChannels} <Code>[alerts]</Code>
            </p>
          ) : (
            <>
              <p>{format.list(channels.map((channel) => say.channel[channel]))}</p>
              <PostForm action="/alerts/test">
                <button type="submit" class="button">
                  <Icon name="send" />
                  {say.test}
                </button>
              </PostForm>
            </>
          )}
        </Card>
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
      </div>
    </PageLayout>
  );
}

const severityTones: Readonly<Record<AlertAnswer["severity"], Tone>> = { page: "bad", ticket: "warn" };

function alertColumns(locale: Locale): readonly Column<AlertAnswer>[] {
  const say = alertsWords[locale.language];
  return [
    { head: say.what, phone: "title", cell: (alert) => alertSentence(alert, locale) },
    {
      head: say.severity,
      phone: "aside",
      cell: ({ severity }) => <TonePill tone={severityTones[severity]}>{say.severities[severity]}</TonePill>,
    },
    { head: say.todo, phone: "line", cell: (alert) => alertTodo(alert, locale) },
    { head: say.state, phone: "word", cell: ({ state }) => say.states[state] },
    { head: say.since, phone: "word", cell: ({ since }) => <Time at={Date.parse(since)} /> },
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

export const alertsPages = [
  page({
    method: "GET",
    path: "/alerts",
    action: "system.read",
    answer: async ({ api, shell }) => document(<AlertsPage shell={shell("system")} view={await api("GET /alerts")} />),
  }),
  page({
    method: "POST",
    path: "/alerts/test",
    action: "system.run",
    answer: async ({ api }) => {
      const { results } = await api("POST /alerts/test");
      return redirect("/alerts", <TestedNotice results={results} />);
    },
  }),
];
