/** The form for a file of prices, and the wrong lines of one that was refused. */
import { Card } from "../../components/blocks.tsx";
import { ErrorSummary, type FieldErrors, FileField, TextField } from "../../components/forms.tsx";
import { RefusedLines } from "../../components/import.tsx";
import { Icon } from "../../components/inline.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
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

export interface ImportFormView {
  name: string;
  errors: FieldErrors;
  wrong: WrongPrices | null;
}

export function ImportForm({ form: { name, errors, wrong } }: { form: ImportFormView }) {
  const { language } = useLocale();
  const say = pricesWords[language];
  return (
    <Card title={say.importTitle} id="import">
      <PostForm class="form narrow" action="/prices" encType="multipart/form-data">
        <ErrorSummary errors={errors} />
        <TextField
          name="name"
          label={say.name}
          hint={say.nameHint}
          value={name}
          error={errors.name}
          script="code"
          size="medium"
        />
        <FileField name="file" label={say.file} hint={say.fileHint} error={errors.file} accept=".csv,text/csv" />
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.start}
          </button>
        </p>
      </PostForm>
      {wrong === null ? null : <WrongLines wrong={wrong} />}
    </Card>
  );
}

function WrongLines({ wrong: { name, count, shown, href, canLeaveOut } }: { wrong: WrongPrices }) {
  const { language, words, format } = useLocale();
  const say = pricesWords[language].wrongLines;
  return (
    <div class="stack narrow below-form">
      <h3>{say.title(format.count(count))}</h3>
      <RefusedLines refused={shown} />
      <PostForm class="form-buttons" action={href}>
        <input type="hidden" name="name" value={name} />
        {canLeaveOut ? (
          <button type="submit" class="button" name="leaveOut" value={String(count)}>
            {words.imports.leaveOut(format.count(count))}
          </button>
        ) : null}
        <a class="button button-quiet" href={`${href}/wrong`}>
          <Icon name="download" />
          {say.csv}
        </a>
      </PostForm>
    </div>
  );
}
