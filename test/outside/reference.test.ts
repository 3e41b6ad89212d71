/**
 * The reference as foreign programs read it: spectral judges the document, schemathesis makes requests by it and judges
 * the answers of a server. What they may find is listed, with the reason.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { fromNpm, fromPyPI, run } from "../support/outside-programs.ts";
import { PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const [spectral, schemathesis] = await Promise.all([
  fromNpm("@stoplight/spectral-cli", "6.16.3", ".bin/spectral"),
  fromPyPI("schemathesis", "4.32.5"),
]);
const examplesMax = Number(process.env.TEST_OUTSIDE_EXAMPLES ?? 20);
const timeoutMs = 600_000;

/** No server is at this address; an operator who trusts it makes the reference's example a valid one. */
const receiver = "127.0.0.1:9";
const folder = temporaryFolder();
let peyk: PeykProcess;
let apiKey = "";

/** What the reference's examples name: a sender, a group and two patterns. */
beforeAll(async () => {
  const env = {
    // Nothing is dialled, whatever URL is drawn.
    PEYK_WEBHOOKS_DENY_CIDRS: "0.0.0.0/0,::/0",
    PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: receiver,
    PEYK_HTTP_TRUSTED_PROXIES: "127.0.0.1",
    PEYK_OTP_RESEND_SECONDS: "0",
    PEYK_OTP_PER_HOUR: "1000",
    PEYK_OTP_PER_DAY: "10000",
    PEYK_OTP_FRAUD_GUARD: "false",
  };
  peyk = await PeykProcess.start({ folder: folder.path, env });
  const { accountId: account, ...customer } = await peyk.customer("982000123");
  apiKey = customer.apiKey;
  await peyk.operate("PATCH", `/accounts/${account}`, { defaultSender: customer.sender });
  await peyk.operate("POST", "/groups", { account, code: "spring-offer", name: "Spring" });
  const unix = join(folder.path, "peyk.sock");
  const members = { unix, method: "POST", body: "mobile,firstName\n09121111111,Ali\n" };
  await (await fetch("http://localhost/groups/spring-offer/import", members)).text();
  await peyk.operate("POST", "/groups/spring-offer/approve", { by: "test" });
  const patterns = { "order-ready": "{{name}}, your order is ready.", "login-code": "Your code: {{code}}" };
  for (const [code, text] of Object.entries(patterns)) {
    await peyk.operate("POST", "/patterns", { account, code, name: code, text });
    await peyk.operate("POST", `/patterns/${code}/approve`, { by: "test" });
  }
}, timeoutMs);
afterAll(async () => {
  await peyk.stop();
  folder.remove();
});

const listedBySpectral = {
  "info-contact": "Each service has an operator of its own, whose address Peyk does not know.",
  "path-keys-no-trailing-slash": "The contract spells /v1/webhooks/ so.",
};

test.skipIf(spectral === null)(
  "spectral finds nothing in openapi.json except what is listed (wants npm)",
  async () => {
    const document = join(folder.path, "openapi.json");
    await Bun.write(document, await fetch(`${peyk.url}/v1/openapi.json`));
    const rules = join(folder.path, "rules.yaml");
    await Bun.write(rules, 'extends: ["spectral:oas"]\n');
    const options = ["--ruleset", rules, "--format", "json", "--quiet"];
    const { text } = await run([spectral ?? "", "lint", document, ...options]);
    const found: { code: string }[] = JSON.parse(text);
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(Object.keys(listedBySpectral)));
  },
  timeoutMs,
);

/** Runs schemathesis against `url`; nothing of what it says is shown unless it is wanted. */
async function findings(url: string, ...options: readonly string[]) {
  const config = join(folder.path, "schemathesis.toml");
  await Bun.write(config, `[auth.openapi.ApiKey]\napi_key = "${apiKey}"\n`);
  const report = join(folder.path, "report.json");
  const command = [schemathesis ?? "", "--config-file", config, "run", `${url}/v1/openapi.json`];
  // In its place is the check of the hooks, which knows what no schema can say.
  const checks = ["--checks", "all", "--exclude-checks", "positive_data_acceptance", "--continue-on-failure"];
  const output = ["--no-color", "--report", "json", "--report-json-path", report];
  const hooks = join(import.meta.dir, "schemathesis_hooks.py");
  const env = { SCHEMATHESIS_HOOKS: hooks, PEYK_RECEIVER: `https://${receiver}/hook` };
  const { code, text } = await run([...command, ...checks, ...output, ...options], { cwd: folder.path, env });
  const { operations, failures, errors, test_cases: cases } = await Bun.file(report).json();
  return { code, text, operations, failures, errors, cases };
}

test.skipIf(schemathesis === null)(
  "schemathesis finds no answer that the reference does not allow, with all its checks (wants python3)",
  async () => {
    const seed = ["--seed", process.env.TEST_OUTSIDE_SEED ?? "1", "--max-examples", String(examplesMax)];
    const { code, text, operations, failures, errors, cases } = await findings(peyk.url, ...seed);
    if (code !== 0) console.log(text);
    expect([code, failures, errors]).toEqual([0, [], []]);
    expect(operations.tested).toBe(operations.total);
    expect(cases.generated).toBeGreaterThan(examplesMax * operations.total);
    console.log(`schemathesis: ${cases.generated} requests to ${operations.tested} operations`);
  },
  timeoutMs,
);

test.skipIf(schemathesis === null)(
  "the control: schemathesis finds an answer with fields of another type (wants python3)",
  async () => {
    await using wrong = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const answer = await fetch(`${peyk.url}${pathname}${search}`, request);
        const body = await answer.text();
        return new Response(body.replaceAll('"active":true', '"active":"yes"'), answer);
      },
    });
    const one = ["--include-operation-id", "listSenders", "--phases", "examples"];
    const { code, failures } = await findings(`http://127.0.0.1:${wrong.port}`, ...one);
    expect([code, failures.length]).toEqual([1, 1]);
  },
  timeoutMs,
);
