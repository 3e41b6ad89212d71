/** Trying a pattern with sample values: its text as it would arrive, its parts and its cost. */
import { Card } from "../components/blocks.tsx";
import { LivePiece, TextField } from "../components/forms.tsx";
import { ForeignText } from "../components/inline.tsx";
import { PostForm } from "../components/post-form.tsx";
import { useLocale } from "../locale.ts";
import { type SendCost, type TextCount, TextCounts } from "./send.tsx";

export interface PatternSample {
  /** Each with the value that was typed, empty for none. */
  variables: readonly { name: string; maxLength: number; value: string; isTooLong: boolean }[];
  /** The number for which the cost is told, as it was typed. */
  to: string;
  /** Variables without a value stand in it as in the pattern. */
  text: string;
  /** Null while a value is missing or wrong. */
  count: TextCount | null;
  /** Null where nothing is charged, or that is not known. */
  cost: SendCost | null;
}

/** Begins the name of a variable's field. */
export const valueField = "value-";

/** `action`: takes the values. */
export function PatternSampleForm({ sample, action }: { sample: PatternSample; action: string }) {
  const { words } = useLocale();
  const say = words.patterns.sample;
  return (
    <Card title={say.title}>
      <PostForm class="form" action={action}>
        {sample.variables.map(({ name, value }) => (
          <TextField key={name} name={valueField + name} label={name} value={value} size="medium" />
        ))}
        <TextField
          name="to"
          label={say.to}
          hint={say.toHint}
          value={sample.to}
          size="medium"
          script="digits"
          inputMode="tel"
          optional
        />
        <LivePiece id="sample" post={action}>
          <PatternSampleShown sample={sample} />
        </LivePiece>
        <p class="form-buttons">
          <button type="submit" class="button">
            {say.show}
          </button>
        </p>
      </PostForm>
    </Card>
  );
}

/** Also sent alone while one types. */
export function PatternSampleShown({ sample: { variables, text, count, cost } }: { sample: PatternSample }) {
  const { words, format } = useLocale();
  const say = words.patterns.sample;
  const tooLong = variables.filter(({ isTooLong }) => isTooLong);
  return (
    <div class="stack">
      <div class="bubble">
        <ForeignText text={text} />
      </div>
      {tooLong.map(({ name, maxLength }) => (
        <p key={name} class="ink-bad">
          {say.tooLong(name, format.number(maxLength))}
        </p>
      ))}
      {count === null ? <p class="muted">{say.missing}</p> : <TextCounts count={count} cost={cost} />}
    </div>
  );
}
