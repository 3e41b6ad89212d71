/** A change that a program asks for: what it would do, and two buttons for the person who decides. */

import type { PendingChange } from "../../../agents/pending-changes.ts";
import type { UserTokenRow } from "../../../store/user-tokens.ts";
import { Card, type Fact, Facts, Notice } from "../../components/blocks.tsx";
import { PostButton } from "../../components/buttons.tsx";
import { Code, ForeignText, Slug, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { tokenWords } from "./token-words.ts";

interface ConfirmationView {
  pending: PendingChange;
  token: UserTokenRow;
}

/** As the program gave it, or as the service would answer: the reader may want to see every field. */
function Data({ label, value, isOpen = false }: { label: string; value: unknown; isOpen?: boolean }) {
  return (
    <details class="change" open={isOpen}>
      <summary>{label}</summary>
      <pre class="code-lines" dir="ltr">
        <code>{JSON.stringify(value, null, 2)}</code>
      </pre>
    </details>
  );
}

export function ConfirmationPage({ pending, token }: ConfirmationView) {
  const { words } = useLocale();
  const say = useWords(tokenWords).confirm;
  const { id, name, change, expiresAt, state, would, input } = pending;
  const facts: readonly (Fact | false)[] = [
    [say.operation, <Code key="operation">{name}</Code>],
    [say.subject, <Code key="subject">{change.target}</Code>],
    [say.token, <bdi key="token">{token.name}</bdi>],
    ...(typeof input.message === "string"
      ? [[words.terms.text, <ForeignText key="text" text={input.message} />] as const]
      : []),
    ...useSendingFacts(would),
    [say.until, <Time key="until" at={expiresAt} as="dayAndClock" />],
  ];
  return (
    <PageLayout title={say.title(token.name)} lead={say.lead}>
      <div class="stack narrow">
        {state.kind === "waiting" ? null : (
          <Notice tone={state.kind === "failed" ? "bad" : "info"}>
            {say.states[state.kind]} {state.kind === "failed" ? <bdi>{state.message}</bdi> : null}
          </Notice>
        )}
        <Card>
          <Facts facts={facts} />
          {state.kind === "waiting" ? <Decision id={id} /> : null}
          <Data label={say.input} value={input} isOpen={!("message" in input)} />
          {change.state === null ? null : <Data label={say.now} value={change.state} />}
          {would.length === 0 ? null : <Data label={say.would} value={would} />}
        </Card>
      </div>
    </PageLayout>
  );
}

function Decision({ id }: { id: string }) {
  const say = useWords(tokenWords).confirm;
  return (
    <div class="confirm-buttons">
      <PostForm action={`/confirm/${id}/reject`}>
        <button type="submit" class="button" data-focus="">
          {say.no}
        </button>
      </PostForm>
      <PostButton look="danger" action={`/confirm/${id}`} label={say.yes} />
    </div>
  );
}

/** Of a sending: how many messages, and what they cost. */
function useSendingFacts([preview]: readonly unknown[]): readonly Fact[] {
  const { words, format } = useLocale();
  const say = useWords(tokenWords).confirm;
  if (typeof preview !== "object" || preview === null || !("recipients" in preview)) return [];
  const { recipients } = preview;
  const facts: Fact[] = Array.isArray(recipients) ? [[words.terms.messages, format.number(recipients.length)]] : [];
  if ("partCount" in preview && typeof preview.partCount === "number") {
    facts.push([say.parts, format.number(preview.partCount)]);
  }
  if ("refusedCount" in preview && typeof preview.refusedCount === "number" && preview.refusedCount > 0) {
    facts.push([say.refused, format.number(preview.refusedCount)]);
  }
  if ("routes" in preview && Array.isArray(preview.routes) && preview.routes.length > 0) {
    facts.push([words.places.routes, <Slug key="routes">{preview.routes.join(", ")}</Slug>]);
  }
  if ("price" in preview && typeof preview.price === "number" && "currency" in preview) {
    facts.push([say.price, <bdi key="price">{format.amount(preview.price, String(preview.currency))}</bdi>]);
  }
  return facts;
}
