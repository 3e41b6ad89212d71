/** Peyk itself: what runs, its backups and certificate, and what only an owner does to it. */
import type { Grade } from "../../operator/finding.ts";
import type { ServiceFinding } from "../../operator/service-finding.ts";
import { Card, CodeBlock, Facts, Notice } from "../components/blocks.tsx";
import type { ConfirmView } from "../components/confirm.tsx";
import { Code, Icon, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { type Tone, TonePill } from "../components/pill.tsx";
import { PostForm } from "../components/post-form.tsx";
import { type Column, Records } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { conditionTexts } from "./alert.ts";
import { findingText } from "./finding.ts";
import { SystemTabs } from "./system-tabs.tsx";

/** Moments in epoch milliseconds. */
export interface SystemView {
  version: string;
  startedAt: number;
  dataDir: string;
  listeners: { api: string; console: string; portal: string | null };
  freeBytes: number;
  backup: { newestAt: number | null; shippedAt: number | null; shipFailure: string | null };
  /** Of the public listener; null without TLS. */
  certificateEndsAt: number | null;
  /** Since a copy was restored nothing is sent; null where nothing is held. */
  held: { since: number } | null;
  /** How far the clock jumped ahead; null where it is believed. */
  clockAheadMs: number | null;
  /** How far what was booked is ahead of a clock that is believed; null where it is not. */
  booksAheadMs: number | null;
  /** The gravest first. */
  findings: readonly ServiceFinding[];
  mayChange: boolean;
}

export function SystemPage({ shell, view }: { shell: Shell; view: SystemView }) {
  const { words } = useLocale();
  return (
    <PageLayout shell={shell} title={words.system.title}>
      <SystemTabs role={shell.role} current="/system" />
      <div class="stack">
        <Held view={view} />
        <WrongClock view={view} />
        <div class="columns">
          <RunningCard view={view} />
          <BackupCard view={view} />
        </div>
        <CertificateCard view={view} />
        <Findings findings={view.findings} />
        <Card title={words.system.help}>
          <p class="muted">{words.system.helpLead}</p>
          <p>
            <a class="button" href="/system/diagnostics">
              <Icon name="download" />
              {words.system.diagnostics}
            </a>
          </p>
        </Card>
      </div>
    </PageLayout>
  );
}

function Held({ view: { held, mayChange } }: { view: SystemView }) {
  const locale = useLocale();
  if (held === null) return null;
  const release = (
    <a class="button" href="/system/queue/release" data-dialog="">
      {locale.words.system.release}
    </a>
  );
  return (
    <div id="queue">
      <Notice tone="warn" action={mayChange ? release : null}>
        {conditionTexts({ code: "Held", values: { since: held.since } }, locale).says}.
      </Notice>
    </div>
  );
}

function WrongClock({ view: { clockAheadMs, booksAheadMs, mayChange } }: { view: SystemView }) {
  const locale = useLocale();
  if (clockAheadMs === null && booksAheadMs === null) return null;
  const { says } =
    clockAheadMs === null
      ? conditionTexts({ code: "BooksAhead", values: { aheadMs: booksAheadMs ?? 0 } }, locale)
      : conditionTexts({ code: "ClockAhead", values: { aheadMs: clockAheadMs } }, locale);
  const confirm = (
    <a class="button" href="/system/clock/confirm" data-dialog="">
      {locale.words.system.confirmClock}
    </a>
  );
  return (
    <div id="clock">
      <Notice tone="warn" action={mayChange ? confirm : null}>
        {says}.
      </Notice>
    </div>
  );
}

function RunningCard({ view: { version, startedAt, dataDir, listeners, freeBytes } }: { view: SystemView }) {
  const { words, format } = useLocale();
  const say = words.system;
  return (
    <Card title={say.running} id="disk">
      <Facts
        facts={[
          [say.version, <Code key="version">{version}</Code>],
          [say.since, <Time key="since" at={startedAt} as="dayAndClock" />],
          [say.api, <Code key="api">{listeners.api}</Code>],
          [say.console, <Code key="console">{listeners.console}</Code>],
          [say.portal, listeners.portal === null ? say.none : <Code key="portal">{listeners.portal}</Code>],
          [say.folder, <Code key="folder">{dataDir}</Code>],
          [say.free, format.bytes(freeBytes)],
          [
            say.licences,
            <a key="licences" href="/system/licences">
              {say.licencesOf}
            </a>,
          ],
        ]}
      />
    </Card>
  );
}

function BackupCard({ view: { backup } }: { view: SystemView }) {
  const { words } = useLocale();
  const say = words.system;
  const moment = (at: number | null) => (at === null ? say.never : <Time at={at} as="dayAndClock" />);
  return (
    <Card title={say.backups} id="backups">
      <Facts
        facts={[
          [say.newest, moment(backup.newestAt)],
          [say.shipped, moment(backup.shippedAt)],
        ]}
      />
      {backup.shipFailure === null ? null : <Notice tone="bad">{backup.shipFailure}</Notice>}
      <p>
        <a href="/backups">{say.toCopies}</a>
      </p>
    </Card>
  );
}

function CertificateCard({ view: { certificateEndsAt, mayChange } }: { view: SystemView }) {
  const { words } = useLocale();
  const say = words.system;
  if (certificateEndsAt === null) {
    return (
      <Card title={say.certificate} id="certificate">
        <p class="muted">{say.noCertificate}</p>
      </Card>
    );
  }
  return (
    <Card title={say.certificate} id="certificate">
      <Facts facts={[[say.ends, <Time key="ends" at={certificateEndsAt} as="date" />]]} />
      {mayChange ? (
        <PostForm action="/system/certificate/reload">
          <button type="submit" class="button">
            {say.reload}
          </button>
        </PostForm>
      ) : null}
    </Card>
  );
}

function Findings({ findings }: Pick<SystemView, "findings">) {
  const locale = useLocale();
  const say = locale.words.system;
  return (
    <Card title={say.findings} flush>
      <Records label={say.findings} columns={findingColumns(locale)} rows={findings} keyOf={({ check }) => check} />
      <div class="card-form">
        <CodeBlock code="peyk doctor" label={say.findingsNote} />
      </div>
    </Card>
  );
}

const gradeTones: Readonly<Record<Grade, Tone>> = { ok: "ok", note: "info", warn: "warn", bad: "bad" };

function findingColumns(locale: Locale): readonly Column<ServiceFinding>[] {
  const { words } = locale;
  const say = words.system;
  const nameOf = (check: string) => Object.entries(say.checks).find(([one]) => one === check)?.[1] ?? check;
  return [
    { head: say.check, phone: "title", cell: ({ check }) => <span class="strong">{nameOf(check)}</span> },
    {
      head: say.grade,
      phone: "aside",
      cell: ({ grade }) => <TonePill tone={gradeTones[grade]}>{say.grades[grade]}</TonePill>,
    },
    {
      head: say.says,
      phone: "line",
      cell: (finding) => {
        const { says, do: todo } = findingText(finding, locale);
        return (
          <>
            {says}
            {todo === null ? null : <div class="muted">{todo}</div>}
          </>
        );
      },
    },
  ];
}

export function releaseQuestion({ words }: Locale): ConfirmView {
  const say = words.system.releaseQuestion;
  return { ...say, action: "/system/queue/release", keep: words.users.keep, back: "/system" };
}

export function clockQuestion({ words }: Locale): ConfirmView {
  const say = words.system.clockQuestion;
  return { ...say, action: "/system/clock/confirm", keep: words.users.keep, back: "/system" };
}
