/** Webhooks: where customers are notified, whether their receivers answer, and what is waiting for them. */
import type { AnswerOf } from "../../../operator/client.ts";
import type { AttemptFactsAnswer, WebhookAnswer } from "../../../operator/webhooks.ts";
import { Notice } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { CollectionPage, type ListPart } from "../../components/collection.tsx";
import { Address, Time } from "../../components/inline.tsx";
import { accountColumn } from "../../components/message-columns.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { type Column, figureColumn, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { callbacksWords } from "./words.ts";

type CallFailureKind = "refused" | "certificate" | "address" | "broken" | "stopped";

const callFailureKinds: Readonly<Record<string, CallFailureKind>> = {
  connect_failed: "refused",
  certificate_refused: "certificate",
  tls_failed: "certificate",
  connection_lost: "broken",
  malformed_answer: "broken",
  not_acknowledged: "broken",
  stopped: "stopped",
};

/** `outcome`: as named in callback attempts. */
export const callFailureKind = (outcome: string): CallFailureKind => callFailureKinds[outcome] ?? "address";

type ListedWebhook = AnswerOf<"GET /webhooks">["rows"][number];

export const webhookState = ({
  isActive,
  failingSince,
}: Pick<WebhookAnswer, "isActive" | "failingSince">): PillState =>
  isActive ? (failingSince === null ? "up" : "failed") : "off";

/** `webhooks`: failing ones first. */
export function CallbacksPage({ webhooks }: { webhooks: ListPart<ListedWebhook> }) {
  const { words, format, say } = useLocale(callbacksWords);
  const isOwn = useIsCustomer();
  const failing = webhooks.rows.filter(({ failingSince }) => failingSince !== null);
  const again = (id: string) => <LinkButton href={`/callbacks/${id}/replay`} label={say.replay} />;
  const command = "peyk webhook create --account acc_1 --url https://hooks.example.com/sms";
  return (
    <CollectionPage
      title={words.places.callbacks}
      lead={isOwn ? say.own.lead : say.lead}
      create={useMay("callbacks.secrets") ? { href: "/callbacks/new", label: say.form.create } : null}
      empty={{ icon: "callback", title: say.emptyTitle, words: isOwn ? say.own.empty : say.emptyWords, command }}
      columns={useColumns()}
      list={webhooks}
      keyOf={({ id }) => id}
      above={failing.map(({ id, url, failingSince }) => (
        <Notice key={id} tone="warn" action={again(id)}>
          {say.failing(new URL(url).host, format.minute(failingSince ?? format.now))}
        </Notice>
      ))}
    />
  );
}

function useColumns(): readonly Column<ListedWebhook>[] {
  const { words, format } = useLocale();
  const { head } = useWords(callbacksWords);
  const isOwn = useIsCustomer();
  return [
    {
      head: words.terms.address,
      phone: "title",
      cell: ({ id, url }) => (
        <RowLink href={`/callbacks/${id}/deliveries`}>
          <Address url={url.replace(/^https:\/\//, "")} />
        </RowLink>
      ),
    },
    ...(isOwn ? [] : [accountColumn<ListedWebhook>(words.terms.account)]),
    { head: words.terms.state, phone: "aside", cell: (webhook) => <Pill state={webhookState(webhook)} /> },
    { head: head.answer, phone: "line", cell: ({ lastAttempt }) => <LastAnswer last={lastAttempt} /> },
    figureColumn(head.delivered, ({ recent: { ended, delivered } }) =>
      ended === 0 ? words.charts.unknown : format.percent(delivered / ended),
    ),
    figureColumn(words.states.waiting, ({ waiting }) => format.number(waiting)),
  ];
}

function LastAnswer({ last }: { last: AttemptFactsAnswer | null }) {
  const locale = useLocale();
  if (last === null) return <span class="muted">{callbacksWords[locale.language].none}</span>;
  return (
    <>
      {answerText(last, locale)}{" "}
      <span class="muted nowrap">
        <Time at={last.at} />
      </span>
    </>
  );
}

export function answerText(attempt: AttemptFactsAnswer, { language, format }: Locale): string {
  const { outcome, status, durationMs } = attempt;
  const { answered, failure } = callbacksWords[language];
  if (status !== null) return answered(format.plain(status), format.duration(durationMs));
  return outcome === "timeout" ? failure.timeout(format.duration(durationMs)) : failure[callFailureKind(outcome)];
}
