/** The form for a file of prices, and the wrong lines of one that was refused. */
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { controlsOf, FileField, type FormState, TextField } from "../../components/forms.tsx";
import { RefusedLines } from "../../components/import.tsx";
import { OpenedForm } from "../../components/opened-form.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { pricesWords } from "./words.ts";

/** The lines that an import of a kept file would leave out. */
export interface WrongPrices {
  /** Its list. */
  name: string;
  count: number;
  shown: readonly { line: number; value: string; reason: string }[];
  /** The path of the kept file. */
  href: string;
  /** The rest of the file can be imported. */
  canLeaveOut: boolean;
}

export interface ImportForm extends FormState<"name"> {
  wrong: WrongPrices | null;
}

export function ImportPrices({ texts, errors, wrong }: ImportForm) {
  const { words, say } = useLocale(pricesWords);
  const name = { ...controlsOf(texts, errors)("name"), label: words.terms.list, hint: say.nameHint };
  return (
    <OpenedForm
      name="import"
      title={say.importTitle}
      action="/prices?open=import"
      encType="multipart/form-data"
      submit={words.imports.start}
      errors={errors}
      after={wrong === null ? null : <WrongLines {...wrong} />}
    >
      <TextField {...name} script="code" />
      <FileField name="file" label={words.terms.file} hint={say.fileHint} error={errors.file} accept=".csv,text/csv" />
    </OpenedForm>
  );
}

function WrongLines({ name, count, shown, href, canLeaveOut }: WrongPrices) {
  const { words, format } = useLocale();
  const say = useWords(pricesWords).wrongLines;
  const lines = format.count(count);
  return (
    <div class="stack narrow below-form">
      <h3>{say.title(lines)}</h3>
      <RefusedLines refused={shown} />
      <PostForm class="form-buttons" action={href}>
        <input type="hidden" name="name" value={name} />
        {canLeaveOut ? (
          <SubmitButton name="leaveOut" value={String(count)} label={words.imports.leaveOut(lines)} />
        ) : null}
        <LinkButton look="quiet" href={`${href}/wrong`} icon="download" label={say.csv} />
      </PostForm>
    </div>
  );
}
