/** The simulated phone: sends to the lines, and shows what simulator routes delivered. */
import type { PhoneTextAnswer } from "../../../operator/simulator.ts";
import { Card } from "../../components/blocks.tsx";
import { FormButtons } from "../../components/buttons.tsx";
import { controlsOf, ErrorSummary, type FormState, TextArea, TextField } from "../../components/forms.tsx";
import { ForeignText, Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { numberColumn, timeColumn } from "../../components/message-columns.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { phoneWords } from "./words.ts";

interface SimulatedPhone extends FormState<"from" | "to" | "text"> {
  /** Newest first. */
  received: readonly PhoneTextAnswer[];
}

export function PhonePage({ received, texts, errors }: SimulatedPhone) {
  const { words, say } = useLocale(phoneWords);
  const control = controlsOf(texts, errors);
  return (
    <PageLayout title={say.title} lead={say.lead} above={{ title: words.places.inbound, href: "/inbound" }}>
      <div class="stack">
        <Card title={say.send}>
          <PostForm class="form" action="/inbound/phone">
            <ErrorSummary errors={errors} />
            <div class="form-row">
              <TextField {...control("from")} label={say.from} inputMode="tel" script="digits" />
              <TextField {...control("to")} label={say.to} inputMode="tel" script="digits" />
            </div>
            <TextArea {...control("text")} label={words.terms.text} rows={3} />
            <FormButtons label={say.doSend} />
          </PostForm>
        </Card>
        <Card title={say.inbox} flush={received.length > 0}>
          {received.length === 0 ? <p class="muted">{say.inboxEmpty}</p> : <Received texts={received} />}
        </Card>
      </div>
    </PageLayout>
  );
}

function Received({ texts }: { texts: readonly PhoneTextAnswer[] }) {
  const { words, say } = useLocale(phoneWords);
  const { head } = say;
  const columns: readonly Column<PhoneTextAnswer>[] = [
    timeColumn(words.terms.time, ({ receivedAt }) => receivedAt),
    numberColumn(head.to, "/messages", ({ recipient }) => recipient),
    { head: words.terms.text, phone: "line", cell: ({ message }) => <ForeignText text={message} clamp /> },
    { head: words.terms.sender, phone: "word", cell: ({ sender }) => <Phone number={sender} /> },
  ];
  const keyOf = ({ trackingCode, receivedAt }: PhoneTextAnswer) => `${trackingCode} ${receivedAt}`;
  return <Records label={say.inbox} columns={columns} rows={texts} keyOf={keyOf} />;
}
