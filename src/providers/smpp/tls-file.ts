/** Reads the `tls` key of a route's file, and checks the files that it names before the route is stored. */

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FileProblem, JsonFileReader } from "../../domain/json-file.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { readFileField } from "../../fields/file.ts";
import { smppCarrierFields } from "../../fields/smpp-carrier.ts";
import { CertificateUnusable, readCertificate } from "../../platform/certificate.ts";
import { fileFailure } from "../../platform/error-code.ts";
import { certificatesIn } from "../../platform/pem.ts";
import type { TlsOptions } from "../carrier-network.ts";

const fields = smppCarrierFields;

export function readTls(reader: JsonFileReader): TlsOptions | null {
  const value = reader.value("tls");
  if (value === true) return { caFile: null, serverName: null };
  if (value === false) return null;
  return reader.section("tls", (tls) => ({
    caFile: readFileField(tls, "caFile", fields["tls.caFile"]),
    serverName: readFileField(tls, "serverName", fields["tls.serverName"]),
    ...readClient(tls),
  }));
}

function readClient(tls: JsonFileReader): Pick<TlsOptions, "client"> {
  const certFile = readFileField(tls, "certFile", fields["tls.certFile"]);
  const keyFile = readFileField(tls, "keyFile", fields["tls.keyFile"]);
  if (certFile !== null && keyFile !== null) return { client: { certFile, keyFile } };
  if (certFile !== null) tls.problem("keyFile", { code: "required_beside", values: { key: "certFile" } });
  if (keyFile !== null) tls.problem("certFile", { code: "required_beside", values: { key: "keyFile" } });
  return {};
}

/** Problems with the files themselves. */
export function tlsFileProblems(tls: TlsOptions | null): FileProblem[] {
  return tls === null ? [] : [...authorityProblems(tls), ...clientProblems(tls)];
}

function authorityProblems({ caFile }: TlsOptions): FileProblem[] {
  if (caFile === null) return [];
  const key = "tls.caFile";
  let pem: string;
  try {
    pem = readFileSync(caFile, "utf8");
  } catch (error) {
    return [problemOf(key, "file_unreadable", { file: caFile, reason: fileFailure(error) })];
  }
  const certificates = certificatesIn(pem);
  if (certificates.length === 0) return [problemOf(key, "file_without_certificate", { file: caFile })];
  return certificates.every(isReadable) ? [] : [problemOf(key, "certificate_damaged", { file: caFile })];
}

function isReadable(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== null;
  } catch {
    return false;
  }
}

function clientProblems({ client }: TlsOptions): FileProblem[] {
  if (client === undefined) return [];
  try {
    readCertificate(client.certFile, client.keyFile, { cert: "tls.certFile", key: "tls.keyFile" });
    return [];
  } catch (error) {
    if (!(error instanceof CertificateUnusable)) throw error;
    return [problemOf("tls", "client_certificate", { reason: error.message })];
  }
}
