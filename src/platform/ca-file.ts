/** Reads the operator's file of further certificate authorities at the start: a mistake there must not surface as a failing callback at night. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { errorMessage } from "./error-code.ts";
import { certificatesIn } from "./pem.ts";

/** `webhooks.ca_file` cannot be used; the words say which file and why. */
export class CertificateFileUnusable extends Error {
  override readonly name = "CertificateFileUnusable";
  constructor(path: string, why: string) {
    super(`The file of webhooks.ca_file, ${path}, cannot be used: ${why}`);
  }
}

/** The PEM text, once every certificate in it could be read. @throws CertificateFileUnusable */
export function readCertificates(path: string): string {
  try {
    const pem = readFileSync(path, "utf8");
    const certificates = certificatesIn(pem);
    if (certificates.length === 0) throw new Error("it holds no PEM certificate");
    for (const certificate of certificates) new X509Certificate(certificate);
    return pem;
  } catch (reason) {
    throw new CertificateFileUnusable(path, errorMessage(reason));
  }
}
