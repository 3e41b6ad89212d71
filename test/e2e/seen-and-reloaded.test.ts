import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runPeyk } from "../../src/platform/peyk-process.ts";
import { selfSigned } from "../support/certificates.ts";
import { runCli } from "../support/cli.ts";
import { eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
const certFile = join(folder.path, "tls.pem");
const keyFile = join(folder.path, "tls.key");
const first = selfSigned("first.example");
const second = selfSigned("second.example");
let peyk: PeykProcess;
let consoleUrl: string;

beforeAll(async () => {
  writeFileSync(certFile, first.cert);
  writeFileSync(keyFile, first.key);
  peyk = await PeykProcess.start({
    folder: folder.path,
    env: { PEYK_TLS_CERT_FILE: certFile, PEYK_TLS_KEY_FILE: keyFile, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
  });
  consoleUrl = /"consoleUrl":"([^"]+)"/.exec(peyk.log)?.[1] ?? "";
});
afterAll(async () => {
  await peyk.stop();
  folder.remove();
});

/** Trusts this certificate only: a server with another one is rejected. */
async function reaches(trusted: { cert: string }, name: string): Promise<boolean> {
  const { port } = new URL(peyk.url);
  try {
    const response = await fetch(`https://127.0.0.1:${port}/healthz`, {
      tls: { ca: trusted.cert, serverName: name },
      headers: { Host: name, Connection: "close" },
    });
    return response.ok;
  } catch {
    return false;
  }
}

describe("a server with TLS", () => {
  test("serves a renewed certificate after SIGHUP, and keeps the old one while the files are invalid", async () => {
    expect(peyk.url).toStartWith("https://");
    expect(await reaches(first, "first.example")).toBe(true);
    writeFileSync(certFile, second.cert);
    process.kill(peyk.pid, "SIGHUP");
    await eventually(() => peyk.log.includes("the certificate was not renewed"));
    expect(peyk.log).toContain("is not the key of the first certificate");
    expect(await reaches(first, "first.example")).toBe(true);
    writeFileSync(keyFile, second.key);
    process.kill(peyk.pid, "SIGHUP");
    await eventually(() => peyk.log.includes("a new certificate is served"));
    expect(await reaches(second, "second.example")).toBe(true);
    expect(await reaches(first, "first.example")).toBe(false);
  });
});

describe("peyk system reload, which systemctl reload calls", () => {
  const reload = () => runCli(["system", "reload", "--data-dir", folder.path]);

  test("ends once the renewed certificate is served, and fails with the reason if it cannot be", async () => {
    writeFileSync(certFile, first.cert);
    expect(await reload()).toMatchObject({ code: 1, err: expect.stringContaining("The old one is served on.") });
    writeFileSync(keyFile, first.key);
    expect(await reload()).toMatchObject({ code: 0, out: expect.stringContaining("DNS:first.example is served now") });
    expect(await reaches(first, "first.example")).toBe(true);
  });
});

describe("a server without TLS", () => {
  test("ignores SIGHUP", async () => {
    const other = temporaryFolder();
    const plain = await PeykProcess.start({ folder: other.path });
    process.kill(plain.pid, "SIGHUP");
    await eventually(() => plain.log.includes("there is no certificate to read anew"));
    expect((await fetch(`${plain.url}/healthz`)).status).toBe(200);
    expect(await plain.stop()).toBe(0);
    other.remove();
  });
});

describe("an unusable certificate", () => {
  test("stops the start with the file and the reason, and leaves no database behind", async () => {
    const other = temporaryFolder();
    const env = { ...process.env, PEYK_TLS_CERT_FILE: join(other.path, "none.pem"), PEYK_TLS_KEY_FILE: keyFile };
    const args = ["serve", "--data-dir", join(other.path, "data"), "--listen", "127.0.0.1:0"];
    const child = Bun.spawn([...peykCommand, ...args], { env, stdout: "pipe", stderr: "pipe" });
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toMatch(/tls\.cert_file, .*none\.pem, cannot be read/);
    expect(readdirSync(other.path)).toEqual([]);
    other.remove();
  });
});

describe("the console listener", () => {
  test("serves health and readiness, and nothing of the public API", async () => {
    expect(await (await fetch(`${consoleUrl}/healthz`)).json()).toEqual({ status: "alive" });
    expect(await (await fetch(`${consoleUrl}/readyz`)).json()).toMatchObject({ status: "ready" });
    expect((await fetch(`${consoleUrl}/v1/messages`, { method: "POST" })).status).toBe(404);
  });

  test("is ready if the routes of active senders are up, whatever the others are", async () => {
    const ready = async () => {
      const answer = await fetch(`${consoleUrl}/readyz`);
      return [answer.status, (await answer.json()).checks.routes];
    };
    const account = await peyk.operate("POST", "/accounts", { name: "Dead end" });
    const options = { host: "127.0.0.1", port: 1, systemId: "x", password: "y" };
    await peyk.operate("POST", "/routes", { name: "nowhere", kind: "smpp", options });
    await peyk.operate("POST", `/accounts/${account.id}/senders`, { sender: "30009999", routes: ["nowhere"] });
    expect(await ready()).toEqual([503, false]);
    await peyk.operate("POST", `/accounts/${account.id}/suspend`);
    expect(await ready()).toEqual([200, true]);
    await peyk.operate("POST", `/accounts/${account.id}/resume`);
    expect(await ready()).toEqual([503, false]);
    await peyk.operate("PATCH", `/accounts/${account.id}/senders/30009999`, { routes: ["nowhere", "simulator"] });
    expect(await ready()).toEqual([200, true]);
  });

  test("shows in /metrics what happened to a message", async () => {
    const account = await peyk.operate("POST", "/accounts", { name: "Seen" });
    const key = await peyk.operate("POST", "/keys", { account: account.id, name: "test", rate: 1000 });
    await peyk.operate("POST", `/accounts/${account.id}/senders`, { sender: "30001234" });
    const sent = await fetch(`${peyk.url}/v1/messages`, {
      method: "POST",
      tls: { rejectUnauthorized: false },
      headers: { "X-API-Key": String(key.apiKey), "Idempotency-Key": "one", "Content-Type": "application/json" },
      body: JSON.stringify({ sender: "30001234", recipient: "09121234500", message: "سلام" }),
    });
    expect(sent.status).toBe(202);
    const metrics = async () => (await fetch(`${consoleUrl}/metrics`)).text();
    await eventually(async () =>
      (await metrics()).includes('peyk_receipts_total{route="simulator",state="delivered",effect="applied"} 1'),
    );
    const text = await metrics();
    for (const line of [
      'peyk_messages_accepted_total{class="single"} 1',
      'peyk_submits_total{route="simulator",outcome="accepted"} 1',
      'peyk_http_requests_total{operation="POST /v1/messages",status="202"} 1',
      'peyk_route_up{route="simulator",kind="simulator"} 1',
      'peyk_route_used{route="simulator"} 1',
      'peyk_queue_messages{class="otp"} 0',
      'peyk_queue_oldest_seconds{class="single"} 0',
      "peyk_commit_failures_total 0",
      'peyk_messages_ended_total{status="delivered",route="simulator"} 1',
      'peyk_message_handover_seconds_count{class="single"} 1',
      'peyk_message_receipt_seconds_count{class="single"} 1',
      // Known from the start, so that the first event yields a rate.
      'peyk_messages_accepted_total{class="bulk"} 0',
      'peyk_messages_ended_total{status="cancelled",route=""} 0',
      'peyk_submits_total{route="simulator",outcome="rejected"} 0',
      'peyk_receipts_total{route="simulator",state="failed",effect="orphaned"} 0',
      'peyk_inbound_parts_total{route="simulator"} 0',
      'peyk_callback_attempts_total{outcome="delivered"} 0',
      'peyk_callback_attempts_total{outcome="connect_failed"} 0',
      'peyk_callback_attempts_total{outcome="timeout"} 0',
      'peyk_http_requests_total{operation="POST /v1/messages/batch",status="202"} 0',
      'peyk_message_receipt_seconds_bucket{class="otp",le="+Inf"} 0',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    expect(Number(/^peyk_wal_bytes (\d+)/m.exec(text)?.[1])).toBeGreaterThan(0);
    const endsAt = Number(/^peyk_certificate_end_timestamp_seconds (\d+)/m.exec(text)?.[1]);
    expect(endsAt * 1000).toBeGreaterThan(Date.now());
    const declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    expect(declared.size).toBeGreaterThan(25);
  });
});

describe("beside a running server", () => {
  test("the nightly backup's command makes a copy, and leaves nothing beside it", async () => {
    const copy = join(folder.path, "backups.db");
    await runPeyk(["backup", "create", copy, "--data-dir", folder.path], peykCommand).done;
    expect(await runCli(["backup", "verify", copy, "--data-dir", folder.path])).toMatchObject({ code: 0 });
    expect(readdirSync(folder.path).filter((name) => name.includes("partial"))).toEqual([]);
  });

  test("a second server on the same console port reports the address that is taken", async () => {
    const other = temporaryFolder();
    const taken = new URL(consoleUrl).host;
    const args = ["serve", "--data-dir", other.path, "--listen", "127.0.0.1:0", "--console-listen", taken];
    const child = Bun.spawn([...peykCommand, ...args], { stdout: "pipe", stderr: "pipe" });
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toContain(`Another process listens on ${taken}`);
    other.remove();
  });

  test.each([
    ["--listen", "192.0.2.7:8080", "No interface of this machine has the address of"],
    ["--console-listen", "192.0.2.7:8081", "No interface of this machine has the address of"],
    ["--listen", "nowhere.invalid:8080", "is no address that can be listened on"],
  ])("%s %s stops the start with a one-line reason", async (flag, address, words) => {
    const other = temporaryFolder();
    const free = ["--listen", "127.0.0.1:0", "--console-listen", "127.0.0.1:0"];
    const args = ["serve", "--data-dir", other.path, ...free, flag, address];
    const child = Bun.spawn([...peykCommand, ...args], { stdout: "pipe", stderr: "pipe" });
    expect(await child.exited).toBe(1);
    const said = await new Response(child.stderr).text();
    expect(said).toContain(words);
    expect(said).toContain(`${address}`);
    expect(said).toContain(flag);
    expect(said.trim().split("\n")).toHaveLength(1);
    other.remove();
  });
});
