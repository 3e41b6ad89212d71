/** A customer's first steps: a key, a first message, and its outcome. */
import type { ComponentChildren } from "preact";
import { Card, CodeBlock } from "../../components/blocks.tsx";
import { Address, Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { useLocale } from "../../locale.ts";
import { document, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { activeSender, curlExample, keyList } from "../keys/keys-view.ts";
import { beginWords } from "./words.ts";

export interface BeginView {
  /** A line of curl that sends a first message. */
  example: string;
  /** The account has a sender of its own, which the command names. */
  hasSender: boolean;
  /** The account has a valid key. */
  hasKey: boolean;
  /** Link to the public API's reference. */
  referenceUrl: string;
}

export function BeginPage({ shell, view }: { shell: Shell; view: BeginView }) {
  const { language, words } = useLocale();
  const say = beginWords[language];
  return (
    <PageLayout shell={shell} title={words.places.begin} lead={say.lead}>
      <div class="stack">
        <Step number={1} title={say.steps.key} isDone={view.hasKey}>
          <p>{say.keyWords}</p>
          <p>
            <a class={view.hasKey ? "button" : "button button-primary"} href={view.hasKey ? "/keys" : "/keys/new"}>
              <Icon name="key" />
              {view.hasKey ? words.places.keys : say.makeKey}
            </a>
          </p>
        </Step>
        <Step number={2} title={say.steps.send}>
          <p>{say.sendWords}</p>
          {view.hasSender ? null : <p class="muted">{say.noSender}</p>}
          <CodeBlock code={view.example} label={say.line} />
        </Step>
        <Step number={3} title={say.steps.watch}>
          <p>{say.watchWords}</p>
          <p class="row-actions">
            <a class="button" href="/messages">
              {say.toMessages}
            </a>
            <a class="button" href="/callbacks">
              {say.toCallbacks}
            </a>
          </p>
        </Step>
        <Card title={say.reference}>
          <p>
            {say.referenceWords}{" "}
            <a href={view.referenceUrl} rel="noopener">
              <Address url={view.referenceUrl} />
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
  const { format, language } = useLocale();
  return (
    <Card
      title={`${format.number(number)}. ${title}`}
      actions={
        isDone ? (
          <span class="ink-ok">
            <Icon name="ok" /> {beginWords[language].done}
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

async function begin({ api, viewer, shell }: PageCall, apiUrl: string): Promise<PageAnswer> {
  if (viewer.accountId === null) return redirect("/");
  const [sender, keys] = await Promise.all([activeSender(api, ""), keyList(api, "")]);
  const view = {
    example: curlExample(apiUrl, keyPlaceholder, sender),
    hasSender: sender !== null,
    hasKey: keys.rows.some(({ status }) => status === "active"),
    referenceUrl: `${apiUrl}/docs`,
  };
  return document(<BeginPage shell={shell("begin")} view={view} />);
}

export function beginPages({ apiUrl }: BeginPagesDeps) {
  return [page({ method: "GET", path: "/begin", action: "own.settings", answer: (call) => begin(call, apiUrl) })];
}
