/** Reads a certificate chain and its key from files, and checks that they match before they are used. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileFailure } from "./error-code.ts";
import type { Logger } from "./log.ts";
import { certificatesIn } from "./pem.ts";

/** The files cannot be used; the message says which of them and why. */
export class CertificateUnusable extends Error {
  override readonly name = "CertificateUnusable";
}

export interface Certificate {
  /** PEM; the whole chain as in the file. */
  cert: string;
  /** PEM. */
  key: string;
  /** Validity of the first certificate, epoch milliseconds. */
  notBefore: number;
  notAfter: number;
  /** In X.509 notation: `DNS:sms.example.com, DNS:www.sms.example.com`; the subject if there are none. */
  names: string;
}

export interface CertificateReload {
  /** Why the files cannot be used and the old certificate stays in use; null if they were read. */
  refused: string | null;
  /** Null if TLS is off. */
  served: Certificate | null;
}

const settingNames = { cert: "tls.cert_file", key: "tls.key_file" };

/**
 * `named`: the operator's names for the two files. @throws CertificateUnusable if a file cannot be read or parsed, or
 * if the two do not match.
 */
export function readCertificate(certFile: string, keyFile: string, named = settingNames): Certificate {
  const cert = contentOf(named.cert, certFile);
  const key = contentOf(named.key, keyFile);
  const chain = certificatesIn(cert).map((pem) =>
    parsed(
      `The file of ${named.cert}, ${certFile}, cannot be used: a certificate in it is damaged.`,
      () => new X509Certificate(pem),
    ),
  );
  const [leaf] = chain;
  if (leaf === undefined)
    throw new CertificateUnusable(`The file of ${named.cert}, ${certFile}, holds no PEM certificate.`);
  const privateKey = parsed(
    `The file of ${named.key}, ${keyFile}, cannot be used: it holds no private key in PEM, or one with a password.`,
    () => createPrivateKey(key),
  );
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new CertificateUnusable(`The key in ${keyFile} is not the key of the first certificate in ${certFile}.`);
  }
  return {
    cert,
    key,
    notBefore: Date.parse(leaf.validFrom),
    notAfter: Date.parse(leaf.validTo),
    names: leaf.subjectAltName ?? leaf.subject,
  };
}

function contentOf(setting: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (reason) {
    throw new CertificateUnusable(`The file of ${setting}, ${path}, cannot be read: ${fileFailure(reason)}.`, {
      cause: reason,
    });
  }
}

/** OpenSSL's own message (`PEM routines:NO_START_LINE`) stays in the cause. */
function parsed<T>(otherwise: string, parse: () => T): T {
  try {
    return parse();
  } catch (reason) {
    throw new CertificateUnusable(otherwise, { cause: reason });
  }
}

/**
 * Holds the certificate in use; `section` of the settings names its files. Throws CertificateUnusable if the files
 * cannot be used at startup.
 */
export function servedCertificate(
  { certFile, keyFile }: { certFile: string | null; keyFile: string | null },
  log: Logger,
  section = "tls",
) {
  const named = { cert: `${section}.cert_file`, key: `${section}.key_file` };
  const read = () => (certFile === null || keyFile === null ? null : readCertificate(certFile, keyFile, named));
  let current = read();
  return {
    /** Null if TLS is off. */
    current: (): Certificate | null => current,

    /** Passes the current contents of the files to `renew`; unusable files are logged, and nothing changes. */
    reload(renew: (certificate: Certificate) => void): CertificateReload {
      try {
        const fresh = read();
        if (fresh === null) {
          log.info(`there is no certificate to read anew: ${named.cert} is not set`);
          return { refused: null, served: null };
        }
        renew(fresh);
        current = fresh;
        log.info({ names: fresh.names, endsAt: new Date(fresh.notAfter).toISOString() }, "a new certificate is served");
        return { refused: null, served: fresh };
      } catch (reason) {
        if (!(reason instanceof CertificateUnusable)) throw reason;
        log.error({ why: reason.message }, "the certificate was not renewed; the old one is served on");
        return { refused: reason.message, served: current };
      }
    },
  };
}
