/** Asking for a sender and its answer, what waits for the operator, and being told of a low balance. */

import type { AnswerOf } from "../../../operator/client.ts";
import { Card, Notice } from "../../components/blocks.tsx";
import { FormButtons, LinkButton, PostButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { FormPage } from "../../components/form-page.tsx";
import { controlsOf, ErrorSummary, type FormState, TextField } from "../../components/forms.tsx";
import { Code, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { askingWords, balanceAlertWords } from "./asking-words.ts";

type SenderRequests = AnswerOf<"GET /sender-requests">["rows"];
type SenderRequest = SenderRequests[number];

const answerLooks = {
  waiting: { tone: "wait", icon: "clock" },
  added: { tone: "ok", icon: "ok" },
  refused: { tone: "bad", icon: "failed" },
} as const;

function useRequestColumns(): readonly Column<SenderRequest>[] {
  const { words, say } = useLocale(askingWords);
  const stateOf = ({ answer, answerNote }: SenderRequest) => {
    const state = answer ?? "waiting";
    return (
      <>
        <TonePill {...answerLooks[state]}>{say.states[state]}</TonePill>{" "}
        {answerNote === null ? null : <Name>{answerNote}</Name>}
      </>
    );
  };
  return [
    { head: words.terms.sender, phone: "title", cell: ({ sender }) => <Code>{sender}</Code> },
    { head: say.note, phone: "line", cell: ({ note }) => <Name>{note}</Name> },
    { head: say.by, phone: "word", cell: ({ askedBy }) => <Name>{askedBy}</Name> },
    { head: words.terms.when, phone: "word", cell: ({ askedAt }) => <Time at={askedAt} as="minute" /> },
    { head: say.state, phone: "line", cell: stateOf },
  ];
}

interface AskSender extends FormState<"sender" | "note"> {
  requests: SenderRequests;
}

export function AskSenderPage({ requests, texts, errors }: AskSender) {
  const { words, say } = useLocale(askingWords);
  const control = controlsOf(texts, errors);
  return (
    <PageLayout title={say.title} lead={say.lead} above={{ title: words.places.account, href: "/account" }}>
      <div class="stack">
        {useMay("senders.ask") ? (
          <PostForm class="card form" action="/senders/ask">
            <ErrorSummary errors={errors} />
            <TextField {...control("sender")} label={words.terms.sender} script="code" />
            <TextField {...control("note")} label={say.note} hint={say.noteHint} />
            <FormButtons label={say.ask} />
          </PostForm>
        ) : null}
        <Card title={say.requests} flush={requests.length > 0}>
          {requests.length === 0 ? (
            <p class="muted">{say.none}</p>
          ) : (
            <Records
              label={say.requests}
              columns={useRequestColumns()}
              rows={requests}
              keyOf={({ id }) => String(id)}
            />
          )}
        </Card>
      </div>
    </PageLayout>
  );
}

/** On the operator's page of approvals: adding the sender is the answer, by the form that chooses its routes. */
export function WaitingSenders({ requests }: { requests: SenderRequests }) {
  const { words, say } = useLocale(askingWords);
  const columns = useRequestColumns().slice(0, -1);
  const buttonsOf = ({ id, account, sender }: SenderRequest) => [
    <LinkButton
      key="add"
      look="small"
      href={`/accounts/${account}/senders/new?sender=${encodeURIComponent(sender)}`}
      label={say.add}
    />,
    <LinkButton key="refuse" look="quiet small" href={`/approvals/senders/${id}/refuse`} label={say.refuse} />,
  ];
  if (requests.length === 0) return null;
  return (
    <RecordsCard
      title={say.waitingTitle}
      columns={[
        ...columns,
        { head: words.terms.account, phone: "word", cell: ({ accountName }) => <Name>{accountName}</Name> },
        ...(useMay("accounts.change") ? [{ head: "", phone: "line", buttons: true, cell: buttonsOf } as const] : []),
      ]}
      rows={requests}
      keyOf={({ id }) => String(id)}
    />
  );
}

export function RefuseSenderPage({ sender, texts, errors }: FormState<"note"> & { sender: string }) {
  const { words, say } = useLocale(askingWords);
  const control = controlsOf(texts, errors);
  const above = { title: words.places.approvals, href: "/approvals" };
  return (
    <FormPage title={say.refusing(sender)} above={above} errors={errors} submit={say.refuse}>
      <TextField {...control("note")} label={say.reason} />
    </FormPage>
  );
}

interface BalanceAlert extends FormState<"below" | "mail"> {
  answer: AnswerOf<"GET /balance-watch">;
}

export function BalanceAlertPage({ answer: { hasMail, currency, watch }, texts, errors }: BalanceAlert) {
  const { words, say } = useLocale(balanceAlertWords);
  const control = controlsOf(texts, errors);
  const above = { title: words.places.money, href: "/money" };
  const stop = watch === null ? null : <PostButton action="/balance-alert/remove" icon="off" label={say.stop} />;
  return (
    <PageLayout title={say.title} lead={say.lead} above={above} actions={stop}>
      <div class="stack">
        {watch === null || watch.isConfirmed ? null : <Notice tone="warn">{say.waits(watch.mail)}</Notice>}
        {hasMail ? (
          <PostForm class="card form" action="/balance-alert">
            <ErrorSummary errors={errors} />
            <TextField {...control("below")} label={`${say.below} (${currency})`} script="digits" />
            <TextField {...control("mail")} label={say.mail} script="code" />
            <FormButtons label={say.save} />
          </PostForm>
        ) : (
          <Notice tone="info">{say.noMail}</Notice>
        )}
      </div>
    </PageLayout>
  );
}

/** The link in the mail: opening it, as scanners do, confirms nothing. */
export function ConfirmAddressPage({ path }: { path: string }) {
  const say = useWords(balanceAlertWords);
  return (
    <PageLayout title={say.confirm} lead={say.confirmLead}>
      <PostButton look="primary" action={path} icon="ok" label={say.confirm} />
    </PageLayout>
  );
}
