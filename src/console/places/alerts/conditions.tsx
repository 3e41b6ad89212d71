/** Everything that alerts are raised for, each with its limit, and what silences one for a time. */
import type { ConditionLimit } from "../../../conditions/condition.ts";
import { type ConditionCode, conditionName } from "../../../conditions/conditions.ts";
import { Card } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { SelectField } from "../../components/forms.tsx";
import { Icon, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { TonePill } from "../../components/pill.tsx";
import { PostForm } from "../../components/post-form.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { conditionHelpHref } from "./condition-help.ts";
import { severityTones } from "./severity.ts";
import { alertsWords } from "./words.ts";

export interface WatchedCondition {
  condition: ConditionCode;
  severity: "page" | "ticket";
  holdMs: number;
  limit: ConditionLimit | null;
}

export interface ShownSilence {
  condition: string;
  subject: string | null;
  until: string;
}

interface ConditionsProps {
  conditions: readonly WatchedCondition[];
  silences: readonly ShownSilence[];
  maySilence: boolean;
}

export function ConditionsPage({ shell, ...props }: ConditionsProps & { shell: Shell }) {
  const { language, words } = useLocale();
  const say = alertsWords[language];
  return (
    <PageLayout
      shell={shell}
      title={say.conditions}
      above={{ title: words.places.alerts, href: "/alerts" }}
      lead={say.conditionsLead}
    >
      <Card flush>
        <Conditions {...props} />
      </Card>
    </PageLayout>
  );
}

function Conditions({ conditions, silences, maySilence }: ConditionsProps) {
  const locale = useLocale();
  const { language } = locale;
  const say = alertsWords[language];
  const columns: readonly Column<WatchedCondition>[] = [
    {
      head: say.condition,
      phone: "title",
      cell: ({ condition }) => (
        <a href={conditionHelpHref(condition, language)}>{conditionName(condition, language)}</a>
      ),
    },
    {
      head: say.severity,
      phone: "aside",
      cell: ({ severity }) => <TonePill tone={severityTones[severity]}>{say.severities[severity]}</TonePill>,
    },
    { head: say.limit, phone: "line", fills: true, cell: (watched) => toldWhen(watched, locale) },
    {
      head: say.silence,
      phone: "line",
      buttons: true,
      cell: ({ condition }) => (
        <SilenceCell
          of={{ condition, subject: null }}
          until={silences.find((one) => one.condition === condition && one.subject === null)?.until ?? null}
          may={maySilence}
        />
      ),
    },
  ];
  return <Records label={say.conditions} columns={columns} rows={conditions} keyOf={({ condition }) => condition} />;
}

function toldWhen({ limit, holdMs }: WatchedCondition, locale: Locale): string {
  const say = alertsWords[locale.language];
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
  may: boolean;
}

export function SilenceCell({ of: { condition, subject }, until, may }: SilenceCellProps) {
  const say = alertsWords[useLocale().language];
  const named = { condition, ...(subject !== null && { subject }) };
  if (until === null) {
    if (!may) return null;
    return (
      <a class="button button-quiet button-small" href={`/alerts/silence?${new URLSearchParams(named)}`} data-dialog="">
        <Icon name="pause" />
        {say.silenceIt}
      </a>
    );
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
          <button type="submit" class="button button-quiet button-small">
            {say.endSilence}
          </button>
        </PostForm>
      ) : null}
    </>
  );
}

export const silenceHours = [1, 4, 24, 168] as const;
const hourMs = 3_600_000;

export function silenceQuestion(
  condition: ConditionCode,
  subject: string | null,
  { language, format, words }: Locale,
): ConfirmView {
  const say = alertsWords[language];
  const name = conditionName(condition, language);
  const named = new URLSearchParams({ condition, ...(subject !== null && { subject }) });
  return {
    question: say.silenceQuestion(subject === null ? name : say.nameOf(name, subject)),
    goes: [say.silenceGoes],
    stays: [say.silenceStays],
    action: `/alerts/silence?${named}`,
    doIt: say.silenceIt,
    keep: words.confirm.keep,
    back: "/alerts",
    choices: (
      <SelectField
        name="hours"
        label={say.silenceFor}
        value="4"
        options={silenceHours.map((hours) => ({ value: String(hours), label: format.duration(hours * hourMs) }))}
      />
    ),
  };
}
