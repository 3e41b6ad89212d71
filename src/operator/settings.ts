/** `/settings`: what the service was started with, and where each value came from. */

import { settingsWithoutSecrets } from "../config/shown-settings.ts";
import type { OperatorDeps } from "./deps.ts";
import { reads } from "./operation.ts";

type SettingsDeps = Pick<OperatorDeps, "settings" | "settingsSource">;

export function settingsAnswer({ settings, settingsSource: { file, origins } }: SettingsDeps) {
  /** `file`: the one that was read, or null. A confidential value is only reported as set. */
  return { file, settings: settingsWithoutSecrets({ settings, origins }) };
}

export const settingsAdmin = {
  "GET /settings": reads({ may: "system.read", run: settingsAnswer }),
};
