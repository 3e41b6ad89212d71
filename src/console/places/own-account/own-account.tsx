/** A customer's own account: its senders, its limits, and its quiet hours. */
import { accountFields } from "../../../fields/account.ts";
import type { FieldTexts } from "../../../fields/field.ts";
import type { SenderAnswer } from "../../../operator/answers.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import type { ListPart } from "../../components/collection.tsx";
import { DeclaredFields, declaredFacts, SettingFacts, settingFacts } from "../../components/declared-fields.tsx";
import { FormPage } from "../../components/form-page.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { Pill } from "../../components/pill.tsx";
import { Records } from "../../components/records.tsx";
import { useLocale, useWords } from "../../locale.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { askingWords } from "./asking-words.ts";
import { ownAccountWords } from "./words.ts";

const { name: _, quietHours, quietSingles, ...limits } = accountFields;
export const quietFields = { quietHours, quietSingles };

interface OwnAccount {
  account: AnswerOf<"GET /accounts/:id">;
  quotas: AnswerOf<"GET /quotas/:of">;
  /** The first ones. */
  senders: ListPart<Pick<SenderAnswer, "sender" | "active">>;
  inherited: ServiceDefaults["account"];
  mayChangeQuietHours: boolean;
}

export function OwnAccountPage({ account, senders, quotas, inherited, mayChangeQuietHours }: OwnAccount) {
  const locale = useLocale(ownAccountWords);
  const { words, format, say } = locale;
  const facts = { said: say.fields, values: account, inherited: { ...inherited } };
  const { own, usual } = settingFacts(limits, facts, locale);
  const quota = (period: "day" | "month") => {
    const found = quotas.find((one) => one.period === period);
    return found === undefined
      ? say.unlimited
      : say.used(format.number(found.partsUsed), format.number(found.partsMax));
  };
  return (
    <PageLayout title={words.places.account} lead={say.lead}>
      <div class="stack">
        <Card
          title={say.senders}
          flush={senders.all > 0}
          actions={<LinkButton look="quiet small" href="/senders/ask" label={useWords(askingWords).title} />}
        >
          {senders.all === 0 ? <p class="muted">{say.noSenders}</p> : <Senders senders={senders} />}
        </Card>
        <Card title={words.terms.limits}>
          <SettingFacts own={[[say.day, quota("day")], [say.month, quota("month")], ...own]} usual={usual} />
        </Card>
        <Card
          title={say.quiet}
          actions={
            mayChangeQuietHours ? (
              <LinkButton look="small" href="/account/quiet-hours" label={words.forms.change} />
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

function Senders({ senders }: Pick<OwnAccount, "senders">) {
  const { words, format, say } = useLocale(ownAccountWords);
  const more = senders.all - senders.rows.length;
  return (
    <>
      <Records
        label={say.senders}
        columns={[
          { head: say.head.sender, phone: "title", cell: ({ sender }) => <Phone number={sender} /> },
          { head: words.terms.state, phone: "aside", cell: ({ active }) => <Pill state={active ? "active" : "off"} /> },
        ]}
        rows={senders.rows}
        keyOf={({ sender }) => sender}
      />
      {more === 0 ? null : <p class="card-words muted">{say.more(format.number(more))}</p>}
    </>
  );
}

interface QuietHoursForm {
  texts: FieldTexts<typeof quietFields>;
  errors: FieldErrors;
  /** See `openedWith`. */
  opened: string;
  inherited: ServiceDefaults["account"];
}

export function QuietHoursPage({ texts, errors, opened, inherited }: QuietHoursForm) {
  const { words, say } = useLocale(ownAccountWords);
  const above = { title: words.places.account, href: "/account" };
  return (
    <FormPage title={say.title} {...{ above, errors }} lead={say.quietLead}>
      <input type="hidden" name="opened" value={opened} />
      <div class="form-group form">
        <DeclaredFields table={quietFields} said={say.fields} {...{ texts, errors, inherited }} />
      </div>
    </FormPage>
  );
}
