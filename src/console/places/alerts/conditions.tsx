/** Everything that alerts are raised for, each with its limit, and what silences one for a time. */
import type { ConditionLimit } from "../../../conditions/condition.ts";
import { conditionName } from "../../../conditions/conditions.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { Card } from "../../components/blocks.tsx";
import { LinkButton, SubmitButton } from "../../components/buttons.tsx";
import { SelectField } from "../../components/forms.tsx";
import { Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { conditionHelpHref } from "./condition-help.ts";
import { severityTones } from "./severity.ts";
import { alertsWords } from "./words.ts";

type WatchedCondition = AnswerOf<"GET /alerts/conditions">[number];

interface ConditionsProps {
  conditions: readonly WatchedCondition[];
  silences: AnswerOf<"GET /alerts">["silences"];
}

export function ConditionsPage({ conditions, silences }: ConditionsProps) {
  const { language, words, say } = useLocale(alertsWords);
  const nameOf = ({ condition }: WatchedCondition) => (
    <a href={conditionHelpHref(condition, language)}>{conditionName(condition, language)}</a>
  );
  const silenceOf = ({ condition }: WatchedCondition) => {
    const silence = silences.find((one) => one.condition === condition && one.subject === null);
    return <SilenceCell of={{ condition, subject: null }} until={silence?.until ?? null} />;
  };
  const columns: readonly Column<WatchedCondition>[] = [
    { head: say.condition, phone: "title", cell: nameOf },
    { head: say.severity, phone: "aside", cell: ({ severity }) => <SeverityPill severity={severity} /> },
    { head: say.limit, phone: "line", fills: true, cell: (watched) => <ToldWhen {...watched} /> },
    { head: say.silence, phone: "line", buttons: true, cell: silenceOf },
  ];
  const above = { title: words.places.alerts, href: "/alerts" };
  return (
    <PageLayout title={say.conditions} above={above} lead={say.conditionsLead}>
      <Card flush>
        <Records label={say.conditions} columns={columns} rows={conditions} keyOf={({ condition }) => condition} />
      </Card>
    </PageLayout>
  );
}

export function SeverityPill({ severity }: Pick<WatchedCondition, "severity">) {
  return <TonePill tone={severityTones[severity]}>{useWords(alertsWords).severities[severity]}</TonePill>;
}

function ToldWhen({ limit, holdMs }: WatchedCondition) {
  const locale = useLocale();
  const say = useWords(alertsWords);
  const lasting = holdMs === 0 ? null : say.lasting(locale.format.duration(holdMs));
  if (limit === null) return lasting === null ? say.whenFound : say.found(lasting);
  return [limitText(limit, locale), lasting].filter((text) => text !== null).join(" ");
}

function limitText(limit: ConditionLimit, { language, format }: Locale): string {
  const say = alertsWords[language];
  const { kind, is, value } = limit;
  const texts = {
    bytes: () => format.bytes(value),
    duration: () => format.duration(value),
    percent: () => format.percent(value),
    number: () => format.number(value),
    perSecond: () => say.perSecond(format.decimal(value)),
  };
  return say[is](texts[kind]());
}

interface SilenceCellProps {
  of: { condition: string; subject: string | null };
  /** Null: not silenced. */
  until: string | null;
}

export function SilenceCell({ of: { condition, subject }, until }: SilenceCellProps) {
  const say = useWords(alertsWords);
  const may = useMay("system.run");
  const named = { condition, ...(subject !== null && { subject }) };
  if (until === null) {
    const href = `/alerts/silence?${new URLSearchParams(named)}`;
    return may ? <LinkButton look="quiet small" href={href} icon="pause" label={say.silenceIt} dialog /> : null;
  }
  return (
    <>
      <span class="muted">
        {say.silencedUntil} <Time at={Date.parse(until)} as="dayAndClock" />
      </span>
      {may ? (
        <PostForm class="inline-form" action="/alerts/silence/end">
          {Object.entries(named).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <SubmitButton look="quiet small" label={say.endSilence} />
        </PostForm>
      ) : null}
    </>
  );
}

export const silenceHours = [1, 4, 24, 168] as const;
const hourMs = 3_600_000;

export function SilenceChoice() {
  const { format } = useLocale();
  const { silenceFor } = useWords(alertsWords);
  const options = silenceHours.map((hours) => ({ value: String(hours), label: format.duration(hours * hourMs) }));
  return <SelectField name="hours" label={silenceFor} value="4" options={options} />;
}
