/** What a following node answers on each of its listeners. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { defaultSettings } from "../../src/config/settings.ts";
import type { Finding } from "../../src/operator/finding.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { openStandby, type Standby } from "../../src/server/standby.ts";
import { runCli } from "../support/cli.ts";
import { freePorts } from "../support/free-ports.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
let standby: Standby;
let ports: readonly number[] = [];
const at = (port: number | undefined, path: string, options: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, options);

beforeAll(async () => {
  ports = await freePorts(4);
  const [listen, consoleListen, dropIn, smpp] = ports.map((port) => `127.0.0.1:${port}`);
  const defaults = defaultSettings();
  standby = await openStandby({
    settings: {
      ...defaults,
      dataDir: folder.path,
      listen: listen ?? "",
      consoleListen: consoleListen ?? "",
      dropIn: { ...defaults.dropIn, listen: dropIn ?? null },
      smppServer: { ...defaults.smppServer, listen: smpp ?? null },
    },
    random: systemRandom,
    log: silentLog,
    state: () => ({ leader: "a", position: 7, behind: 2, hasEngine: true, heldBy: null }),
  });
});

afterAll(async () => {
  await standby.stop();
  folder.remove();
});

test("a standby answers the public API with 503 and Retry-After, and is alive but not ready", async () => {
  const refused = await at(ports[0], "/v1/messages", { method: "POST", headers: { "x-correlation-id": "c-1" } });
  expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("x-correlation-id")]).toEqual([
    503,
    "2",
    "c-1",
  ]);
  expect(await refused.json()).toMatchObject({ code: "service_unavailable" });
  const ready = await at(ports[0], "/readyz");
  expect([ready.status, await ready.json()]).toEqual([
    503,
    expect.objectContaining({ checks: { leads: false, engine: true }, message: expect.stringContaining("a leads") }),
  ]);
  expect((await at(ports[0], "/healthz")).status).toBe(200);
});

test("a standby serves metrics on the console's listener alone, to those who may read them", async () => {
  const served = await at(ports[1], "/metrics");
  const metrics = await served.text();
  expect(served.status).toBe(200);
  expect(metrics).toContain("peyk_cluster_leads 0\n");
  expect(metrics).toContain("peyk_cluster_behind_entries 2\n");
  expect((await at(ports[1], "/readyz")).status).toBe(503);
  expect((await at(ports[1], "/healthz")).status).toBe(200);
  const statuses = [
    await at(ports[0], "/metrics"),
    await at(ports[2], "/metrics"),
    await at(ports[1], "/metrics", { headers: { "x-forwarded-for": "203.0.113.9" } }),
    await at(ports[1], "/metrics", { headers: { host: "stranger.example" } }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([503, 404, 403, 421]);
});

test("the doctor accepts a following node as a healthy service", async () => {
  const { out } = await runCli(["doctor", "--json", "--data-dir", folder.path]);
  const findings: Finding[] = JSON.parse(out);
  expect(findings.find(({ check }) => check === "service")).toEqual({
    check: "service",
    grade: "ok",
    says: expect.stringContaining("a leads"),
    do: null,
  });
});

test("a standby answers drop-in requests with 503 in the form of each protocol", async () => {
  const answers: unknown[] = [];
  for (const path of ["/cgi-bin/sendsms?to=1", "/send?to=1", "/balance", "/secure/send", "/in/shop", "/other"]) {
    const response = await at(ports[2], path);
    answers.push([response.status, response.headers.get("retry-after"), await response.text()]);
  }
  expect(answers).toEqual([
    [503, "2", "Temporal failure, try again later."],
    [503, "2", 'Error "Cannot send submit_sm, check SMPPClientManagerPB log file for details"'],
    [503, "2", '"Cannot send submit_sm, check SMPPClientManagerPB log file for details"'],
    [503, "2", expect.stringContaining('{"message": "Error')],
    [503, "2", expect.stringContaining("service_unavailable")],
    [404, null, "Not found"],
  ]);
});

test("a standby's console and commands name the leader, and no SMPP port is open", async () => {
  const page = await at(ports[1], "/");
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("a leads")]);
  const told = await fetch("http://localhost/status", { unix: join(folder.path, "peyk.sock") });
  expect([told.status, await told.json()]).toEqual([
    503,
    { code: "not_leading", message: expect.stringContaining("a leads") },
  ]);
  const refused = await new Promise<string>((resolve) => {
    const socket = connect(ports[3] ?? 0, "127.0.0.1", () => resolve("open"));
    socket.on("error", (reason: NodeJS.ErrnoException) => resolve(reason.code ?? ""));
  });
  expect(refused).toBe("ECONNREFUSED");
});
