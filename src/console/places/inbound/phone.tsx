/** The simulated phone: sends to the lines, and shows what simulator routes delivered. */
import type { PhoneTextAnswer } from "../../../operator/simulator.ts";
import { Card } from "../../components/blocks.tsx";
import { ErrorSummary, type FieldErrors, TextArea, TextField } from "../../components/forms.tsx";
import { ForeignText, Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { numberColumn, timeColumn } from "../../components/message-columns.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import { inboundWords, phoneWords } from "./words.ts";

export interface PhoneFields {
  from: string;
  to: string;
  text: string;
}

export interface PhoneView {
  fields: PhoneFields;
  errors: FieldErrors;
  /** Newest first. */
  received: readonly PhoneTextAnswer[];
}

export function PhonePage({ shell, view }: { shell: Shell; view: PhoneView }) {
  const { language } = useLocale();
  const say = phoneWords[language];
  const { fields, errors, received } = view;
  return (
    <PageLayout
      shell={shell}
      title={say.title}
      lead={say.lead}
      above={{ title: inboundWords[language].title, href: "/inbound" }}
    >
      <div class="stack">
        <Card title={say.send}>
          <PostForm class="form" action="/inbound/phone">
            <ErrorSummary errors={errors} />
            <div class="form-row">
              <TextField
                name="from"
                label={say.from}
                error={errors.from}
                value={fields.from}
                inputMode="tel"
                script="digits"
              />
              <TextField name="to" label={say.to} error={errors.to} value={fields.to} inputMode="tel" script="digits" />
            </div>
            <TextArea name="text" label={say.text} error={errors.text} value={fields.text} rows={3} />
            <p class="form-buttons">
              <button type="submit" class="button button-primary">
                {say.doSend}
              </button>
            </p>
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
  const { language } = useLocale();
  const say = phoneWords[language];
  const { head } = say;
  const columns: readonly Column<PhoneTextAnswer>[] = [
    timeColumn(head.time, ({ receivedAt }) => receivedAt),
    numberColumn(head.to, "/messages", ({ recipient }) => recipient),
    { head: head.text, phone: "line", cell: ({ message }) => <ForeignText text={message} clamp /> },
    { head: head.sender, phone: "word", cell: ({ sender }) => <Phone number={sender} /> },
  ];
  const keyOf = ({ trackingCode, receivedAt }: PhoneTextAnswer) => `${trackingCode} ${receivedAt}`;
  return <Records label={say.inbox} columns={columns} rows={texts} keyOf={keyOf} />;
}
