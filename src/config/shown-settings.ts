/**
 * The settings for display: key, value and origin; values that may contain a secret or a person's address are only
 * shown as set.
 */
import { settingEntries } from "./entries.ts";
import { at, type Origin, originText } from "./settings.ts";

export interface SettingsInUse {
  settings: object;
  /** By dotted key. */
  origins: ReadonlyMap<string, Origin>;
}

export interface ShownSetting {
  key: string;
  /** As a TOML value; null if it is off. */
  value: unknown;
  /** `peyk.toml line 3`, `environment PEYK_LISTEN`, `default`. */
  origin: string;
}

/** `from`: the origin as data, so that it can be translated. */
export type SettingInUse = ShownSetting & { from: Origin };

const originOf = ({ origins }: SettingsInUse, key: string): Origin => origins.get(key) ?? { source: "default" };

/** Every setting, in the order of the registry. */
export function shownSettings(inUse: SettingsInUse): ShownSetting[] {
  return settingEntries.map(({ key, path }) => ({
    key,
    value: at(inUse.settings, path) ?? null,
    origin: originText(originOf(inUse, key)),
  }));
}

/** Shown in place of a confidential value. */
const hiddenValue = "(set)";

/** The same for readers elsewhere. */
export function settingsWithoutSecrets(inUse: SettingsInUse): SettingInUse[] {
  const confidential = new Set(settingEntries.filter(({ setting }) => setting.isConfidential).map(({ key }) => key));
  const isSet = (value: unknown) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
  return shownSettings(inUse).map((shown) => ({
    ...shown,
    value: confidential.has(shown.key) && isSet(shown.value) ? hiddenValue : shown.value,
    from: originOf(inUse, shown.key),
  }));
}
