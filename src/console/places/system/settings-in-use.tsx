/** The settings that the service was started with, and where each came from. */

import type { SettingInUse } from "../../../config/shown-settings.ts";
import { Card, Facts } from "../../components/blocks.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { Code } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { type Column, Records } from "../../components/records.tsx";
import { SystemTabs } from "../../components/system-tabs.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { settingsInUseWords } from "./words.ts";

interface SettingsInUse {
  file: string | null;
  /** Those set by flag, environment or file. */
  set: readonly SettingInUse[];
  defaults: readonly SettingInUse[];
}

export function SettingsInUsePage({ file, set, defaults }: SettingsInUse) {
  const { words, format, say } = useLocale(settingsInUseWords);
  const [key, value, origin] = useColumns();
  return (
    <PageLayout title={words.places.settingsInUse} lead={say.lead}>
      <SystemTabs current="/system/settings" />
      <div class="stack">
        <Card>
          <Facts facts={[[say.file, file === null ? say.noFile : <Code key="file">{file}</Code>]]} />
        </Card>
        <RecordsCard title={say.set} columns={[key, value, origin]} rows={set} keyOf={(one) => one.key}>
          {say.setNone}
        </RecordsCard>
        <details class="card card-flush more">
          <summary>
            <span class="form-fold-title">{say.defaults}</span>
            <span class="form-fold-note">{format.number(defaults.length)}</span>
          </summary>
          <Records label={say.defaults} columns={[key, value]} rows={defaults} keyOf={(one) => one.key} />
        </details>
      </div>
    </PageLayout>
  );
}

type SettingColumn = Column<SettingInUse>;

function useColumns(): readonly [SettingColumn, SettingColumn, SettingColumn] {
  const { words, say } = useLocale(settingsInUseWords);
  return [
    { head: say.key, phone: "title", cell: ({ key }) => <Code>{key}</Code> },
    {
      head: say.value,
      phone: "line",
      cell: ({ value }) => (isOff(value) ? <span class="muted">{say.off}</span> : <Code>{valueText(value)}</Code>),
    },
    { head: words.terms.from, phone: "line", cell: ({ from }) => <OriginText from={from} /> },
  ];
}

function OriginText({ from }: Pick<SettingInUse, "from">) {
  const { format } = useLocale();
  const say = useWords(settingsInUseWords).origins;
  switch (from.source) {
    case "file":
      return (
        <>
          <Code>{from.file}</Code>
          {from.line === null ? null : ` ${say.line(format.count(from.line))}`}
        </>
      );
    case "flag":
    case "environment":
      return (
        <>
          {say[from.source]} <Code>{from.name}</Code>
        </>
      );
    case "default":
      return <>{say.default}</>;
  }
}

const isOff = (value: unknown): boolean =>
  value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);

const valueText = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : String(value));
