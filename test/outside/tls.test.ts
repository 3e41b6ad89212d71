/** testssl at each listener with TLS: nothing that it calls worse than LOW. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority } from "../support/certificates.ts";
import { freePorts } from "../support/free-ports.ts";
import { run } from "../support/outside-programs.ts";
import { PeykProcess } from "../support/peyk-process.ts";
import { programAt } from "../support/programs.ts";
import { temporaryFolder } from "../support/test-server.ts";

const testssl = programAt("testssl");
const folder = temporaryFolder();
const listed: Readonly<Record<string, string>> = {
  cert_trust: "The authority is this test's own.",
};
const bad: readonly string[] = ["MEDIUM", "HIGH", "CRITICAL"];
let peyk: PeykProcess;
let ports: Record<string, number>;

interface Found {
  id: string;
  severity: string;
  finding: string;
}

beforeAll(async () => {
  if (testssl === null) return;
  const { cert, key } = createAuthority().issue({ names: ["DNS:localhost", "IP:127.0.0.1"] });
  const [certFile, keyFile] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const [api = 0, console = 0, smpp = 0, portal = 0, dropIn = 0, smtp = 0] = await freePorts(6);
  ports = { api, console, smpp, portal, "drop-in": dropIn, smtp };
  const tlsOf = (prefix: string) => ({ [`${prefix}_TLS_CERT_FILE`]: certFile, [`${prefix}_TLS_KEY_FILE`]: keyFile });
  peyk = await PeykProcess.start({
    folder: join(folder.path, "data"),
    args: ["--listen", `127.0.0.1:${api}`, "--console-listen", `127.0.0.1:${console}`],
    env: {
      ...tlsOf("PEYK"),
      ...tlsOf("PEYK_CONSOLE"),
      ...tlsOf("PEYK_PORTAL"),
      PEYK_SMPP_SERVER_TLS_LISTEN: `127.0.0.1:${smpp}`,
      PEYK_SMTP_SERVER_DOMAIN: "sms.example",
      PEYK_SMTP_SERVER_TLS_LISTEN: `127.0.0.1:${smtp}`,
      PEYK_PORTAL_LISTEN: `127.0.0.1:${portal}`,
      PEYK_DROP_IN_LISTEN: `127.0.0.1:${dropIn}`,
    },
  });
}, 180_000);
afterAll(async () => {
  await peyk?.stop();
  folder.remove();
});

for (const name of ["api", "console", "smpp", "portal", "drop-in", "smtp"]) {
  test.skipIf(testssl === null)(
    `testssl finds nothing worse than LOW at the listener ${name} (wants testssl.sh)`,
    async () => {
      const file = join(folder.path, `${name}.json`);
      const port = ports[name];
      const flags = ["--quiet", "--color", "0", "--warnings", "off", "--openssl-timeout", "5", "--jsonfile", file];
      await run([testssl ?? "", ...flags, "-p", "-s", "-U", `127.0.0.1:${port}`]);
      const found: Found[] = await Bun.file(file).json();
      const worse = found.filter(({ id, severity }) => bad.includes(severity) && !(id in listed));
      expect(worse).toEqual([]);
      // The control: it has seen the listener.
      expect(found.find(({ id }) => id === "TLS1_3")?.finding).toContain("offered");
    },
    300_000,
  );
}
