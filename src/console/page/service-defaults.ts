/** What applies to accounts and keys that have no values of their own: mostly what the settings say. */
import type { Settings } from "../../config/settings.ts";
import { defaultBounds } from "../../domain/customer-limits.ts";

/** By the names of the declared fields; a field without a setting is absent. */
export interface ServiceDefaults {
  account: {
    timeZone: string;
    countries: readonly string[];
    quietHours: readonly string[];
    quietSingles: boolean;
    retentionDays: number;
  } & typeof defaultBounds;
  key: { rate: number };
}

type DefaultSettings = Pick<Settings, "defaultTimeZone" | "sending" | "quietHours" | "messages" | "http">;

export const serviceDefaults = (settings: DefaultSettings): ServiceDefaults => ({
  account: {
    timeZone: settings.defaultTimeZone,
    countries: settings.sending.countries,
    quietHours: settings.quietHours.windows,
    quietSingles: settings.quietHours.singles,
    retentionDays: settings.messages.retentionDays,
    ...defaultBounds,
  },
  key: { rate: settings.http.requestsPerMinute },
});
