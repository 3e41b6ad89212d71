/** Sending one message or many: write, see the count and the cost, then send. */
import type { MessageEncoding } from "../../domain/message.ts";
import { Facts, type Figure, Figures } from "../components/blocks.tsx";
import {
  ErrorSummary,
  type FieldErrors,
  FileField,
  type Option,
  SelectField,
  TextArea,
  TextField,
} from "../components/forms.tsx";
import { Code, ForeignText, Icon, Phone } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { useLocale } from "../locale.ts";

export interface TextCount {
  characters: number;
  encoding: MessageEncoding;
  parts: number;
  /** Characters that still fit into the last part. */
  left: number;
  /** Rials for each recipient; null where nothing is charged. */
  cost: number | null;
}

export interface SendView {
  /** Null for a customer, who has one. */
  accounts: readonly Option[] | null;
  account: string;
  senders: readonly Option[];
  sender: string;
  recipients: string;
  text: string;
  /** As typed. */
  when: string;
  reference: string;
  count: TextCount;
  errors: FieldErrors;
}

export function SendPage({ shell, view }: { shell: Shell; view: SendView }) {
  const { words } = useLocale();
  const say = words.send;
  const { errors } = view;
  return (
    <PageLayout shell={shell} title={say.title} lead={say.lead}>
      <form class="send" method="post" action="/send/review" encType="multipart/form-data">
        <ErrorSummary errors={errors} />
        <div class="card form">
          <div class="form-row">
            {view.accounts === null ? null : (
              <SelectField name="account" label={say.account} value={view.account} options={view.accounts} />
            )}
            <SelectField name="sender" label={say.sender} value={view.sender} options={view.senders} script="digits" />
          </div>
          <TextArea
            name="recipients"
            label={say.recipients}
            hint={say.recipientsHint}
            error={errors.recipients}
            value={view.recipients}
            rows={4}
            script="digits"
          />
          <FileField name="file" label={say.file} hint={say.fileHint} accept=".csv,text/csv" optional />
          <TextArea
            name="text"
            label={say.text}
            error={errors.text}
            value={view.text}
            rows={5}
            live={{ post: "/send/count", target: "#count" }}
          />
          <div id="count">
            <TextCounts count={view.count} />
          </div>
          <div class="form-row">
            <TextField
              name="when"
              label={say.when}
              hint={say.whenHint}
              error={errors.when}
              value={view.when}
              placeholder={say.whenExample}
              script="digits"
              optional
            />
            <TextField name="reference" label={say.reference} value={view.reference} optional />
          </div>
        </div>
        <p class="form-buttons">
          <button type="submit" class="button button-primary">
            {say.review}
          </button>
        </p>
      </form>
    </PageLayout>
  );
}

/** Also sent alone while the text is typed. */
export function TextCounts({ count }: { count: TextCount }) {
  const { words, format } = useLocale();
  const say = words.send.count;
  const figures: Figure[] = [
    { label: say.characters, value: format.number(count.characters) },
    { label: say.parts, value: format.number(count.parts), note: say.left(format.count(count.left)) },
    { label: say.encoding, value: words.message.encoding[count.encoding] },
  ];
  if (count.cost !== null)
    figures.push({ label: say.perMessage, value: format.number(count.cost), unit: words.units.rial });
  return <Figures figures={figures} />;
}

export interface ReviewView {
  recipients: number;
  duplicates: number;
  refused: number;
  parts: number;
  cost: number | null;
  balanceAfter: number | null;
  /** Epoch milliseconds; null: at once. */
  startsAt: number | null;
  endsAt: number;
  route: string;
  sender: string;
  text: string;
  /** The number must be typed: so many are sent. */
  typed: { value: string; error?: string } | null;
}

export function ReviewPage({ shell, view }: { shell: Shell; view: ReviewView }) {
  const { words, format } = useLocale();
  const say = words.send;
  const name = say.fact;
  const recipients = format.count(view.recipients);
  return (
    <PageLayout shell={shell} title={say.reviewTitle} above={{ title: say.title, href: "/send" }}>
      <form class="send" method="post" action="/send">
        <div class="card form">
          <Facts
            facts={[
              [name.recipients, recipients.text],
              ...(view.duplicates === 0 ? [] : [[name.duplicates, format.number(view.duplicates)] as const]),
              ...(view.refused === 0 ? [] : [[name.refused, format.number(view.refused)] as const]),
              [name.parts, format.number(view.parts)],
              ...(view.cost === null ? [] : [[name.cost, format.money(view.cost)] as const]),
              ...(view.balanceAfter === null ? [] : [[name.balance, format.money(view.balanceAfter)] as const]),
              [name.starts, view.startsAt === null ? name.atOnce : format.dayAndClock(view.startsAt)],
              [name.ends, format.dayAndClock(view.endsAt)],
              [words.send.sender, <Phone number={view.sender} />],
              [name.via, <Code>{view.route}</Code>],
            ]}
          />
          <div>
            <p class="label">{say.preview}</p>
            <div class="bubble">
              <ForeignText text={view.text} />
            </div>
          </div>
          {view.typed === null ? null : (
            <TextField
              name="typed"
              label={say.typed(recipients.text)}
              value={view.typed.value}
              error={view.typed.error}
              size="short"
              inputMode="numeric"
              script="digits"
            />
          )}
        </div>
        <p class="form-buttons">
          <a class="button" href="/send">
            {say.change}
          </a>
          <button type="submit" class="button button-primary">
            <Icon name="send" mirror />
            {say.confirm(recipients)}
          </button>
        </p>
      </form>
    </PageLayout>
  );
}
