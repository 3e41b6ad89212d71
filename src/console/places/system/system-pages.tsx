/** Peyk itself: visible to operators, changed by owners. */
import { readFileSync } from "node:fs";
import thirdParty from "../../../../docs/third-party.txt" with { type: "file" };
import type { Grade } from "../../../operator/finding.ts";
import type { ServiceFinding } from "../../../operator/service-finding.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { download, type PageAnswer, type PageCall } from "../../page/page.ts";
import { done, isRefused, notDone, usualPages } from "../../page/usual-pages.tsx";
import { BackupsPage } from "./backups.tsx";
import { SettingsInUsePage } from "./settings-in-use.tsx";
import { SystemPage } from "./system.tsx";
import { backupsWords, systemWords } from "./words.ts";

const { shown, live, question, button } = usualPages("system", { read: "system.read", change: "system.change" });

const wordsOf = ({ locale }: PageCall) => systemWords[locale.language];
const backupsWordsOf = ({ locale }: PageCall) => backupsWords[locale.language];

const gravity: readonly Grade[] = ["bad", "warn", "note", "ok"];

/** Most severe first. */
async function gravestFindings(api: ConsoleApi): Promise<ServiceFinding[]> {
  const { findings } = await api("GET /doctor");
  return findings.toSorted((a, b) => gravity.indexOf(a.grade) - gravity.indexOf(b.grade));
}

async function settingsInUse({ api }: PageCall) {
  const { file, settings } = await api("GET /settings");
  const isDefault = ({ origin }: { origin: string }) => origin === "default";
  const [set, defaults] = [settings.filter((one) => !isDefault(one)), settings.filter(isDefault)];
  return <SettingsInUsePage {...{ file, set, defaults }} />;
}

export const systemPages = [
  shown("/system", async ({ api }) => {
    const [status, findings] = await Promise.all([api("GET /status"), gravestFindings(api)]);
    return <SystemPage {...{ status, findings }} />;
  }),
  ...question("/system/queue/release", {
    ask: (call) => ({ words: wordsOf(call).releaseQuestion, back: "/system" }),
    async run(call) {
      await call.api("POST /queue/release");
      return done("/system", wordsOf(call).released);
    },
  }),
  ...question("/system/clock/confirm", {
    ask: (call) => ({ words: wordsOf(call).clockQuestion, back: "/system" }),
    async run(call) {
      await call.api("POST /clock/confirm");
      return done("/system", wordsOf(call).confirmed);
    },
  }),
  button("/system/certificate/reload", async (call) => {
    const isUnusable = await isRefused(call.api("POST /certificate/reload"), "certificate_unusable");
    return isUnusable ? notDone("/system", wordsOf(call).notReloaded) : done("/system", wordsOf(call).reloaded);
  }),
  shown("/system/settings", settingsInUse),
  shown("/system/diagnostics", async ({ api }) => {
    const found = await api("GET /diagnostics");
    return download("peyk-diagnostics.json", "application/json", `${JSON.stringify(found, null, 2)}\n`);
  }),
  shown("/system/licences", () => download("third-party.txt", "text/plain", readFileSync(thirdParty, "utf8"))),
];

/** Starts an operation on a backup; `begun` says so. */
async function begin(call: PageCall, begun: string, started: Promise<unknown>): Promise<PageAnswer> {
  const isBusy = await isRefused(started, "backup_busy");
  return isBusy
    ? done("/backups", backupsWordsOf(call).busy, { tone: "warn" })
    : done("/backups", begun, { tone: "info" });
}

const running = { action: "system.run" } as const;

export const backupsPages = [
  ...live("/backups", { load: ({ api }) => api("GET /backups"), View: BackupsPage }),
  button("/backups", (call) => begin(call, backupsWordsOf(call).begun, call.api("POST /backups")), running),
  button(
    "/backups/:name/check",
    (call) =>
      begin(call, backupsWordsOf(call).checkBegun, call.api("POST /backups/:name/check", { name: call.params.name })),
    running,
  ),
  button("/backups/:name/download", async ({ api, params: { name }, signal }) => {
    const { type, body } = await api("POST /backups/:name/download", { name }, { signal });
    return download(name, type, body);
  }),
];
