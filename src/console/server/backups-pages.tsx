/** The copies of the database: operators make and check them, owners fetch them. */
import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import { Notice } from "../components/blocks.tsx";
import { backupsView } from "../data/system.ts";
import { Backups, BackupsPage } from "../pages/backups.tsx";
import { document, download, type PageAnswer, type PageCall, page, partial, redirect } from "./page.ts";

type CopyCall = PageCall<{ readonly name: string }>;

async function backups({ api, viewer, isPiece, shell }: PageCall): Promise<PageAnswer> {
  const view = await backupsView(api, roleMay(viewer.role, "system.change"));
  return isPiece ? partial(<Backups view={view} />) : document(<BackupsPage shell={shell("system")} view={view} />);
}

/** Begins something with a copy; `begun` tells so. */
async function withCopy(begin: Promise<unknown>, begun: string, { locale: { words } }: PageCall): Promise<PageAnswer> {
  try {
    await begin;
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "backup_busy") throw reason;
    return redirect("/backups", <Notice tone="warn">{words.backups.busy}</Notice>);
  }
  return redirect("/backups", <Notice tone="info">{begun}</Notice>);
}

const makeBackup = (call: PageCall) => withCopy(call.api("POST /backups"), call.locale.words.backups.begun, call);

const checkBackup = (call: CopyCall) => {
  const { name } = call.params;
  return withCopy(call.api("POST /backups/:name/check", { name }), call.locale.words.backups.checkBegun, call);
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
