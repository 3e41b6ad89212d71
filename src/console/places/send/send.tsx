/** Sending one message or many: write, see the count and the cost, then send. */
import type { ComponentChildren } from "preact";
import type { MessageEncoding } from "../../../domain/message.ts";
import type { SendPreviewAnswer } from "../../../operator/sending.ts";
import { isoTime } from "../../../platform/clock.ts";
import { Empty, Facts, type Figure, Figures } from "../../components/blocks.tsx";
import { FormButtons, LinkButton, SubmitButton } from "../../components/buttons.tsx";
import {
  controlsOf,
  ErrorSummary,
  type FieldErrors,
  FileField,
  LivePiece,
  type Option,
  TextArea,
  TextField,
} from "../../components/forms.tsx";
import { ForeignText, Name, Phone, Slug } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { SenderField } from "../../components/listed-field.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { messageWords } from "../messages/words.ts";
import { sendWords } from "./words.ts";

export interface TextCount {
  characters: number;
  encoding: MessageEncoding;
  parts: number;
  /** Characters that still fit into the last part. */
  left: number;
}

/** The cost of sending as it stands. */
export interface SendCost {
  /** Each is charged. */
  recipients: number;
  /** In the currency's smallest unit. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** What a prepaid account would have left, negative if it cannot pay; null for any other account. */
  balanceAfter: number | null;
}

/** Null where nothing is charged. */
export function costOf({ recipients, price, currency, available }: SendPreviewAnswer): SendCost | null {
  if (price === null) return null;
  const balanceAfter = available === null ? null : available - price;
  return { recipients: recipients.length, amount: price, currency, balanceAfter };
}

/** The form's values, as typed. */
export interface SendFields {
  /** Account and sender, `acc_1/30001`, or what was typed. */
  from: string;
  recipients: string;
  text: string;
  when: string;
  reference: string;
  /** Created when the form is first rendered: a form posted twice sends once. */
  key: string;
}

interface SendView {
  fields: SendFields;
  senders: readonly Option[];
  count: TextCount;
  /** Null where nothing is charged, or something is still missing. */
  cost: SendCost | null;
  errors: FieldErrors;
}

export function SendPage(view: SendView) {
  const { words, say } = useLocale(sendWords);
  // The page for adding a sender.
  const toAccounts = <LinkButton look="primary" href="/accounts" label={words.places.accounts} />;
  const action = useIsCustomer() ? null : toAccounts;
  return (
    <PageLayout title={words.places.send} lead={say.lead}>
      {view.senders.length === 0 ? (
        <div class="card">
          <Empty
            icon="send"
            title={say.noSenderTitle}
            action={action}
            command="peyk sender add --account acc_1 --sender 30001234"
          >
            {say.noSender}
          </Empty>
        </div>
      ) : (
        <SendForm {...view} />
      )}
    </PageLayout>
  );
}

function SendForm({ fields, senders, count, cost, errors }: SendView) {
  const { words, say } = useLocale(sendWords);
  const control = controlsOf(fields, errors);
  return (
    <PostForm class="card form" action="/send/review" encType="multipart/form-data">
      <ErrorSummary errors={errors} />
      <input type="hidden" name="key" value={fields.key} />
      <SenderField {...control("from")} label={words.terms.sender} senders={senders} isOwn={useIsCustomer()} />
      <TextArea
        {...control("recipients")}
        label={words.terms.recipients}
        hint={say.recipientsHint}
        rows={4}
        script="digits"
      />
      <FileField
        name="file"
        label={words.terms.file}
        hint={say.fileHint}
        error={errors.file}
        accept=".csv,.txt,text/csv,text/plain"
        optional
      />
      <TextArea {...control("text")} label={words.terms.text} rows={5} />
      <LivePiece id="count" post="/send/count">
        <TextCounts count={count} cost={cost} />
      </LivePiece>
      <div class="form-row">
        <TextField
          {...control("when")}
          label={words.terms.when}
          hint={say.whenHint}
          placeholder={say.whenExample}
          script="digits"
          optional
        />
        <TextField {...control("reference")} label={words.terms.reference} optional />
      </div>
      <FormButtons label={say.review} />
    </PostForm>
  );
}

interface Counted {
  count: TextCount;
  cost: SendCost | null;
  /** The time that was typed; for the same by curl. */
  sendAt?: number | null;
}

/** Also submitted on its own while the user types. */
export function TextCounts({ count, cost, sendAt = null }: Counted) {
  const locale = useLocale();
  const { words, language, format } = locale;
  const say = sendWords[language].count;
  const figures: Figure[] = [
    { label: say.characters, value: format.number(count.characters) },
    { label: say.parts, value: format.number(count.parts), note: say.left(format.count(count.left)) },
    { label: words.terms.encoding, value: messageWords[language].encoding[count.encoding] },
  ];
  return (
    <div class="stack">
      {sendAt === null ? null : <input type="hidden" name="sendAt" value={isoTime(sendAt)} />}
      <Figures figures={figures} />
      {cost === null ? null : <Figures figures={costFigures(cost, locale)} />}
    </div>
  );
}

function costFigures(
  { recipients, amount, currency, balanceAfter }: SendCost,
  { language, format, words }: Locale,
): Figure[] {
  const { count, fact } = sendWords[language];
  const cost = {
    label: words.terms.cost,
    value: format.amount(amount, currency),
    note: count.to(format.count(recipients)),
  };
  if (balanceAfter === null) return [cost];
  const isShort = balanceAfter < 0;
  const balance = { label: fact.balance, value: format.amount(balanceAfter, currency) };
  return [cost, isShort ? { ...balance, tone: "bad", note: count.short } : balance];
}

interface ReviewView extends ReviewData {
  /** Who sends and pays, as accounts may share a sender; null for a customer. */
  account: string | null;
}

export interface ReviewData {
  /** With the recipients as they were understood, one per line. */
  fields: SendFields;
  preview: SendPreviewAnswer;
  /** The first of the entries that cannot be sent to. */
  refused: SendPreviewAnswer["refused"];
  /** Per message. */
  count: TextCount;
  /** In epoch milliseconds; null if unknown, or only a moment later. */
  endsAt: number | null;
  /** Null for a customer. */
  route: string | null;
  /** So many are sent that the number has to be typed to confirm. */
  typed: { value: string; error?: string } | null;
}

export function ReviewPage({ view }: { view: ReviewView }) {
  const { words, format, say } = useLocale(sendWords);
  const recipients = format.count(view.preview.recipients.length);
  const { fields, typed } = view;
  return (
    <PageLayout title={say.reviewTitle} above={{ title: words.places.send, href: "/send" }}>
      <PostForm class="card form" action="/send" encType="multipart/form-data">
        {typed?.error === undefined ? null : <ErrorSummary errors={{ typed: typed.error }} />}
        {Object.entries(fields).map(([name, value]) => (
          <HiddenText key={name} name={name} value={value} />
        ))}
        <ReviewFacts view={view} />
        <RefusedEntries view={view} />
        <div>
          <p class="label">{say.preview}</p>
          <div class="bubble">
            <ForeignText text={fields.text} />
          </div>
        </div>
        {typed === null ? null : (
          <TextField
            name="typed"
            label={say.typed(recipients.text)}
            value={typed.value}
            error={typed.error}
            inputMode="numeric"
            script="digits"
          />
        )}
        <p class="form-buttons">
          <SubmitButton look="primary" icon="send" label={say.confirm(recipients)} />
          <button type="submit" class="button" formAction="/send/edit" formNoValidate>
            {words.forms.change}
          </button>
        </p>
      </PostForm>
    </PageLayout>
  );
}

/** A single-line field would lose line breaks. */
function HiddenText({ name, value }: { name: string; value: string }) {
  if (!value.includes("\n")) return <input type="hidden" name={name} value={value} />;
  return (
    <textarea name={name} hidden>
      {value}
    </textarea>
  );
}

function ReviewFacts({ view }: { view: ReviewView }) {
  const locale = useLocale(sendWords);
  const { language, format, words, say } = locale;
  const name = say.fact;
  const { characters, encoding, parts } = view.count;
  const { recipients, repeats, refusedCount, partCount, sendAt, sender } = view.preview;
  const cost = costOf(view.preview);
  return (
    <Facts
      facts={[
        [words.terms.recipients, format.number(recipients.length)],
        ...(repeats === 0 ? [] : [[name.duplicates, format.number(repeats)] as const]),
        ...(refusedCount === 0 ? [] : [[name.refused, format.number(refusedCount)] as const]),
        [name.parts, format.number(recipients.length * partCount)],
        [
          name.each,
          words.counts.size(format.count(parts), format.count(characters), messageWords[language].encoding[encoding]),
        ],
        ...(cost === null ? [] : costFigures(cost, locale).map(costFact)),
        [name.starts, sendAt === null ? name.atOnce : format.dayAndClock(sendAt)],
        ...(view.endsAt === null ? [] : [[name.ends, format.dayAndClock(view.endsAt)] as const]),
        [words.terms.sender, <Phone number={sender} />],
        ...(view.account === null ? [] : [[words.terms.account, <Name>{view.account}</Name>] as const]),
        ...(view.route === null ? [] : [[name.via, <Slug>{view.route}</Slug>] as const]),
      ]}
    />
  );
}

function costFact({ label, value, tone, note }: Figure): readonly [string, ComponentChildren] {
  if (tone === undefined) return [label, value];
  return [
    label,
    <span key={label} class={`ink-${tone}`}>
      {value} · {note}
    </span>,
  ];
}

function RefusedEntries({ view: { refused, preview } }: { view: ReviewView }) {
  const { format, say } = useLocale(sendWords);
  if (refused.length === 0) return null;
  return (
    <details>
      <summary>{say.refusedTitle(format.count(preview.refusedCount))}</summary>
      <ul class="refused">
        {refused.map(({ position, value, problem }) => (
          <li key={position}>
            <span class="muted">{say.entry(format.plain(position))}</span>
            <bdi class="refused-value">{value}</bdi>
            <span>{say.refused[problem]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
