/** Certificates for tests, made by openssl at test time: a CA, and valid and invalid certificates from it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface KeyPair {
  /** PEM. */
  key: string;
  /** PEM. */
  cert: string;
}

export interface CertificateRequest {
  /** `DNS:name` and `IP:address` entries. */
  names: readonly string[];
  /** In openssl's format: `20200101000000Z`. */
  notBefore?: string;
  notAfter?: string;
}

/** A new CA: `cert` is what a client must trust, `issue` makes a certificate signed by it. */
export interface Authority {
  cert: string;
  issue(request: CertificateRequest): KeyPair;
}

function openssl(folder: string, args: readonly string[]): string {
  const run = Bun.spawnSync(["openssl", ...args], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  if (run.exitCode !== 0) throw new Error(`openssl ${args.join(" ")}: ${run.stderr.toString()}`);
  return run.stdout.toString();
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const newRsaKey = ["-newkey", "rsa:2048", "-nodes"];

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "peyk-certificates-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A self-signed certificate, by default for a host name. */
export function selfSigned(name: string, alternative = `DNS:${name}`, kind: "ec" | "rsa" = "ec"): KeyPair {
  return inFolder((folder) => {
    const extension = ["-addext", `subjectAltName=${alternative}`];
    const cert = openssl(folder, [
      "req",
      "-x509",
      ...(kind === "ec" ? newKey : newRsaKey),
      "-keyout",
      "key",
      "-subj",
      `/CN=${name}`,
      "-days",
      "2",
      ...extension,
    ]);
    return { cert, key: openssl(folder, ["pkey", "-in", "key"]) };
  });
}

export function createAuthority(commonName = "Test authority"): Authority {
  const authority = inFolder((folder) => {
    const cert = openssl(folder, [
      "req",
      "-x509",
      ...newKey,
      "-keyout",
      "key",
      "-subj",
      `/CN=${commonName}`,
      "-days",
      "2",
    ]);
    return { cert, key: openssl(folder, ["pkey", "-in", "key"]) };
  });
  return { cert: authority.cert, issue: (request) => inFolder((folder) => issue(folder, authority, request)) };
}

function issue(folder: string, authority: KeyPair, { names, notBefore, notAfter }: CertificateRequest): KeyPair {
  writeFileSync(join(folder, "ca.pem"), authority.cert);
  writeFileSync(join(folder, "ca.key"), authority.key);
  writeFileSync(join(folder, "index.txt"), "");
  writeFileSync(
    join(folder, "ca.cnf"),
    `[ca]\ndefault_ca = own\n[own]\ndatabase = index.txt\nnew_certs_dir = .\ncertificate = ca.pem\nprivate_key = ca.key
rand_serial = yes\ndefault_md = sha256\npolicy = any\nx509_extensions = leaf\ndefault_days = 2\n[any]\ncommonName = supplied
[leaf]\nsubjectAltName = ${names.join(",")}\n`,
  );
  openssl(folder, ["req", "-new", ...newKey, "-keyout", "key", "-out", "request", "-subj", "/CN=leaf"]);
  const dates = [...(notBefore ? ["-startdate", notBefore] : []), ...(notAfter ? ["-enddate", notAfter] : [])];
  openssl(folder, ["ca", "-batch", "-notext", "-config", "ca.cnf", "-in", "request", "-out", "cert", ...dates]);
  return { cert: openssl(folder, ["x509", "-in", "cert"]), key: openssl(folder, ["pkey", "-in", "key"]) };
}
