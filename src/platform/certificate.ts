/** A certificate chain and its key as files: read together and judged before anybody is served with them. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

/** The files cannot serve; the words say which of them and why. */
export class CertificateUnusable extends Error {
  override readonly name = "CertificateUnusable";
}

export interface Certificate {
  /** PEM, the whole chain as the file has it. */
  cert: string;
  /** PEM. */
  key: string;
  /** Of the first certificate, epoch milliseconds. */
  notBefore: number;
  notAfter: number;
  /** As X.509 writes them: `DNS:sms.example.com, DNS:www.sms.example.com`; the subject where there are none. */
  names: string;
}

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** @throws CertificateUnusable where a file cannot be read, holds nothing of its kind, or the two do not belong together. */
export function readCertificate(certFile: string, keyFile: string): Certificate {
  const cert = contentOf("tls.cert_file", certFile);
  const key = contentOf("tls.key_file", keyFile);
  const chain = (cert.match(certificatePattern) ?? []).map((pem) =>
    judged(`The file of tls.cert_file, ${certFile}, cannot be used`, () => new X509Certificate(pem)),
  );
  const [leaf] = chain;
  if (leaf === undefined)
    throw new CertificateUnusable(`The file of tls.cert_file, ${certFile}, holds no PEM certificate.`);
  const privateKey = judged(`The file of tls.key_file, ${keyFile}, cannot be used`, () => createPrivateKey(key));
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
  return judged(`The file of ${setting}, ${path}, cannot be read`, () => readFileSync(path, "utf8"));
}

function judged<T>(what: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (reason) {
    throw new CertificateUnusable(`${what}: ${reason instanceof Error ? reason.message : String(reason)}.`, {
      cause: reason,
    });
  }
}
