/** Backups of the database: listing, making and checking them, and for owners downloading one. */

import { sentenceOf } from "../../../domain/coded.ts";
import type { BackupCopyAnswer } from "../../../operator/backups.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import type { CopyFailure } from "../../../platform/copy-failure.ts";
import { persianCopyProblems } from "../../../words/fa/copy-problem.ts";
import { Card, CodeBlock, Empty, Facts, Notice, Progress } from "../../components/blocks.tsx";
import { PostButton } from "../../components/buttons.tsx";
import { Icon, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { type Tone, TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { EnglishSentence } from "../../components/sentence.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { useLocale } from "../../locale.ts";
import { backupsWords } from "./words.ts";

type BackupsAnswer = AnswerOf<"GET /backups">;

export function BackupsPage(backups: BackupsAnswer) {
  const { words, say } = useLocale(backupsWords);
  const make = (
    <PostForm action="/backups">
      <button type="submit" class="button button-primary" disabled={backups.makingSince !== null}>
        <Icon name="plus" />
        {say.make}
      </button>
    </PostForm>
  );
  return (
    <PageLayout title={words.places.backups} lead={say.lead} actions={make}>
      <SystemTabs current="/backups" />
      <Backups {...backups} />
    </PageLayout>
  );
}

function Backups({ makingSince, failure, failureProblem, copies, target }: BackupsAnswer) {
  const { format, words, say } = useLocale(backupsWords);
  const mayDownload = useMay("system.change");
  const columns = useColumns();
  return (
    <div class="stack">
      {makingSince === null ? null : <Notice tone="info">{say.making(format.clockSeconds(makingSince))}</Notice>}
      {failure === null ? null : (
        <Notice tone="bad">
          {say.failed} <WhyNot why={{ words: failure, ...failureProblem }} />
        </Notice>
      )}
      <div class="card card-flush">
        {copies.length === 0 ? (
          <Empty icon="document" title={say.emptyTitle} command="peyk backup create FILE">
            {say.empty}
          </Empty>
        ) : (
          <Records label={words.places.backups} columns={columns} rows={copies} keyOf={({ name }) => name} />
        )}
      </div>
      {target === null ? null : <Bucket {...target} />}
      <Card>
        {mayDownload ? <p class="muted">{say.downloadNote}</p> : null}
        <CodeBlock code="peyk backup restore --help" label={say.restore} />
      </Card>
    </div>
  );
}

/** What is in the bucket, and what is on its way. */
function Bucket({ place, newestAt, failure, lacks, upload }: NonNullable<BackupsAnswer["target"]>) {
  const { format, say } = useLocale(backupsWords);
  return (
    <Card title={say.bucket}>
      {failure === null ? null : (
        <Notice tone="bad">
          {say.bucketFails} <EnglishSentence>{failure}</EnglishSentence>
        </Notice>
      )}
      {lacks.map((lack) => (
        <Notice key={lack} tone="info">
          {say.lacks[lack]}
        </Notice>
      ))}
      <Facts
        facts={[
          [say.bucketPlace, <code key="place">{place}</code>],
          [say.bucketNewest, newestAt === null ? say.bucketEmpty : <Time key="at" at={newestAt} as="dayAndClock" />],
        ]}
      />
      {upload === null ? null : (
        <Progress
          done={format.count(upload.sentBytes)}
          total={format.count(upload.bytes)}
          label={say.uploading(format.bytes(upload.sentBytes), format.bytes(upload.bytes))}
        />
      )}
    </Card>
  );
}

const stateOf = ({ check }: BackupCopyAnswer) => check?.state ?? "unchecked";

const checkTones: Readonly<Record<ReturnType<typeof stateOf>, Tone>> = {
  unchecked: "wait",
  running: "info",
  whole: "ok",
  unusable: "bad",
};

function useColumns(): readonly Column<BackupCopyAnswer>[] {
  const { words, format, say } = useLocale(backupsWords);
  return [
    {
      head: say.made,
      phone: "title",
      cell: ({ madeAt, check }) => (
        <>
          <Time at={madeAt} as="dayAndClock" />
          {check?.state === "unusable" ? <WhyNot why={check} /> : null}
        </>
      ),
    },
    { head: say.kind, phone: "word", cell: ({ kind }) => say.kinds[kind] },
    {
      head: say.state,
      phone: "aside",
      cell: (copy) => <TonePill tone={checkTones[stateOf(copy)]}>{say.states[stateOf(copy)]}</TonePill>,
    },
    { head: say.size, phone: "word", figure: true, cell: ({ bytes }) => format.bytes(bytes) },
    {
      head: words.lists.actions,
      phone: "line",
      buttons: true,
      cell: (copy) => <Actions copy={copy} />,
    },
  ];
}

function WhyNot({ why }: { why: CopyFailure }) {
  const { language } = useLocale();
  const isKnown = language !== "en" && why.code !== undefined;
  return (
    <p class="state-reason">
      {isKnown ? sentenceOf(why, persianCopyProblems) : <EnglishSentence>{why.words}</EnglishSentence>}
    </p>
  );
}

function Actions({ copy: { name, madeAt } }: { copy: BackupCopyAnswer }) {
  const { format, say } = useLocale(backupsWords);
  const path = `/backups/${encodeURIComponent(name)}`;
  const named = (label: string) => ({ label, described: `${label}: ${format.dayAndClock(madeAt)}` });
  return (
    <>
      <PostButton look="quiet small" action={`${path}/check`} {...named(say.check)} />
      {useMay("system.change") ? (
        <PostButton look="quiet small" icon="download" action={`${path}/download`} {...named(say.download)} />
      ) : null}
    </>
  );
}
