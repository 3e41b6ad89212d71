/** The unit, its helpers and the installer, embedded so that a binary always matches its unit. */
import installer from "../../install.sh" with { type: "text" };
import unit from "../../systemd/peyk.service" with { type: "text" };
import privilegedPort from "../../systemd/peyk.service.d/privileged-port.conf" with { type: "text" };
import users from "../../systemd/peyk.sysusers.conf" with { type: "text" };
import folders from "../../systemd/peyk.tmpfiles.conf" with { type: "text" };
import shipBackupPath from "../../systemd/peyk-ship-backup.path" with { type: "text" };
import shipBackup from "../../systemd/peyk-ship-backup.service" with { type: "text" };

export const installerName = "install.sh";

/** Where the Debian package puts the program, and the previous one that a failed upgrade returns to. */
const packageFolder = "/usr/lib/peyk";

/** For the Debian package, not the installer. */
export const isPackaged = (program = process.execPath): boolean => program.startsWith(`${packageFolder}/`);

/** Adapts a text to the package, which starts the program through a link and may execute both binaries behind it. */
export const packagedText = (text: string): string =>
  text
    .replaceAll(/^ExecPaths=\/usr\/local\/bin\/peyk$/gm, `ExecPaths=${packageFolder}`)
    .replaceAll("/usr/local/bin/peyk", "/usr/bin/peyk");

export const systemFiles: Readonly<Record<string, string>> = {
  [installerName]: installer,
  "peyk.service": unit,
  "privileged-port.conf": privilegedPort,
  "peyk.sysusers.conf": users,
  "peyk.tmpfiles.conf": folders,
  "peyk-ship-backup.service": shipBackup,
  "peyk-ship-backup.path": shipBackupPath,
};

/** The releases' public key, as named in the installer; empty if it names none. */
export const releaseKey = /^release_key=(\S*)$/m.exec(installer)?.[1] ?? "";
