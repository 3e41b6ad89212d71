/** How a customer begins: a key, a first message, and what became of it. */
import type { ComponentChildren } from "preact";
import { Card, CodeBlock } from "../components/blocks.tsx";
import { Address, Icon } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { useLocale } from "../locale.ts";

export interface BeginView {
  /** A line of curl that sends a first message. */
  example: string;
  /** The account has a sender of its own, which the line names. */
  hasSender: boolean;
  /** There is a key that is taken. */
  hasKey: boolean;
  /** Of the public API's reference. */
  referenceUrl: string;
}

export function BeginPage({ shell, view }: { shell: Shell; view: BeginView }) {
  const { words } = useLocale();
  const say = words.begin;
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
  const { format, words } = useLocale();
  return (
    <Card
      title={`${format.number(number)}. ${title}`}
      actions={
        isDone ? (
          <span class="ink-ok">
            <Icon name="ok" /> {words.begin.done}
          </span>
        ) : null
      }
    >
      {children}
    </Card>
  );
}
