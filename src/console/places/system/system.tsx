/** Peyk itself: what is running, its backups and certificate, and the actions of an owner. */
import { englishFindings, type FindingTexts, findingWords } from "../../../domain/service-finding.ts";
import type { Finding, Grade } from "../../../operator/finding.ts";
import type { ServiceFinding } from "../../../operator/service-finding.ts";
import type { StatusAnswer } from "../../../operator/status.ts";
import { persianFindings } from "../../../words/fa/service-finding.ts";
import { Card, CodeBlock, Facts, LineCard, Notice } from "../../components/blocks.tsx";
import { LinkButton, PostButton } from "../../components/buttons.tsx";
import { Code, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { type Tone, TonePill } from "../../components/pill.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import type { Language } from "../../language.ts";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { conditionTexts } from "../alerts/alert.ts";
import { systemWords } from "./words.ts";

interface Status {
  status: StatusAnswer;
}

/** `findings`: most severe first. */
export function SystemPage({ status, findings }: Status & { findings: readonly ServiceFinding[] }) {
  const { words, say } = useLocale(systemWords);
  return (
    <PageLayout title={words.places.system}>
      <SystemTabs current="/system" />
      <div class="stack">
        <Held status={status} />
        <WrongClock status={status} />
        <div class="columns">
          <RunningCard status={status} />
          <BackupCard status={status} />
        </div>
        <CertificateCard status={status} />
        <Findings findings={findings} />
        <LineCard
          title={say.help}
          action={<LinkButton look="small" icon="download" href="/system/diagnostics" label={say.diagnostics} />}
        >
          {say.helpLead}
        </LineCard>
      </div>
    </PageLayout>
  );
}

function Held({ status: { heldSince } }: Status) {
  const locale = useLocale();
  const { release } = useWords(systemWords);
  const mayChange = useMay("system.change");
  if (heldSince === null) return null;
  const action = mayChange ? <LinkButton href="/system/queue/release" label={release} dialog /> : null;
  return (
    <div id="queue">
      <Notice tone="warn" action={action}>
        {conditionTexts({ code: "Held", values: { since: Date.parse(heldSince) } }, locale).says}.
      </Notice>
    </div>
  );
}

function WrongClock({ status }: Status) {
  const locale = useLocale();
  const { confirmClock } = useWords(systemWords);
  const mayChange = useMay("system.change");
  const { aheadMs, booksAheadMs } = status.clock;
  if (aheadMs === null && booksAheadMs === null) return null;
  const { says } =
    aheadMs === null
      ? conditionTexts({ code: "BooksAhead", values: { aheadMs: booksAheadMs ?? 0 } }, locale)
      : conditionTexts({ code: "ClockAhead", values: { aheadMs } }, locale);
  const action = mayChange ? <LinkButton href="/system/clock/confirm" label={confirmClock} dialog /> : null;
  return (
    <div id="clock">
      <Notice tone="warn" action={action}>
        {says}.
      </Notice>
    </div>
  );
}

function RunningCard({ status }: Status) {
  const { words, format, say } = useLocale(systemWords);
  const { version, startedAt, dataDir, listen, consoleListen, portalListen, disk, memory } = status;
  return (
    <Card title={say.running} id="disk">
      <Facts
        facts={[
          [say.version, <Code key="version">{version}</Code>],
          [words.terms.since, <Time key="since" at={startedAt} as="dayAndClock" />],
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

function BackupCard({ status: { backup } }: Status) {
  const { words, say } = useLocale(systemWords);
  const moment = (at: string | null) => (at === null ? words.terms.never : <Time at={at} as="dayAndClock" />);
  return (
    <Card title={words.places.backups} id="backups">
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

function CertificateCard({ status }: Status) {
  const say = useWords(systemWords);
  const mayChange = useMay("system.change");
  const { endsAt } = status.certificate;
  return (
    <Card title={say.certificate} id="certificate" none={endsAt === null && say.noCertificate}>
      <Facts facts={[endsAt !== null && [say.ends, <Time key="ends" at={endsAt} as="date" />]]} />
      {mayChange ? <PostButton action="/system/certificate/reload" label={say.reload} /> : null}
    </Card>
  );
}

function Findings({ findings }: { findings: readonly ServiceFinding[] }) {
  const say = useWords(systemWords);
  return (
    <Card title={say.findings} flush>
      <Records label={say.findings} columns={useFindingColumns()} rows={findings} keyOf={({ check }) => check} />
      <div class="card-form">
        <CodeBlock code="peyk doctor" label={say.findingsNote} />
      </div>
    </Card>
  );
}

const gradeTones: Readonly<Record<Grade, Tone>> = { ok: "ok", note: "info", warn: "warn", bad: "bad" };

function useFindingColumns(): readonly Column<ServiceFinding>[] {
  const locale = useLocale();
  const say = useWords(systemWords);
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

const texts: Readonly<Record<Language, FindingTexts>> = { en: englishFindings, fa: persianFindings };

export function findingText(finding: ServiceFinding, { language, format }: Locale): Pick<Finding, "says" | "do"> {
  return findingWords(finding, texts[language], {
    number: (value) => format.number(value),
    bytes: (bytes) => format.bytes(bytes),
    date: (at) => format.date(at),
  });
}
