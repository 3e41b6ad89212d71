/** `/diagnostics`: information for support, without secrets, texts or phone numbers. */

import { arch, platform, release } from "node:os";
import { isoTime } from "../platform/clock.ts";
import { alertAnswer } from "./alerts.ts";
import { backupAnswer } from "./backups.ts";
import type { OperatorDeps } from "./deps.ts";
import { serviceFindings } from "./doctor.ts";
import { reads } from "./operation.ts";
import { settingsAnswer } from "./settings.ts";
import { statusAnswer } from "./status.ts";

export const diagnosticsAdmin = {
  "GET /diagnostics": reads({
    may: "system.read",
    run: async (deps) => withoutNumbers(await diagnostics(deps)),
  }),
};

async function diagnostics(deps: OperatorDeps) {
  return {
    madeAt: isoTime(deps.clock.now()),
    machine: { bun: Bun.version, platform: platform(), release: release(), arch: arch() },
    status: await statusAnswer(deps),
    findings: serviceFindings(deps),
    backup: backupAnswer(deps),
    alerts: deps.alerts.all().map(alertAnswer),
    settings: settingsAnswer(deps),
  };
}

/** Warnings mention senders and recipients; digits after a colon are a port. */
function withoutNumbers<Document>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll(/(?<![:\d])\+?\d{5,}/g, "[number]") : value,
  );
}
