/** Peyk itself: what is running, its backups and certificate, and the actions of an owner. */
import type { Finding, Grade } from "../../../operator/finding.ts";
import type { ServiceFinding } from "../../../operator/service-finding.ts";
import type { StatusAnswer } from "../../../operator/status.ts";
import { englishFindings, type FindingTexts, findingWords } from "../../../words/en/service-finding.ts";
import { persianFindings } from "../../../words/fa/service-finding.ts";
import { Card, CodeBlock, Facts, Notice } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { Code, Icon, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { type Tone, TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import type { Language } from "../../language.ts";
import { type Locale, useLocale } from "../../locale.ts";
import { conditionTexts } from "../alerts/alert.ts";
import { systemWords } from "./words.ts";

export interface SystemView {
  status: StatusAnswer;
  /** Most severe first. */
  findings: readonly ServiceFinding[];
  mayChange: boolean;
}

export function SystemPage({ shell, view }: { shell: Shell; view: SystemView }) {
  const { language, words } = useLocale();
  const say = systemWords[language];
  return (
    <PageLayout shell={shell} title={words.places.system}>
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
        <Card title={say.help}>
          <p class="muted">{say.helpLead}</p>
          <p>
            <a class="button" href="/system/diagnostics">
              <Icon name="download" />
              {say.diagnostics}
            </a>
          </p>
        </Card>
      </div>
    </PageLayout>
  );
}

function Held({ view: { status, mayChange } }: { view: SystemView }) {
  const locale = useLocale();
  const { heldSince } = status;
  if (heldSince === null) return null;
  const release = (
    <a class="button" href="/system/queue/release" data-dialog="">
      {systemWords[locale.language].release}
    </a>
  );
  return (
    <div id="queue">
      <Notice tone="warn" action={mayChange ? release : null}>
        {conditionTexts({ code: "Held", values: { since: Date.parse(heldSince) } }, locale).says}.
      </Notice>
    </div>
  );
}

function WrongClock({ view: { status, mayChange } }: { view: SystemView }) {
  const locale = useLocale();
  const { aheadMs, booksAheadMs } = status.clock;
  if (aheadMs === null && booksAheadMs === null) return null;
  const { says } =
    aheadMs === null
      ? conditionTexts({ code: "BooksAhead", values: { aheadMs: booksAheadMs ?? 0 } }, locale)
      : conditionTexts({ code: "ClockAhead", values: { aheadMs } }, locale);
  const confirm = (
    <a class="button" href="/system/clock/confirm" data-dialog="">
      {systemWords[locale.language].confirmClock}
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

function RunningCard({ view: { status } }: { view: SystemView }) {
  const { language, format } = useLocale();
  const say = systemWords[language];
  const { version, startedAt, dataDir, listen, consoleListen, portalListen, disk, memory } = status;
  return (
    <Card title={say.running} id="disk">
      <Facts
        facts={[
          [say.version, <Code key="version">{version}</Code>],
          [say.since, <Time key="since" at={startedAt} as="dayAndClock" />],
          [say.api, <Code key="api">{listen}</Code>],
          [say.console, <Code key="console">{consoleListen}</Code>],
          [say.portal, portalListen === null ? say.none : <Code key="portal">{portalListen}</Code>],
          [say.folder, <Code key="folder">{dataDir}</Code>],
          [say.free, format.bytes(disk.freeBytes)],
          [
            say.memory,
            memory === null
              ? say.none
              : say.memoryOf(format.bytes(memory.anonymousBytes), format.bytes(memory.fileBytes)),
          ],
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

function BackupCard({ view: { status } }: { view: SystemView }) {
  const { language } = useLocale();
  const say = systemWords[language];
  const { backup } = status;
  const moment = (at: string | null) => (at === null ? say.never : <Time at={at} as="dayAndClock" />);
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

function CertificateCard({ view: { status, mayChange } }: { view: SystemView }) {
  const { language } = useLocale();
  const say = systemWords[language];
  const { endsAt } = status.certificate;
  if (endsAt === null) {
    return (
      <Card title={say.certificate} id="certificate">
        <p class="muted">{say.noCertificate}</p>
      </Card>
    );
  }
  return (
    <Card title={say.certificate} id="certificate">
      <Facts facts={[[say.ends, <Time key="ends" at={endsAt} as="date" />]]} />
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
  const say = systemWords[locale.language];
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
  const { language } = locale;
  const say = systemWords[language];
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

export function releaseQuestion({ language, words }: Locale): ConfirmView {
  const say = systemWords[language].releaseQuestion;
  return { ...say, action: "/system/queue/release", keep: words.confirm.keep, back: "/system" };
}

export function clockQuestion({ language, words }: Locale): ConfirmView {
  const say = systemWords[language].clockQuestion;
  return { ...say, action: "/system/clock/confirm", keep: words.confirm.keep, back: "/system" };
}

const texts: Readonly<Record<Language, FindingTexts>> = { en: englishFindings, fa: persianFindings };

export function findingText(finding: ServiceFinding, { language, format }: Locale): Pick<Finding, "says" | "do"> {
  return findingWords(finding, texts[language], {
    number: (value) => format.number(value),
    bytes: (bytes) => format.bytes(bytes),
    date: (at) => format.date(at),
  });
}
