/** Writes the settings as text: a commented file with every key, and values in TOML. */
import { stringify } from "smol-toml";
import { type SettingEntry, settingEntries } from "./entries.ts";

/** `"text"`, `120`, `["a", "b"]`; null, which TOML lacks, becomes an empty text. */
export function tomlValue(value: unknown): string {
  return stringify({ value: value ?? "" })
    .replace(/^value = /, "")
    .trimEnd();
}

/** A value's type and limits: `integer, 1 to 3650 days`. */
export function shapeText({ setting }: SettingEntry): string {
  const range = setting.bounds === null ? "" : `, ${setting.bounds.min} to ${setting.bounds.max}`;
  return `${setting.shape}${range}${setting.unit === null ? "" : ` ${setting.unit}`}`;
}

/** A complete `peyk.toml` in which every line is a comment: meaning, environment name and default of each key. */
export function exampleFile(): string {
  const lines = ["# Peyk's settings. A flag wins over the environment, the environment over this file.", ""];
  const sectionOf = ({ key }: SettingEntry) => key.slice(0, Math.max(key.lastIndexOf("."), 0));
  // Keys outside any section come first: after a section header, TOML would assign them to that section.
  const sections = [...Map.groupBy(settingEntries, sectionOf)].sort(([a], [b]) => Number(a !== "") - Number(b !== ""));
  for (const [section, entries] of sections) {
    if (section !== "") lines.push(`[${section}]`, "");
    for (const entry of entries) {
      const { help, default: value } = entry.setting;
      const name = entry.key.slice(entry.key.lastIndexOf(".") + 1);
      lines.push(
        `# ${help}`,
        `# ${shapeText(entry)}; environment: ${entry.environment}`,
        `#${name} = ${tomlValue(value)}`,
        "",
      );
    }
  }
  return lines.join("\n");
}
