/** What a message would cost by a price list: a number and a text, and their price, parts and network. */
import type { MessageCostAnswer } from "../../../operator/prices.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import { FormButtons } from "../../components/buttons.tsx";
import { controlsOf, ErrorSummary, type FormState, TextArea, TextField } from "../../components/forms.tsx";
import { Phone } from "../../components/inline.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { messageWords } from "../messages/words.ts";
import { pricesWords } from "./words.ts";

export interface MessageCostForm extends FormState<"recipient" | "text"> {
  /** Null until a message is asked about. */
  answer: MessageCostAnswer | null;
}

export function MessageCost({ texts, errors, answer, action }: MessageCostForm & { action: string }) {
  const { words } = useLocale();
  const say = useWords(pricesWords).cost;
  const control = controlsOf(texts, errors);
  const number = { ...control("recipient"), label: words.terms.number, inputMode: "tel", script: "digits" } as const;
  return (
    <Card title={say.title} id="cost">
      <PostForm class="form" action={`${action}#cost`}>
        <ErrorSummary errors={errors} />
        <TextField {...number} />
        <TextArea {...control("text")} label={words.terms.text} hint={say.hint} rows={3} />
        <FormButtons isSecond label={say.ask} />
      </PostForm>
      {answer === null ? null : <Cost {...answer} />}
    </Card>
  );
}

function Cost(answer: MessageCostAnswer) {
  const { words, format, say } = useLocale(pricesWords);
  const { cost } = say;
  const { recipient, network, encoding, partCount, characterCount, prefix, priceOfPart, price, currency } = answer;
  const begins = (prefix === "*" ? say.everyNumber : prefix) ?? "";
  const encodingName = useWords(messageWords).encoding[encoding];
  const size = words.counts.size(format.count(partCount), format.count(characterCount), encodingName);
  return (
    <div role="status">
      <Facts
        facts={[
          [cost.price, price === null ? cost.noPrice : format.amount(price, currency)],
          [words.terms.parts, size],
          priceOfPart !== null && [say.fields.price.label, cost.of(format.amount(priceOfPart, currency), begins)],
          [words.terms.number, <Phone key="number" number={recipient} />],
          [words.terms.network, network ?? words.terms.unknown],
        ]}
      />
    </div>
  );
}
