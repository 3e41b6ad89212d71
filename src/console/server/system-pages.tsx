/** Peyk itself: read by operators, changed by owners. */
import { readFileSync } from "node:fs";
import thirdParty from "../../../docs/third-party.txt" with { type: "file" };
import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import { Notice } from "../components/blocks.tsx";
import { gravestFindings, settingsInUseView } from "../data/system.ts";
import { useLocale } from "../locale.ts";
import { ConfirmPage } from "../pages/confirm.tsx";
import { SettingsInUsePage } from "../pages/settings-in-use.tsx";
import { clockQuestion, releaseQuestion, SystemPage, type SystemView } from "../pages/system.tsx";
import { document, download, type PageAnswer, type PageCall, page, redirect } from "./page.ts";

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
  const {
    version,
    startedAt,
    dataDir,
    listen,
    consoleListen,
    portalListen,
    backup,
    disk,
    certificate,
    heldSince,
    clock,
  } = await api("GET /status");
  const timeOrNull = (text: string | null) => (text === null ? null : Date.parse(text));
  const since = timeOrNull(heldSince);
  return {
    version,
    startedAt: Date.parse(startedAt),
    dataDir,
    listeners: { api: listen, console: consoleListen, portal: portalListen },
    freeBytes: disk.freeBytes,
    backup: {
      newestAt: timeOrNull(backup.newestAt),
      shippedAt: timeOrNull(backup.shippedAt),
      shipFailure: backup.shipFailure,
    },
    certificateEndsAt: timeOrNull(certificate.endsAt),
    held: since === null ? null : { since },
    clockAheadMs: clock.aheadMs,
    booksAheadMs: clock.booksAheadMs,
    findings: await gravestFindings(api),
    mayChange: roleMay(viewer.role, "system.change"),
  };
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
  const { words } = useLocale();
  return <Notice tone="ok">{words.system[of]}</Notice>;
}

function UnusableNotice() {
  const { words } = useLocale();
  return <Notice tone="bad">{words.system.notReloaded}</Notice>;
}
