/** Debian's Prometheus scrapes a demo: every expression of the board for Grafana has data. */
import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boardExpressions } from "../../scripts/board.ts";
import { operatorClient } from "../../src/cli/client.ts";
import { demoTraffic } from "../../src/cli/demo-traffic.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { selfSigned } from "../support/certificates.ts";
import { freePort } from "../support/free-ports.ts";
import { PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

const withinMs = 60_000;

/** A service with TLS and a nightly backup, which the demo does not have. */
async function startWithCertificate(folder: string): Promise<PeykProcess> {
  const { cert, key } = selfSigned("peyk.example");
  writeFileSync(join(folder, "cert.pem"), cert);
  writeFileSync(join(folder, "key.pem"), key, { mode: 0o600 });
  const env = { PEYK_TLS_CERT_FILE: join(folder, "cert.pem"), PEYK_TLS_KEY_FILE: join(folder, "key.pem") };
  const peyk = await PeykProcess.start({ folder: join(folder, "data"), env });
  mkdirSync(join(folder, "data/backups"), { recursive: true });
  const madeAt = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
  writeFileSync(join(folder, `data/backups/peyk-${madeAt}.db`), "");
  return peyk;
}

async function startPrometheus(folder: string, services: readonly PeykProcess[]) {
  const port = await freePort();
  const targets = services.map(({ consoleUrl }) => new URL(consoleUrl).host);
  const scrape = { job_name: "peyk", scrape_interval: "1s", static_configs: [{ targets }] };
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify({ scrape_configs: [scrape] }));
  const child = Bun.spawn(
    [
      "prometheus",
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "series")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdin: "ignore", stdout: "ignore", stderr: "ignore" },
  );
  return { child, url: `http://127.0.0.1:${port}` };
}

/** Expressions whose answer is empty, or contains only NaN: a quantile of nothing. */
async function silent(url: string, expressions: readonly string[]): Promise<string[]> {
  const answers = expressions.map(async (expr) => {
    const asked = expr.replaceAll("$job", "peyk").replaceAll("$__rate_interval", "10s");
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(asked)}`).catch(() => null);
    const body = answer === null ? "" : await answer.text();
    if (answer !== null && !answer.ok && !body.includes("starting up")) throw new Error(`${asked}: ${body}`);
    return /"value":\[[\d.]+,"(?!NaN)/.test(body) ? [] : [expr];
  });
  return (await Promise.all(answers)).flat();
}

testWith("prometheus")("every query of the Grafana board finds series in Prometheus on a demo", async () => {
  const folder = temporaryFolder();
  const demo = await PeykProcess.start({ folder: join(folder.path, "demo") });
  const secured = await startWithCertificate(folder.path);
  const prometheus = await startPrometheus(folder.path, [demo, secured]);
  const stopped = new AbortController();
  const pause = async (ms: number) => {
    stopped.signal.throwIfAborted();
    await Bun.sleep(ms);
  };
  const api = operatorClient({ path: join(demo.folder, "peyk.sock"), dataDir: demo.folder, user: "test" });
  const traffic = demoTraffic({ api, url: demo.url, random: systemRandom, pause }).catch(() => {});
  try {
    let missing: readonly string[] = boardExpressions;
    const deadline = performance.now() + withinMs;
    while (missing.length > 0 && performance.now() < deadline) {
      await Bun.sleep(1_000);
      missing = await silent(prometheus.url, missing);
    }
    expect(missing).toEqual([]);
    expect(boardExpressions.length).toBeGreaterThan(25);
  } finally {
    stopped.abort();
    await traffic;
    prometheus.child.kill();
    await Promise.all([prometheus.child.exited, demo.stop(), secured.stop()]);
    folder.remove();
  }
});
