/** The authorities whose certificates are trusted. */
import { getCACertificates, rootCertificates } from "node:tls";

/** Those of the system's store (on a machine without any, the runtime's own), and `extra` in PEM. */
export function trustedAuthorities(extra: string | null): string[] {
  const system = getCACertificates("system");
  const authorities = system.length > 0 ? system : rootCertificates;
  return extra === null ? [...authorities] : [...authorities, extra];
}
