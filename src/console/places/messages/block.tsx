/** The question before the recipient of a message is blocked: for whom, and what that stops. */
import type { AnswerOf } from "../../../operator/client.ts";
import { Notice } from "../../components/blocks.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { Choice, controlsOf, ErrorSummary, type FormState, TextField } from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import { blockWords } from "./block-words.ts";

/** `list`: "account" or "all". */
interface Block extends FormState<"list" | "note"> {
  /** The message's path. */
  path: string;
  asked: AnswerOf<"GET /messages/:trackingCode/block">;
}

export function BlockPage({ path, asked, texts, errors }: Block) {
  const { words, say } = useLocale(blockWords);
  const { number, accountName, stops, isBlocked } = asked;
  const choices = (["account", "all"] as const).filter((list) => list === "account" || asked.mayBlockForAll);
  const open = choices.filter((list) => !isBlocked[list]);
  return (
    <PageLayout title={say.ask(number)} above={{ title: number, href: path }}>
      <div class="stack">
        {choices
          .filter((list) => isBlocked[list])
          .map((list) => (
            <Notice key={list} tone="info">
              {list === "all" ? say.blockedForAll(number) : say.blocked(number, accountName)}
            </Notice>
          ))}
        {open.length === 0 ? null : (
          <PostForm class="card card-form-page" action={`${path}/block`}>
            <ErrorSummary errors={errors} />
            <div class="form-group form">
              <fieldset class="field">
                <legend>{say.whose}</legend>
                {open.map((list) => (
                  <Choice
                    key={list}
                    type="radio"
                    name="list"
                    value={list}
                    checked={texts.list === list || open.length === 1}
                    label={list === "all" ? say.everyAccount : say.onlyAccount(accountName)}
                    hint={list === "all" ? say.stopsForAll(number) : say.stops[stops](number, accountName)}
                  />
                ))}
              </fieldset>
              <p class="muted">{say.waiting}</p>
              <TextField {...controlsOf(texts, errors)("note")} label={words.terms.note} hint={say.noteHint} optional />
            </div>
            <p class="form-foot">
              <SubmitButton look="danger" label={say.doIt} />
              <LinkButton look="quiet" href={path} label={useLocale().words.actions.back} />
            </p>
          </PostForm>
        )}
      </div>
    </PageLayout>
  );
}
