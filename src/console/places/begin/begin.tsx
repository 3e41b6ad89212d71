/** A customer's first steps: a key, a first message, and its outcome. */
import type { ComponentChildren } from "preact";
import { Card, CodeBlock } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Address, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { useLocale } from "../../locale.ts";
import { type PageCall, redirect } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { activeSender, curlExample, keyList } from "../keys/keys-view.ts";
import { beginWords } from "./words.ts";

interface Begin {
  /** A line of curl that sends a first message. */
  example: string;
  /** The account has a sender of its own, which the command names. */
  hasSender: boolean;
  /** The account has a valid key. */
  hasKey: boolean;
  /** Link to the public API's reference. */
  referenceUrl: string;
}

function BeginPage({ example, hasSender, hasKey, referenceUrl }: Begin) {
  const { words, say } = useLocale(beginWords);
  const mayMakeKey = useMay("keys.change");
  return (
    <PageLayout title={words.places.begin} lead={say.lead}>
      <div class="stack">
        <Step number={1} title={say.steps.key} isDone={hasKey}>
          <p>{say.keyWords}</p>
          <p>
            {hasKey || !mayMakeKey ? (
              <LinkButton icon="key" href="/keys" label={words.places.keys} />
            ) : (
              <LinkButton look="primary" icon="key" href="/keys/new" label={say.makeKey} />
            )}
          </p>
        </Step>
        <Step number={2} title={say.steps.send}>
          <p>{say.sendWords}</p>
          {hasSender ? null : <p class="muted">{say.noSender}</p>}
          <CodeBlock code={example} label={say.line} />
        </Step>
        <Step number={3} title={say.steps.watch}>
          <p>{say.watchWords}</p>
          <p class="row-actions">
            <LinkButton href="/messages" label={say.toMessages} />
            <LinkButton href="/callbacks" label={say.toCallbacks} />
          </p>
        </Step>
        <Card title={say.reference}>
          <p>
            {say.referenceWords}{" "}
            <a href={referenceUrl} rel="noopener">
              <Address url={referenceUrl} />
            </a>
          </p>
        </Card>
      </div>
    </PageLayout>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone?: boolean;
  children: ComponentChildren;
}

function Step({ number, title, isDone = false, children }: StepProps) {
  const { words, format } = useLocale();
  return (
    <Card
      title={`${format.number(number)}. ${title}`}
      actions={
        isDone ? (
          <span class="ink-ok">
            <Icon name="ok" /> {words.terms.done}
          </span>
        ) : null
      }
    >
      {children}
    </Card>
  );
}

export interface BeginPagesDeps {
  /** Where customers reach the public API. */
  apiUrl: string;
}

/** Placeholder for the reader's key: running the command unchanged gets an explanation from the API. */
const keyPlaceholder = "YOUR-KEY";

async function begin({ api, viewer }: PageCall, apiUrl: string) {
  if (viewer.accountId === null) return redirect("/");
  const [sender, keys] = await Promise.all([activeSender(api, ""), keyList(api, "")]);
  return (
    <BeginPage
      example={curlExample(apiUrl, keyPlaceholder, sender)}
      hasSender={sender !== null}
      hasKey={keys.rows.some(({ status }) => status === "active")}
      referenceUrl={`${apiUrl}/docs`}
    />
  );
}

const { shown } = usualPages("begin", { read: "own.settings", change: "own.settings" });

export const beginPages = ({ apiUrl }: BeginPagesDeps) => [shown("/begin", (call) => begin(call, apiUrl))];
