/** Peyk itself: visible to operators, changed by owners. */
import { readFileSync } from "node:fs";
import thirdParty from "../../../../docs/third-party.txt" with { type: "file" };
import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import type { Grade } from "../../../operator/finding.ts";
import type { ServiceFinding } from "../../../operator/service-finding.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import { useLocale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { document, download, type PageAnswer, type PageCall, page, partial, redirect } from "../../page/page.ts";
import { Backups, BackupsPage } from "./backups.tsx";
import { SettingsInUsePage, type SettingsInUseView } from "./settings-in-use.tsx";
import { clockQuestion, releaseQuestion, SystemPage, type SystemView } from "./system.tsx";
import { backupsWords, systemWords } from "./words.ts";

export const systemPages = [
  page({
    method: "GET",
    path: "/system",
    action: "system.read",
    answer: async (call) => document(<SystemPage shell={call.shell("system")} view={await systemView(call)} />),
  }),
  page({
    method: "GET",
    path: "/system/queue/release",
    action: "system.change",
    answer: ({ shell, locale }) => document(<ConfirmPage shell={shell("system")} view={releaseQuestion(locale)} />),
  }),
  page({
    method: "POST",
    path: "/system/queue/release",
    action: "system.change",
    answer: async ({ api }) => {
      await api("POST /queue/release");
      return redirect("/system", <DoneNotice of="released" />);
    },
  }),
  page({
    method: "GET",
    path: "/system/clock/confirm",
    action: "system.change",
    answer: ({ shell, locale }) => document(<ConfirmPage shell={shell("system")} view={clockQuestion(locale)} />),
  }),
  page({
    method: "POST",
    path: "/system/clock/confirm",
    action: "system.change",
    answer: async ({ api }) => {
      await api("POST /clock/confirm");
      return redirect("/system", <DoneNotice of="confirmed" />);
    },
  }),
  page({ method: "POST", path: "/system/certificate/reload", action: "system.change", answer: reloadCertificate }),
  page({
    method: "GET",
    path: "/system/settings",
    action: "system.read",
    answer: async ({ api, shell }) =>
      document(<SettingsInUsePage shell={shell("system")} view={await settingsInUseView(api)} />),
  }),
  page({ method: "GET", path: "/system/diagnostics", action: "system.read", answer: diagnostics }),
  page({ method: "GET", path: "/system/licences", action: "system.read", answer: async () => licences() }),
];

async function diagnostics({ api }: PageCall): Promise<PageAnswer> {
  const found = await api("GET /diagnostics");
  return download("peyk-diagnostics.json", "application/json", `${JSON.stringify(found, null, 2)}\n`);
}

const licences = () => download("third-party.txt", "text/plain", readFileSync(thirdParty, "utf8"));

async function systemView({ api, viewer }: PageCall): Promise<SystemView> {
  const [status, findings] = await Promise.all([api("GET /status"), gravestFindings(api)]);
  return { status, findings, mayChange: roleMay(viewer.role, "system.change") };
}

async function reloadCertificate({ api }: PageCall): Promise<PageAnswer> {
  try {
    await api("POST /certificate/reload");
    return redirect("/system", <DoneNotice of="reloaded" />);
  } catch (reason) {
    if (!(reason instanceof OperatorError && reason.code === "certificate_unusable")) throw reason;
    return redirect("/system", <UnusableNotice />);
  }
}

function DoneNotice({ of }: { of: "released" | "confirmed" | "reloaded" }) {
  const { language } = useLocale();
  return <Notice tone="ok">{systemWords[language][of]}</Notice>;
}

function UnusableNotice() {
  const { language } = useLocale();
  return <Notice tone="bad">{systemWords[language].notReloaded}</Notice>;
}

type CopyCall = PageCall<{ readonly name: string }>;

async function backups({ api, viewer, isPiece, shell }: PageCall): Promise<PageAnswer> {
  const view = { ...(await api("GET /backups")), mayDownload: roleMay(viewer.role, "system.change") };
  return isPiece ? partial(<Backups view={view} />) : document(<BackupsPage shell={shell("system")} view={view} />);
}

/** Starts an operation on a backup; `begun` says so. */
async function withCopy(
  begin: Promise<unknown>,
  begun: string,
  { locale: { language } }: PageCall,
): Promise<PageAnswer> {
  try {
    await begin;
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "backup_busy") throw reason;
    return redirect("/backups", <Notice tone="warn">{backupsWords[language].busy}</Notice>);
  }
  return redirect("/backups", <Notice tone="info">{begun}</Notice>);
}

const makeBackup = (call: PageCall) =>
  withCopy(call.api("POST /backups"), backupsWords[call.locale.language].begun, call);

const checkBackup = (call: CopyCall) => {
  const { name } = call.params;
  return withCopy(call.api("POST /backups/:name/check", { name }), backupsWords[call.locale.language].checkBegun, call);
};

async function fetchBackup({ api, params: { name }, signal }: CopyCall): Promise<PageAnswer> {
  const { type, body } = await api("POST /backups/:name/download", { name }, { signal });
  return download(name, type, body);
}

export const backupsPages = [
  page({ method: "GET", path: "/backups", action: "system.read", answer: backups }),
  page({ method: "POST", path: "/backups", action: "system.run", answer: makeBackup }),
  page({ method: "POST", path: "/backups/:name/check", action: "system.run", answer: checkBackup }),
  page({ method: "POST", path: "/backups/:name/download", action: "system.change", answer: fetchBackup }),
];

const gravity: readonly Grade[] = ["bad", "warn", "note", "ok"];

/** Most severe first. */
async function gravestFindings(api: ConsoleApi): Promise<ServiceFinding[]> {
  const { findings } = await api("GET /doctor");
  return findings.toSorted((a, b) => gravity.indexOf(a.grade) - gravity.indexOf(b.grade));
}

async function settingsInUseView(api: ConsoleApi): Promise<SettingsInUseView> {
  const { file, settings } = await api("GET /settings");
  const isDefault = ({ origin }: { origin: string }) => origin === "default";
  return { file, set: settings.filter((one) => !isDefault(one)), defaults: settings.filter(isDefault) };
}
