/**
 * Reads the operator's file of additional certificate authorities at startup: a mistake in it must not first show as a
 * failing callback at night.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { errorMessage } from "./error-code.ts";
import { certificatesIn } from "./pem.ts";

/** The file of a setting such as `webhooks.ca_file` cannot be used; the message says which file and why. */
export class CertificateFileUnusable extends Error {
  override readonly name = "CertificateFileUnusable";
  constructor(setting: string, path: string, why: string) {
    super(`The file of ${setting}, ${path}, cannot be used: ${why}`);
  }
}

/** The PEM text, after every certificate in it has been parsed. @throws CertificateFileUnusable */
export function readCertificates(path: string, setting = "webhooks.ca_file"): string {
  try {
    const pem = readFileSync(path, "utf8");
    const certificates = certificatesIn(pem);
    if (certificates.length === 0) throw new Error("it holds no PEM certificate");
    for (const certificate of certificates) new X509Certificate(certificate);
    return pem;
  } catch (reason) {
    throw new CertificateFileUnusable(setting, path, errorMessage(reason));
  }
}
