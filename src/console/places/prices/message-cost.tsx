/** What a message would cost by a price list: a number and a text, and their price, parts and network. */
import type { MessageCostAnswer } from "../../../operator/prices.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import { ErrorSummary, type FieldErrors, TextArea, TextField } from "../../components/forms.tsx";
import { Phone } from "../../components/inline.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { useLocale } from "../../locale.ts";
import { messageWords } from "../messages/words.ts";
import { pricesWords } from "./words.ts";

export interface MessageCostView {
  /** As typed. */
  fields: { recipient: string; text: string };
  errors: FieldErrors;
  /** Null until a message is asked about. */
  answer: MessageCostAnswer | null;
}

export function MessageCost({ view: { fields, errors, answer }, action }: { view: MessageCostView; action: string }) {
  const say = pricesWords[useLocale().language];
  return (
    <Card title={say.cost.title} id="cost">
      <PostForm class="form" action={`${action}#cost`}>
        <ErrorSummary errors={errors} />
        <TextField
          name="recipient"
          label={say.cost.recipient}
          error={errors.recipient}
          value={fields.recipient}
          size="medium"
          inputMode="tel"
          script="digits"
        />
        <TextArea
          name="text"
          label={say.cost.text}
          hint={say.cost.hint}
          error={errors.text}
          value={fields.text}
          rows={3}
        />
        <p class="form-buttons">
          <button type="submit" class="button">
            {say.cost.ask}
          </button>
        </p>
      </PostForm>
      {answer === null ? null : <Cost answer={answer} />}
    </Card>
  );
}

function Cost({ answer }: { answer: MessageCostAnswer }) {
  const { language, words, format } = useLocale();
  const say = pricesWords[language];
  const { recipient, network, encoding, partCount, characterCount, prefix, priceOfPart, price, currency } = answer;
  const begins = prefix === "*" ? say.everyNumber : prefix;
  const size = words.counts.size(
    format.count(partCount),
    format.count(characterCount),
    messageWords[language].encoding[encoding],
  );
  return (
    <div role="status">
      <Facts
        facts={[
          [say.cost.price, price === null ? say.cost.noPrice : format.amount(price, currency)],
          [say.cost.parts, size],
          ...(priceOfPart === null
            ? []
            : [[say.price, say.cost.of(format.amount(priceOfPart, currency), begins ?? "")] as const]),
          [say.cost.recipient, <Phone key="number" number={recipient} />],
          [say.cost.network, network ?? say.cost.unknown],
        ]}
      />
    </div>
  );
}
