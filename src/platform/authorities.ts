/** The certificate authorities that are trusted. */
import { getCACertificates, rootCertificates } from "node:tls";

/** Those in the system's store (or the runtime's own on a machine without one), plus `extra` in PEM. */
export function trustedAuthorities(extra: string | null): string[] {
  const system = getCACertificates("system");
  const authorities = system.length > 0 ? system : rootCertificates;
  return extra === null ? [...authorities] : [...authorities, extra];
}
