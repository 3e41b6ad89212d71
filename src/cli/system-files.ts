/** The unit, its helpers and the installer, embedded so that a binary and its unit always match. */
import installer from "../../install.sh" with { type: "text" };
import unit from "../../systemd/peyk.service" with { type: "text" };
import privilegedPort from "../../systemd/peyk.service.d/privileged-port.conf" with { type: "text" };
import users from "../../systemd/peyk.sysusers.conf" with { type: "text" };
import folders from "../../systemd/peyk.tmpfiles.conf" with { type: "text" };
import shipBackupPath from "../../systemd/peyk-ship-backup.path" with { type: "text" };
import shipBackup from "../../systemd/peyk-ship-backup.service" with { type: "text" };

export const systemFiles: Readonly<Record<string, string>> = {
  "install.sh": installer,
  "peyk.service": unit,
  "privileged-port.conf": privilegedPort,
  "peyk.sysusers.conf": users,
  "peyk.tmpfiles.conf": folders,
  "peyk-ship-backup.service": shipBackup,
  "peyk-ship-backup.path": shipBackupPath,
};

/** The public key of the releases, as the installer names it; empty where it names none. */
export const releaseKey = /^release_key=(\S*)$/m.exec(installer)?.[1] ?? "";
