/** A customer's own account: its senders, its limits, and its quiet hours. */
import { accountFields } from "../../../fields/account.ts";
import type { FieldTexts } from "../../../fields/field.ts";
import type { SenderAnswer } from "../../../operator/answers.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import type { ListPart } from "../../components/collection.tsx";
import { DeclaredFields, declaredFacts } from "../../components/declared-fields.tsx";
import { ErrorSummary, type FieldErrors } from "../../components/forms.tsx";
import { Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { Records } from "../../components/records.tsx";
import { useLocale } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { ownAccountWords } from "./words.ts";

const { name: _, quietHours, quietSingles, ...limits } = accountFields;
export const quietFields = { quietHours, quietSingles };

export interface OwnAccountView {
  account: AnswerOf<"GET /accounts/:id">;
  quotas: AnswerOf<"GET /quotas/:of">;
  /** The first ones. */
  senders: ListPart<Pick<SenderAnswer, "sender" | "active">>;
  inherited: ServiceDefaults["account"];
  mayChangeQuietHours: boolean;
}

export function OwnAccountPage({ shell, view }: { shell: Shell; view: OwnAccountView }) {
  const locale = useLocale();
  const { language, words, format } = locale;
  const say = ownAccountWords[language];
  const { account, senders, quotas, mayChangeQuietHours } = view;
  const facts = { said: say.fields, values: account, inherited: { ...view.inherited } };
  const quota = (period: "day" | "month") => {
    const found = quotas.find((one) => one.period === period);
    return found === undefined
      ? say.unlimited
      : say.used(format.number(found.partsUsed), format.number(found.partsMax));
  };
  return (
    <PageLayout shell={shell} title={words.places.account} lead={say.lead}>
      <div class="stack">
        <Card title={say.senders} flush={senders.all > 0}>
          {senders.all === 0 ? <p class="muted">{say.noSenders}</p> : <Senders senders={senders} />}
        </Card>
        <Card title={say.limits}>
          <Facts
            facts={[[say.day, quota("day")], [say.month, quota("month")], ...declaredFacts(limits, facts, locale)]}
          />
        </Card>
        <Card
          title={say.quiet}
          actions={
            mayChangeQuietHours ? (
              <a class="button button-small" href="/account/quiet-hours">
                {say.change}
              </a>
            ) : null
          }
        >
          <p class="muted">
            {say.quietLead} {mayChangeQuietHours ? null : say.fixed}
          </p>
          <Facts facts={declaredFacts(quietFields, facts, locale)} />
        </Card>
      </div>
    </PageLayout>
  );
}

function Senders({ senders }: Pick<OwnAccountView, "senders">) {
  const { language, format } = useLocale();
  const say = ownAccountWords[language];
  const more = senders.all - senders.rows.length;
  return (
    <>
      <Records
        label={say.senders}
        columns={[
          { head: say.head.sender, phone: "title", cell: ({ sender }) => <Phone number={sender} /> },
          { head: say.head.state, phone: "aside", cell: ({ active }) => <Pill state={active ? "active" : "off"} /> },
        ]}
        rows={senders.rows}
        keyOf={({ sender }) => sender}
      />
      {more === 0 ? null : <p class="card-words muted">{say.more(format.number(more))}</p>}
    </>
  );
}

export interface QuietHoursView {
  texts: FieldTexts<typeof quietFields>;
  errors: FieldErrors;
  /** See `openedWith`. */
  opened: string;
  inherited: ServiceDefaults["account"];
}

export function QuietHoursPage({ shell, view }: { shell: Shell; view: QuietHoursView }) {
  const { language, words } = useLocale();
  const say = ownAccountWords[language];
  const { texts, errors, opened, inherited } = view;
  return (
    <PageLayout
      shell={shell}
      title={say.title}
      above={{ title: words.places.account, href: "/account" }}
      lead={say.quietLead}
    >
      <PostForm class="card card-form-page" action="/account/quiet-hours">
        <ErrorSummary errors={errors} />
        <input type="hidden" name="opened" value={opened} />
        <div class="form-group form">
          <DeclaredFields table={quietFields} said={say.fields} {...{ texts, errors, inherited }} />
        </div>
        <p class="form-foot">
          <button type="submit" class="button button-primary">
            {words.actions.save}
          </button>
          <a class="button button-quiet" href="/account">
            {words.actions.back}
          </a>
        </p>
      </PostForm>
    </PageLayout>
  );
}
