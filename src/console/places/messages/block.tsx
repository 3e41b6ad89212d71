/** The question before the recipient of a message is blocked: for whom, and what that stops. */
import type { AnswerOf } from "../../../operator/client.ts";
import { Notice } from "../../components/blocks.tsx";
import { Choice, ErrorSummary, type FieldErrors, TextField } from "../../components/forms.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import { blockWords } from "./block-words.ts";

export interface BlockView {
  /** The message's path. */
  path: string;
  asked: AnswerOf<"GET /messages/:trackingCode/block">;
  fields: { list: "account" | "all"; note: string };
  errors: FieldErrors;
}

export function BlockPage({ shell, view }: { shell: Shell; view: BlockView }) {
  const { language, words } = useLocale();
  const say = blockWords[language];
  const { path, asked, fields, errors } = view;
  const { number, accountName, stops, isBlocked } = asked;
  const choices = (["account", "all"] as const).filter((list) => list === "account" || asked.mayBlockForAll);
  const open = choices.filter((list) => !isBlocked[list]);
  return (
    <PageLayout shell={shell} title={say.ask(number)} above={{ title: number, href: path }}>
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
                    checked={fields.list === list || open.length === 1}
                    label={list === "all" ? say.everyAccount : say.onlyAccount(accountName)}
                    hint={list === "all" ? say.stopsForAll(number) : say.stops[stops](number, accountName)}
                  />
                ))}
              </fieldset>
              <p class="muted">{say.waiting}</p>
              <TextField
                name="note"
                label={say.note}
                hint={say.noteHint}
                value={fields.note}
                error={errors.note}
                optional
              />
            </div>
            <p class="form-foot">
              <button type="submit" class="button button-danger">
                {say.doIt}
              </button>
              <a class="button button-quiet" href={path}>
                {words.actions.back}
              </a>
            </p>
          </PostForm>
        )}
      </div>
    </PageLayout>
  );
}
