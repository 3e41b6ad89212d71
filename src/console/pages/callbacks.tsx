/** Webhooks: where customers are told, whether they answer, what waits for them. */
import { Empty, Notice } from "../components/blocks.tsx";
import { ListedRecords, type ListPart } from "../components/collection.tsx";
import { Address, Name, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { type Column, RowLink } from "../components/records.tsx";
import { type Locale, useLocale } from "../locale.ts";

/** Durations in milliseconds. */
export type CallbackAnswer =
  | { kind: "status"; status: number; tookMs: number }
  | { kind: "timeout"; afterMs: number }
  | { kind: "refused" | "certificate" | "address" | "broken" | "stopped" };

type CallFailureKind = Exclude<CallbackAnswer["kind"], "status" | "timeout">;

const callFailureKinds: Readonly<Record<string, CallFailureKind>> = {
  connect_failed: "refused",
  certificate_refused: "certificate",
  tls_failed: "certificate",
  connection_lost: "broken",
  malformed_answer: "broken",
  stopped: "stopped",
};

/** `outcome`: as the attempts of callbacks name it. */
export const callFailureKind = (outcome: string): CallFailureKind => callFailureKinds[outcome] ?? "address";

export interface WebhookListItem {
  id: string;
  url: string;
  /** Null for a customer, who has one. */
  account: string | null;
  state: Extract<PillState, "up" | "failed" | "off">;
  waiting: number;
  last: { at: number; answer: CallbackAnswer } | null;
  /** Accepted, of the newest fifty deliveries that have ended; null where there is none. */
  answeredRatio: number | null;
  /** Where it fails: since when, epoch milliseconds. */
  failingSince: number | null;
}

interface CallbacksProps {
  shell: Shell;
  /** The failing first. */
  webhooks: ListPart<WebhookListItem>;
}

export function CallbacksPage({ shell, webhooks }: CallbacksProps) {
  const locale = useLocale();
  const { words, format } = locale;
  const failing = webhooks.rows.filter(({ failingSince }) => failingSince !== null);
  return (
    <PageLayout shell={shell} title={words.callbacks.title} lead={words.callbacks.lead}>
      <div class="stack">
        {failing.map(({ id, url, failingSince }) => (
          <Notice
            key={id}
            tone="warn"
            action={
              <a class="button" href={`/callbacks/${id}/replay`}>
                {words.callbacks.replay}
              </a>
            }
          >
            {words.callbacks.failing(new URL(url).host, format.minute(failingSince ?? format.now))}
          </Notice>
        ))}
        <ListedRecords
          path={shell.path}
          title={words.callbacks.title}
          list={webhooks}
          columns={columnsOf(locale, webhooks.rows)}
          keyOf={({ id }) => id}
        >
          <Empty icon="callback" title={words.callbacks.emptyTitle} command="peyk webhook list">
            {words.callbacks.emptyWords}
          </Empty>
        </ListedRecords>
      </div>
    </PageLayout>
  );
}

function columnsOf({ words, format }: Locale, rows: readonly WebhookListItem[]): readonly Column<WebhookListItem>[] {
  const head = words.callbacks.head;
  const account: Column<WebhookListItem> = {
    head: head.account,
    phone: "word",
    cell: (webhook) => <Name>{webhook.account ?? ""}</Name>,
  };
  return [
    {
      head: head.url,
      phone: "title",
      cell: ({ id, url }) => (
        <RowLink href={`/callbacks/${id}/deliveries`}>
          <Address url={url.replace(/^https:\/\//, "")} />
        </RowLink>
      ),
    },
    ...(rows.some((row) => row.account !== null) ? [account] : []),
    { head: head.state, phone: "aside", cell: ({ state }) => <Pill state={state} /> },
    { head: head.answer, phone: "line", cell: ({ last }) => <LastAnswer last={last} /> },
    {
      head: head.delivered,
      phone: "word",
      named: true,
      figure: true,
      cell: ({ answeredRatio }) => (answeredRatio === null ? words.charts.unknown : format.percent(answeredRatio)),
    },
    { head: head.waiting, phone: "word", named: true, figure: true, cell: ({ waiting }) => format.number(waiting) },
  ];
}

function LastAnswer({ last }: { last: WebhookListItem["last"] }) {
  const locale = useLocale();
  if (last === null) return <span class="muted">{locale.words.callbacks.none}</span>;
  return (
    <>
      {answerText(last.answer, locale)}{" "}
      <span class="muted nowrap">
        <Time at={last.at} />
      </span>
    </>
  );
}

export function answerText(answer: CallbackAnswer, { words, format }: Locale): string {
  const { answered, failure } = words.callbacks;
  switch (answer.kind) {
    case "status":
      return answered(format.plain(answer.status), format.duration(answer.tookMs));
    case "timeout":
      return failure.timeout(format.duration(answer.afterMs));
    default:
      return failure[answer.kind];
  }
}
