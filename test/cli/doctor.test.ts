import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unusableFiles } from "../../src/cli/service-files.ts";
import { defaultSettings } from "../../src/config/settings.ts";
import {
  alertsFinding,
  backupFinding,
  certificateFinding,
  fraudFinding,
  frequentBackupFinding,
} from "../../src/operator/doctor.ts";
import type { Finding } from "../../src/operator/finding.ts";
import { createAuthority } from "../support/certificates.ts";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

async function doctor(...argv: string[]): Promise<{ code: number; findings: Finding[]; err: string }> {
  const { code, out, err } = await runCli(["doctor", "--json", "--data-dir", server.folder, ...argv]);
  return { code, findings: JSON.parse(out), err };
}

const of = (findings: readonly Finding[], check: string) => findings.find((finding) => finding.check === check);

describe("peyk doctor", () => {
  test("checks machine, settings, certificate, backup and service, with advice for each finding", async () => {
    const { findings } = await doctor();
    const checks = findings.map(({ check }) => check);
    for (const check of ["settings", "clock", "ntp", "data folder", "disk", "fsync", "wal", "open files", "jit"]) {
      expect(checks).toContain(check);
    }
    for (const check of ["certificate", "backup", "service"]) expect(checks).toContain(check);
    for (const finding of findings) {
      if (finding.grade === "warn" || finding.grade === "bad") expect(finding.do).not.toBeNull();
    }
    expect(of(findings, "fsync")).toMatchObject({ says: expect.stringMatching(/^\d+\.\d\d ms/) });
  });

  test("links the console's documentation at an address that a browser can open", async () => {
    const shown = async (consoleListen: string) => {
      writeFileSync(join(server.folder, "peyk.toml"), `console_listen = "${consoleListen}"\n`);
      return of((await doctor()).findings, "documentation")?.says;
    };
    expect(await shown("127.0.0.1:8081")).toBe("http://127.0.0.1:8081/help/troubleshooting");
    expect(await shown("0.0.0.0:8081")).toBe("http://127.0.0.1:8081/help/troubleshooting");
    expect(await shown("[::]:8081")).toBe("http://[::1]:8081/help/troubleshooting");
    expect(await shown("sms.example.net:8081")).toBe("http://sms.example.net:8081/help/troubleshooting");
  });

  test("exits 0 when nothing is bad, and 1 when the service is not ready", async () => {
    const well = await doctor();
    expect(of(well.findings, "service")).toMatchObject({ grade: "ok" });
    expect(well.code).toBe(well.findings.some(({ grade }) => grade === "bad") ? 1 : 0);
    server.checks.store = false;
    const ill = await doctor();
    expect(of(ill.findings, "service")).toMatchObject({ grade: "bad", do: "peyk status" });
    expect(ill.code).toBe(1);
  });

  test("names a route whose host name does not resolve", async () => {
    const file = join(server.folder, "route.json");
    writeFileSync(file, JSON.stringify({ host: "smsc.invalid", port: 2775, systemId: "x", password: "y" }));
    const added = await runCli([
      "route",
      "add",
      "far",
      "--kind",
      "smpp",
      "--config",
      file,
      "--data-dir",
      server.folder,
    ]);
    expect(added).toMatchObject({ code: 0 });
    const { findings, code } = await doctor();
    expect(of(findings, "address of smsc.invalid")).toMatchObject({ grade: "bad" });
    expect(code).toBe(1);
  });

  test("calls a route that is down bad only if an active sender uses it", async () => {
    expect(await runCli(["route", "add", "far", "--kind", "simulator", "--data-dir", server.folder])).toMatchObject({
      code: 0,
    });
    await server.carriers.get("far")?.stop();
    const unused = of((await doctor()).findings, "route far");
    expect(unused).toMatchObject({ grade: "warn", says: expect.stringContaining("nothing uses it") });
    await server.accounts.create("Clinic");
    await server.senders.add(1, "30001", true, ["far"]);
    const used = of((await doctor()).findings, "route far");
    expect(used).toMatchObject({ grade: "bad", says: expect.stringContaining("its messages wait") });
    await server.senders.update(1, "30001", { active: false });
    expect(of((await doctor()).findings, "route far")).toMatchObject({ grade: "warn" });
  });

  test("reports a wrong setting and a data folder that others may read", async () => {
    const wrong = join(server.folder, "wrong.toml");
    writeFileSync(wrong, "[messages]\nretention_dys = 3\n");
    const { code, findings } = await doctor("--config", wrong);
    expect(code).toBe(1);
    expect(findings).toEqual([
      expect.objectContaining({ grade: "bad", says: expect.stringContaining("retention_days") }),
    ]);
    Bun.spawnSync(["chmod", "755", server.folder]);
    expect(of((await doctor()).findings, "data folder")).toMatchObject({
      grade: "warn",
      do: `chmod 700 ${server.folder}`,
    });
  });

  test("says how to start the service when it is not running", async () => {
    const { code, out } = await runCli(["doctor", "--json", "--data-dir", join(server.folder, "nowhere")]);
    const findings: Finding[] = JSON.parse(out);
    expect(code).toBe(1);
    expect(of(findings, "data folder")).toMatchObject({ grade: "bad" });
    expect(of(findings, "service")?.do).toContain("peyk serve --data-dir");
  });
});

describe("the doctor's check of what a stolen key could cost", () => {
  test("warns only when every country is open and the guard over one-time passwords is off", () => {
    const settings = defaultSettings();
    const open = { ...settings, otp: { ...settings.otp, fraudGuard: false } };
    expect(fraudFinding(settings)).toMatchObject({ grade: "ok", says: expect.stringContaining("guard") });
    expect(fraudFinding(open)).toMatchObject({ grade: "warn", do: expect.stringContaining("sending.countries") });
    expect(fraudFinding({ ...open, sending: { countries: ["IR"] } }).grade).toBe("ok");
  });
});

describe("the doctor's check of alerts", () => {
  test("notes that nobody receives alerts, or names the channels that are set up", () => {
    const settings = defaultSettings();
    expect(alertsFinding(settings)).toMatchObject({ grade: "note", do: expect.stringContaining("[alerts]") });
    const alerts = { ...settings.alerts, smtpServer: "mail.example.com:587", smsTo: ["+989121234567"] };
    expect(alertsFinding({ ...settings, alerts })).toMatchObject({
      grade: "ok",
      says: expect.stringContaining("mail, sms"),
    });
  });

  test("finds a logo that no page could show", () => {
    const settings = defaultSettings();
    const path = join(server.folder, "logo.svg");
    const unusable = () =>
      unusableFiles({ ...settings, portal: { ...settings.portal, logo: path } }, null, server.folder).join(" ");
    expect(unusable()).toContain("The file of portal.logo");
    writeFileSync(path, "GIF89a");
    expect(unusable()).toContain("neither SVG nor PNG");
    writeFileSync(path, `<svg>${" ".repeat(65 * 1024)}</svg>`);
    expect(unusable()).toContain("larger than 64 kB");
    writeFileSync(path, "<svg></svg>");
    expect(unusable()).toBe("");
  });

  test("finds a secret that the service cannot read", () => {
    const settings = defaultSettings();
    const path = join(server.folder, "smtp-password");
    const unusable = () =>
      unusableFiles({ ...settings, alerts: { ...settings.alerts, smtpPasswordFile: path } }, null, server.folder);
    expect(unusable()).toEqual([`${path} cannot be read: it does not exist`]);
    writeFileSync(path, " \n");
    expect(unusable()).toEqual([`${path} is empty`]);
    writeFileSync(path, "s3cret\n");
    expect(unusable()).toEqual([]);
  });
});

describe("the doctor's date checks", () => {
  const pair = createAuthority().issue({
    names: ["DNS:sms.example"],
    notBefore: "20260101000000Z",
    notAfter: "20270101000000Z",
  });

  test("a certificate is ok until two weeks before it expires, then a warning, then bad", () => {
    const certFile = join(server.folder, "c.pem");
    const keyFile = join(server.folder, "k.pem");
    writeFileSync(certFile, pair.cert);
    writeFileSync(keyFile, pair.key);
    const settings = { ...defaultSettings(), tls: { certFile, keyFile } };
    const end = Date.UTC(2027, 0, 1);
    const day = 86_400_000;
    const gradeAt = (at: number) => certificateFinding(settings, at).grade;
    expect([gradeAt(end - 14 * day), gradeAt(end - 14 * day + 1), gradeAt(end - 1), gradeAt(end)]).toEqual([
      "ok",
      "warn",
      "warn",
      "bad",
    ]);
    expect(gradeAt(Date.UTC(2025, 11, 31))).toBe("bad");
    writeFileSync(keyFile, "no key");
    expect(certificateFinding(settings, end - 100 * day)).toMatchObject({ grade: "bad" });
  });

  test("report the age of the newest local and remote copies, and warn of an old one or a failed transfer", () => {
    const now = Date.UTC(2026, 10, 20, 4);
    const found = (every: number, at = now) => frequentBackupFinding(server.folder, every, at);
    expect(found(0)).toMatchObject({ grade: "note" });
    expect(found(15)).toMatchObject({ grade: "note" });
    mkdirSync(join(server.folder, "backups"));
    writeFileSync(join(server.folder, "backups", "recent-20261120T034500Z.db"), "");
    expect(found(15)).toMatchObject({ grade: "ok", says: "The newest copy is 15 min old, none is elsewhere" });
    expect(found(15, now + 60 * 60_000)).toMatchObject({ grade: "warn" });
    const shipping = (failure: string | null) =>
      writeFileSync(join(server.folder, "shipped.json"), JSON.stringify({ madeAt: now - 30 * 60_000, failure }));
    shipping(null);
    expect(found(15)).toMatchObject({ grade: "ok", says: expect.stringContaining("the newest elsewhere 30 min old") });
    shipping("no route to host");
    expect(found(15)).toMatchObject({ grade: "warn", says: expect.stringContaining("no route to host") });
  });

  test("a nightly copy is ok for a day and a half", () => {
    const folder = join(server.folder, "backups");
    const now = Date.UTC(2026, 10, 20);
    expect(backupFinding(server.folder, 7, now)).toMatchObject({ grade: "note" });
    expect(backupFinding(server.folder, 0, now)).toMatchObject({ grade: "note" });
    mkdirSync(folder);
    // Its name tells when it was made: the file itself is new.
    writeFileSync(join(folder, "peyk-20261118T031700Z.db"), "");
    const madeAt = Date.UTC(2026, 10, 18, 3, 17);
    const aged = (ageMs: number) => backupFinding(server.folder, 7, madeAt + ageMs).grade;
    const limitMs = 36 * 3_600_000;
    expect([aged(3_600_000), aged(limitMs), aged(limitMs + 1)]).toEqual(["ok", "ok", "warn"]);
  });
});
