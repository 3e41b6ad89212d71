/**
 * Checks files as the service will see them: root, who installs and checks, can read what the service's user may not.
 */
import { readFileSync } from "node:fs";
import { readAccessKey } from "../backup-target/access-key.ts";
import type { Settings } from "../config/settings.ts";
import { CertificateFileUnusable, readCertificates } from "../platform/ca-file.ts";
import { CertificateUnusable, readCertificate } from "../platform/certificate.ts";
import { errorCode } from "../platform/error-code.ts";
import { asOwnerOf } from "../platform/folder-owner.ts";
import { LogoFileUnusable, readLogo } from "../platform/logo-file.ts";
import { readPrivateFile, readSecretFile, SecretFileUnusable } from "../platform/secret-file.ts";

/** Runs `work`, which must be synchronous, with the rights of the data folder's owner if the process is root. */
export const asServiceUser = <T>(dataDir: string, work: () => T): T => asOwnerOf(dataDir, work, groupsOf);

/** A certificate may be readable by a group that the service's user was added to. */
function groupsOf({ uid, gid }: { uid: number; gid: number }): number[] {
  const listed = Bun.spawnSync(["id", "-G", String(uid)], { stdout: "pipe", stderr: "ignore" });
  const groups = listed.stdout.toString().trim().split(" ").map(Number).filter(Number.isInteger);
  return listed.success ? [...new Set([gid, ...groups])] : [gid];
}

/**
 * One sentence for each file that the service could not use: its settings file, certificates, CA files, logo, secrets.
 */
export function unusableFiles(
  { tls, webhooks, alerts, portal, oidc, backupTarget }: Settings,
  settingsFile: string | null,
  dataDir: string,
): string[] {
  const reads: (() => unknown)[] = [
    () => settingsFile !== null && readFileSync(settingsFile),
    () => tls.certFile !== null && tls.keyFile !== null && readCertificate(tls.certFile, tls.keyFile),
    () => webhooks.caFile !== null && readCertificates(webhooks.caFile),
    () => backupTarget.caFile !== null && readCertificates(backupTarget.caFile, "backup_target.ca_file"),
    () => backupTarget.endpoint !== null && readAccessKey(backupTarget.keyFile),
    () => portal.logo !== null && readLogo(portal.logo),
    ...[oidc, oidc.portal].flatMap(({ clientSecretFile, caFile }) => [
      () => clientSecretFile !== null && readPrivateFile(clientSecretFile),
      () => caFile !== null && readCertificates(caFile, "oidc.ca_file"),
    ]),
    ...[alerts.webhookSecretFile, alerts.smtpPasswordFile].map((path) => () => path !== null && readSecretFile(path)),
  ];
  return reads.flatMap((read) => {
    try {
      asServiceUser(dataDir, read);
      return [];
    } catch (reason) {
      const isKnown = [CertificateUnusable, CertificateFileUnusable, SecretFileUnusable, LogoFileUnusable].some(
        (kind) => reason instanceof kind,
      );
      if (isKnown && reason instanceof Error) return [reason.message];
      if (errorCode(reason) === "EACCES") return [`${settingsFile} may not be read by the service's user.`];
      throw reason;
    }
  });
}
