/** Data for the pages about the service itself. */
import type { Grade } from "../../../operator/finding.ts";
import type { ServiceFinding } from "../../../operator/service-finding.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { epochOf, epochOrNull } from "../messages/message-state.ts";
import type { BackupsView } from "./backups.tsx";
import type { SettingsInUseView } from "./settings-in-use.tsx";

const gravity: readonly Grade[] = ["bad", "warn", "note", "ok"];

/** Most severe first. */
export async function gravestFindings(api: ConsoleApi): Promise<ServiceFinding[]> {
  const { findings } = await api("GET /doctor");
  return findings.toSorted((a, b) => gravity.indexOf(a.grade) - gravity.indexOf(b.grade));
}

export async function settingsInUseView(api: ConsoleApi): Promise<SettingsInUseView> {
  const { file, settings } = await api("GET /settings");
  const isDefault = ({ origin }: { origin: string }) => origin === "default";
  return { file, set: settings.filter((one) => !isDefault(one)), defaults: settings.filter(isDefault) };
}

export async function backupsView(api: ConsoleApi, mayDownload: boolean): Promise<BackupsView> {
  const { makingSince, failure, failureProblem, copies } = await api("GET /backups");
  return {
    makingSince: epochOrNull(makingSince),
    failure: failure === null ? null : { words: failure, ...failureProblem },
    copies: copies.map(({ check, madeAt, ...copy }) => ({
      ...copy,
      madeAt: epochOf(madeAt),
      check: check?.state ?? "unchecked",
      unusable: check?.state === "unusable" ? check : null,
    })),
    mayDownload,
  };
}
