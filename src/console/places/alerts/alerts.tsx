/** What is wrong right now, who is notified of it, the outcome of the latest notices, and what is watched. */

import { isConditionCode } from "../../../conditions/conditions.ts";
import type { NoticeFailure } from "../../../domain/notice-failure.ts";
import type { NoticeAnswer, ReceiverAnswer } from "../../../operator/alerts.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, Notice } from "../../components/blocks.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { Icon, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { EnglishSentence } from "../../components/sentence.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { alertSentence, alertTodo, noticeFailureSentence, noticeSentence } from "./alert.ts";
import { conditionHelpHref } from "./condition-help.ts";
import { SeverityPill, SilenceCell } from "./conditions.tsx";
import { receiverHref } from "./receiver-form.tsx";
import { alertsWords } from "./words.ts";

interface AlertsView extends Omit<AnswerOf<"GET /alerts">, "receivers"> {
  states: AnswerOf<"GET /alerts">["receivers"];
  /** In full; null for who may not see them. */
  receivers: readonly ReceiverAnswer[] | null;
}

type ListedAlert = AlertsView["alerts"][number];

export function AlertsPage({ alerts, notices, silences, ...notified }: AlertsView) {
  const { words, format, say } = useLocale(alertsWords);
  const [alertColumns, noticeColumns] = [useAlertColumns(), useNoticeColumns()];
  return (
    <PageLayout title={words.places.alerts} lead={say.lead}>
      <SystemTabs current="/alerts" />
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
          <RecordsCard
            title={say.standing}
            columns={alertColumns}
            rows={alerts}
            keyOf={({ condition, subject }) => `${condition} ${subject}`}
          />
        )}
        <Receivers {...notified} />
        {notices.length === 0 ? null : (
          <RecordsCard
            title={say.notices}
            columns={noticeColumns}
            rows={notices}
            keyOf={({ at, channel, title }) => `${at} ${channel} ${title}`}
          />
        )}
        <p>
          <a href="/alerts/conditions">{say.seeConditions}</a>
          {silences.length === 0 ? null : <span class="muted"> {say.silencesNow(format.count(silences.length))}</span>}
        </p>
      </div>
    </PageLayout>
  );
}

function Receivers({ channels, states, receivers }: Pick<AlertsView, "channels" | "states" | "receivers">) {
  const { words, say } = useLocale(alertsWords);
  const mayChange = useMay("system.change");
  type State = (typeof states)[number];
  const receiverOf = ({ channel, from }: State) => (
    <>
      <ReceiverText of={receivers?.find((one) => one.channel === channel) ?? null} />
      <span class="muted"> {say.setIn[from ?? "none"]}</span>
    </>
  );
  const actionsOf = ({ channel, from }: State) => (
    <>
      {channels.includes(channel) ? (
        <PostForm class="inline-form" action="/alerts/test">
          <input type="hidden" name="channel" value={channel} />
          <SubmitButton look="quiet small" icon="send" label={say.test} />
        </PostForm>
      ) : null}
      {mayChange ? (
        <LinkButton
          look="quiet small"
          href={receiverHref(channel)}
          label={from === null ? say.set : words.forms.change}
        />
      ) : null}
    </>
  );
  const columns: readonly Column<State>[] = [
    { head: say.by, phone: "title", cell: ({ channel }) => say.channel[channel] },
    { head: words.terms.who, phone: "line", fills: true, cell: receiverOf },
    { head: words.lists.actions, phone: "line", buttons: true, cell: actionsOf },
  ];
  return (
    <Card title={say.channels} flush>
      {channels.length === 0 ? <p class="card-words muted">{say.noChannels}</p> : null}
      <Records label={say.channels} columns={columns} rows={states} keyOf={({ channel }) => channel} />
      {states.some(({ isInFile }) => isInFile) ? (
        <p class="card-words muted card-note">{say.consoleWins("[alerts]", "peyk.toml")}</p>
      ) : null}
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

function useAlertColumns(): readonly Column<ListedAlert>[] {
  const locale = useLocale();
  const { words, say } = useLocale(alertsWords);
  const todoOf = (alert: ListedAlert) => (
    <>
      {alertTodo(alert, locale)}{" "}
      {isConditionCode(alert.condition) ? (
        <a href={conditionHelpHref(alert.condition, locale.language)}>{say.help}</a>
      ) : null}
    </>
  );
  const stateOf = ({ state, silencedUntil }: ListedAlert) =>
    silencedUntil === null ? say.states[state] : say.silenced;
  return [
    { head: say.what, phone: "title", cell: (alert) => alertSentence(alert, locale) },
    { head: say.severity, phone: "aside", cell: ({ severity }) => <SeverityPill severity={severity} /> },
    { head: say.todo, phone: "line", cell: todoOf },
    { head: words.terms.state, phone: "word", cell: stateOf },
    { head: words.terms.since, phone: "word", cell: ({ since }) => <Time at={Date.parse(since)} /> },
    {
      head: say.silence,
      phone: "line",
      buttons: true,
      cell: (alert) => <SilenceCell of={alert} until={alert.silencedUntil} />,
    },
  ];
}

function useNoticeColumns(): readonly Column<NoticeAnswer>[] {
  const locale = useLocale();
  const { words, say } = useLocale(alertsWords);
  return [
    { head: words.terms.when, phone: "word", cell: ({ at }) => <Time at={Date.parse(at)} /> },
    { head: say.notice, phone: "title", cell: (notice) => noticeSentence(notice, locale) },
    { head: say.by, phone: "word", cell: ({ channel }) => say.channel[channel] },
    { head: words.terms.outcome, phone: "line", cell: (notice) => <Outcome {...notice} /> },
  ];
}

function Outcome({ nextAt, failure, failureReason }: NoticeAnswer) {
  const { words } = useLocale();
  const say = useWords(alertsWords).outcomes;
  const outcome = nextAt !== null ? words.states.waiting : failure === null ? say.arrived : say.failed;
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

export function TestedNotice({ results }: AnswerOf<"POST /alerts/test">) {
  const say = useWords(alertsWords);
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
