/** Unchanged programs send through intakes: Apprise and standardwebhooks from PyPI, Debian's Alertmanager; and the calls of others as they are sent. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../support/client-packages.ts";
import { type DropInCredentialSeed, DropInServer } from "../support/drop-in-server.ts";
import { freePort } from "../support/free-ports.ts";
import { until } from "../support/manual-clock.ts";
import { programAt } from "../support/programs.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
const site = join(folder.path, "site");
const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : Bun.which("python3");
const hasPip = python !== null && Bun.spawnSync([python, "-m", "pip", "--version"]).exitCode === 0;
const alertmanager = programAt("prometheus-alertmanager");
const packages = ["apprise==2.2.0", "standardwebhooks==1.1.0"];

let server: DropInServer | null = null;

beforeAll(async () => {
  if (!hasPip || python === null) return;
  const pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", site, ...packages];
  expect(await Bun.spawn(pip, { stdout: "ignore", stderr: "ignore" }).exited).toBe(0);
}, 180_000);

afterEach(async () => {
  await server?.stop();
  server = null;
});
afterAll(folder.remove);

const password = "password-of-ops";

async function start(template: object, more: Partial<DropInCredentialSeed> = {}) {
  const whole = { sender: "30001234", ...template };
  server = await DropInServer.start([{ kind: "intake", name: "ops", password, template: whole, ...more }]);
  return server;
}

/** The script's output. */
async function runPython(script: string, ...args: string[]): Promise<string> {
  const path = join(folder.path, "script.py");
  writeFileSync(path, script);
  const env = { ...process.env, PYTHONPATH: site };
  const child = Bun.spawn([python ?? "python3", path, ...args], { env, stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(err);
  return out.trim();
}

const persian = "هشدار: پایگاه داده پاسخ نمی‌دهد. ".repeat(5).trim();

describe.skipIf(!hasPip)("Apprise (wants pip3)", () => {
  const script = `import sys, apprise
notifier = apprise.Apprise()
assert notifier.add(sys.argv[1])
print(bool(notifier.notify(title=sys.argv[2], body=sys.argv[3])))`;

  test.each(["json", "form"])("%s:// sends a Persian text of three parts, and reports a refusal", async (scheme) => {
    const running = await start({ preset: "apprise" });
    const address = (to: string) => `${scheme}://ops:${password}@127.0.0.1:${running.port}/in/ops?:to=${to}`;
    expect(await runPython(script, address("09120000000"), "db-1", persian)).toBe("True");
    expect(running.messages()).toMatchObject([{ recipient: "+989120000000", text: `db-1\n${persian}`, partCount: 3 }]);
    expect(await runPython(script, address("12"), "db-1", persian)).toBe("False");
    expect(await runPython(script, address("09120000000").replace(password, "wrong"), "", "x")).toBe("False");
    expect(running.messages().length).toBe(1);
  });
});

describe.skipIf(!hasPip)("standardwebhooks (wants pip3)", () => {
  test("signs as Peyk checks, and a replay sends nothing", async () => {
    const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
    const running = await start(
      { caller: { kind: "standard-webhooks" }, to: "{{to}}", text: "{{text}}" },
      { password: secret },
    );
    const script = `import sys, json, datetime, urllib.request
from standardwebhooks.webhooks import Webhook
url, secret, text = sys.argv[1:]
body = json.dumps({"to": "09120000000", "text": text}, ensure_ascii=False)
at = datetime.datetime.now(tz=datetime.timezone.utc)
headers = {"content-type": "application/json", "webhook-id": "msg_1", "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": Webhook(secret).sign("msg_1", at, body)}
for _ in range(2):
    with urllib.request.urlopen(urllib.request.Request(url, body.encode(), headers)) as answer:
        print(answer.status, json.load(answer)["duplicate"])`;
    expect(await runPython(script, `${running.url}/in/ops`, secret, "سلام")).toBe("200 False\n200 True");
    expect(running.messages()).toMatchObject([{ text: "سلام" }]);
  });
});

describe.skipIf(Bun.which("npm") === null)("Logto's HTTP SMS connector (wants npm)", () => {
  test("sends a code, and is told of a refusal", async () => {
    const place = join(folder.path, "logto");
    mkdirSync(place);
    writeFileSync(join(place, "package.json"), "{}");
    await output([process.execPath, "add", "--ignore-scripts", "@logto/connector-http-sms@0.2.1"], { cwd: place });
    const script = `import createConnector from "@logto/connector-http-sms";
const [endpoint, authorization, to, payload] = process.argv.slice(2);
const { sendMessage } = await createConnector({ getConfig: async () => ({ endpoint, authorization }) });
await sendMessage({ to, type: "SignIn", payload: JSON.parse(payload) }).then(
  ({ statusCode, body }) => console.log(statusCode, body),
  (error) => console.log("refused", error.code),
);`;
    writeFileSync(join(place, "send.mjs"), script);
    const running = await start({ preset: "logto" }, { traffic: "code" });
    const send = (secret: string, to: string, payload: object) =>
      output([process.execPath, "send.mjs", `${running.url}/in/ops`, `Bearer ${secret}`, to, JSON.stringify(payload)], {
        cwd: place,
      });
    expect((await send(password, "989120000000", { code: "561166" })).trim()).toBe("200 {}");
    expect((await send(password, "+989120000001", { code: "561167" })).trim()).toBe("200 {}");
    expect((await send("wrong", "989120000000", { code: "1" })).trim()).toStartWith("refused");
    expect((await send(password, "989120000000", { link: "https://example.com" })).trim()).toStartWith("refused");
    expect(running.messages()).toMatchObject([
      { recipient: "+989120000000", class: 0 },
      { recipient: "+989120000001", class: 0 },
    ]);
  }, 180_000);
});

const zabbix = programAt("zabbix_js");

test.skipIf(zabbix === null)("Zabbix runs the help's script (wants zabbix_js of zabbix-server-pgsql)", async () => {
  const running = await start({ preset: "zabbix" });
  const help = readFileSync(join(import.meta.dir, "../../docs/intake/monitoring.md"), "utf8");
  const script = join(folder.path, "zabbix.js");
  writeFileSync(script, /```js\n([\s\S]*?)```/.exec(help)?.[1] ?? "");
  const send = async (more: object) => {
    const given = { URL: `${running.url}/in/ops`, Password: password, To: "09120000000", Subject: "Problem", ...more };
    const argv = [zabbix ?? "", "-s", script, "-p", JSON.stringify({ Message: "دیسک پر است", Key: "42 1", ...given })];
    const child = Bun.spawn(argv, { stdout: "pipe", stderr: "pipe" });
    const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return said.join("").trim();
  };
  expect(await send({})).toContain("OK");
  expect(await send({})).toContain("OK");
  expect(await send({ To: "12", Key: "42 2" })).toContain("Peyk answered 400: {");
  expect(await send({ Password: "wrong" })).toContain("Peyk answered 401: {");
  expect(await send({ Subject: "", Key: "42 3" })).toContain("OK");
  expect(running.messages().map(({ text }) => text)).toEqual(["Problem\nدیسک پر است", "دیسک پر است"]);
});

test.skipIf(alertmanager === null)(
  "Alertmanager's alert is one text, and a 503 is retried until accepted (wants prometheus-alertmanager)",
  async () => {
    const running = await start({ preset: "alertmanager", to: ["09120000000"] }, { rate: 1 });
    const port = await freePort();
    const config = join(folder.path, "alertmanager.yml");
    writeFileSync(
      config,
      `route: {receiver: sms, group_by: [alertname], group_wait: 10ms, group_interval: 1m, repeat_interval: 4h}
receivers:
  - name: sms
    webhook_configs:
      - url: ${running.url}/in/ops
        send_resolved: false
        http_config: {basic_auth: {username: ops, password: ${password}}}
`,
    );
    const args = [
      `--config.file=${config}`,
      `--storage.path=${join(folder.path, "am")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--cluster.listen-address=",
    ];
    const child = Bun.spawn([alertmanager ?? "", ...args], { stdout: "ignore", stderr: "ignore" });
    try {
      const api = `http://127.0.0.1:${port}/api/v2/alerts`;
      let isUp = false;
      const ask = () =>
        void fetch(api).then(
          ({ ok }) => {
            isUp ||= ok;
          },
          () => {},
        );
      await until(() => {
        if (!isUp) ask();
        return isUp;
      });
      const alert = (alertname: string) => ({
        labels: { alertname, severity: "page" },
        annotations: { summary: "دیسک پر است" },
      });
      const names = ["DiskFull", "DiskSlow", "DiskGone"];
      const body = JSON.stringify(names.map(alert));
      expect((await fetch(api, { method: "POST", body, headers: { "content-type": "application/json" } })).status).toBe(
        200,
      );
      await until(() => running.messages().length === names.length);
      expect(
        running
          .messages()
          .map(({ text }) => text)
          .sort(),
      ).toEqual(names.map((name) => `[firing] ${name}: دیسک پر است`).sort());
      const [{ lastRefusal } = { lastRefusal: null }] = await running.operate<{ lastRefusal: object | null }[]>(
        "GET",
        "/credentials",
      );
      expect(lastRefusal).toMatchObject({ status: "rate_exceeded" });
    } finally {
      child.kill();
      await child.exited;
    }
  },
);

describe("calls recorded from other programs", () => {
  const post = async (body: string, headers: Record<string, string>) => {
    const answer = await fetch(`${server?.url}/in/ops`, { method: "POST", body, headers });
    return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.text() };
  };
  const json = { "content-type": "application/json" };

  test("Supabase's hook signs each attempt again, and one code is sent, sealed", async () => {
    const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const secret = keys.map((key) => `v1,whsec_${key.toString("base64")}`).join(",");
    const running = await start({ preset: "supabase" }, { password: secret, traffic: "code" });
    const body = JSON.stringify({
      metadata: { uuid: "7f2c0b0e-1111-4222-8333-944455556666", name: "send-sms", ip_address: "203.0.113.9" },
      user: { id: "u1", phone: "989120000000", aud: "authenticated" },
      sms: { otp: "561166", sms_type: "sms" },
    });
    const attempt = (id: string) => {
      const at = Math.floor(Date.now() / 1_000);
      const signatures = keys.map(
        (key) => `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`,
      );
      return post(body, {
        ...json,
        "webhook-id": id,
        "webhook-timestamp": `${at}`,
        "webhook-signature": signatures.join(" "),
      });
    };
    expect(await attempt("a")).toEqual({ status: 200, type: "application/json", body: "{}" });
    expect(await attempt("b")).toEqual({ status: 200, type: "application/json", body: "{}" });
    expect(running.messages()).toMatchObject([{ recipient: "+989120000000", class: 0 }]);
    expect(running.messages()[0]?.text).not.toContain("561166");
  });

  test("authentik's generic provider sends a code by either authentication", async () => {
    const body = JSON.stringify({ From: "authentik", To: "+989120000000", Body: "561166", Message: "Use 561166" });
    const basic = { ...json, authorization: `Basic ${btoa(`ops:${password}`)}` };
    const running = await start({ preset: "authentik" }, { traffic: "code" });
    expect(await post(body, basic)).toEqual({ status: 200, type: "application/json", body: "{}" });
    expect((await post(body, { ...json, authorization: `Basic ${btoa("ops:wrong")}` })).status).toBe(401);
    expect(running.messages()).toMatchObject([{ recipient: "+989120000000", class: 0 }]);
    expect(running.messages()[0]?.text).not.toContain("561166");
    await running.stop();
    const own = { preset: "authentik", caller: { kind: "bearer" }, code: null, text: "{{Message}}" };
    const second = await start(own);
    expect((await post(body, { ...json, authorization: `Bearer ${password}` })).status).toBe(200);
    expect(second.messages()).toMatchObject([{ text: "Use 561166" }]);
  });

  test("Kratos's courier sends what its Jsonnet makes, with a key in a header", async () => {
    const running = await start({ preset: "kratos" });
    const body = JSON.stringify({ recipient: "+989120000000", body: "Your login code is: 561166" });
    expect((await post(body, { ...json, "x-api-key": password })).status).toBe(200);
    expect((await post("{}", { ...json, "x-api-key": password })).status).toBe(400);
    expect(running.messages()).toMatchObject([{ text: "Your login code is: 561166" }]);
  });

  test("Keycloak's SMS authenticator sends a form, or JSON", async () => {
    const running = await start({ preset: "keycloak-sms" });
    const basic = { authorization: `Basic ${btoa(`ops:${password}`)}` };
    const form = "text=Your+code+is+561166.&to=%2B989120000000&from=30001234";
    const urlencoded = { ...basic, "content-type": "application/x-www-form-urlencoded" };
    expect((await post(form, urlencoded)).status).toBe(200);
    expect((await post('{"text":"Second","to":"+989120000000","from":"x"}', { ...basic, ...json })).status).toBe(200);
    expect(running.messages().map(({ text }) => text)).toEqual(["Your code is 561166.", "Second"]);
  });

  test("Home Assistant's rest platform sends by each of its methods", async () => {
    const running = await start({ preset: "home-assistant" });
    const basic = { authorization: `Basic ${btoa(`ops:${password}`)}` };
    const content = { message: "The door is open", target: "09120000000" };
    expect((await post(JSON.stringify(content), { ...basic, ...json })).status).toBe(200);
    const query = new URLSearchParams(content);
    const urlencoded = { ...basic, "content-type": "application/x-www-form-urlencoded" };
    expect((await post(`${query}`, urlencoded)).status).toBe(200);
    expect((await fetch(`${running.url}/in/ops?${query}`, { headers: basic })).status).toBe(200);
    expect(running.messages().map(({ text }) => text)).toEqual(Array(3).fill(content.message));
  });

  test("RapidPro's external channel sends its default body, and a repeat once", async () => {
    const running = await start({ preset: "rapidpro" });
    const part = (text: string) =>
      `id=10&text=${encodeURIComponent(text)}&to=%2B989120000000&to_no_plus=989120000000&from=2020&from_no_plus=2020&channel=8eb23e93`;
    const headers = { "content-type": "application/x-www-form-urlencoded", authorization: `Bearer ${password}` };
    for (const text of ["First", "First", "Second"]) expect((await post(part(text), headers)).status).toBe(200);
    expect(running.messages().map(({ text }) => text)).toEqual(["First", "Second"]);
  });

  test("Zabbix's webhook sends a text once for all its attempts", async () => {
    const running = await start({ preset: "zabbix" });
    const headers = { ...json, authorization: `Bearer ${password}` };
    const call = { to: "09120000000", subject: "Problem", message: "Host: db-1", key: "42 1 0 09120000000" };
    for (const more of [{}, {}, { key: "43 1 0 09120000000" }])
      expect((await post(JSON.stringify({ ...call, ...more }), headers)).status).toBe(200);
    expect((await post(JSON.stringify({ ...call, to: "x", key: "44" }), headers)).status).toBe(400);
    expect(running.messages().map(({ text }) => text)).toEqual(Array(2).fill("Problem\nHost: db-1"));
  });

  test("Nhost's generic provider sends what its body template makes", async () => {
    const running = await start({ preset: "nhost" });
    const headers = { ...json, authorization: `Bearer ${password}` };
    expect((await post('{"to": "+989120000000", "body": "Your code is \\"561166\\""}', headers)).status).toBe(200);
    expect((await post('{"to": "+98912", "body": "Your code"}', headers)).status).toBe(400);
    expect(running.messages()).toMatchObject([{ recipient: "+989120000000", text: 'Your code is "561166"' }]);
  });

  test("FusionAuth's generic messenger sends a text, or the code alone", async () => {
    const basic = { ...json, authorization: `Basic ${btoa(`ops:${password}`)}` };
    const { userId, ...call } = {
      code: "012345",
      phoneNumber: "+989120000000",
      message: "Your verification code is 012345",
      textMessage: "Two Factor Code: 012345",
      type: "SMS",
      userId: "00000000-0000-0000-0000-000000000042",
    };
    const running = await start({ preset: "fusionauth" });
    expect((await post(JSON.stringify({ ...call, userId }), basic)).status).toBe(200);
    const voice = { ...call, textMessage: undefined, type: "Voice" };
    expect((await post(JSON.stringify(voice), basic)).status).toBe(400);
    expect(running.messages()).toMatchObject([{ text: "Two Factor Code: 012345" }]);
    await running.stop();
    const second = await start({ preset: "fusionauth", text: null, code: "{{code}}" }, { traffic: "code" });
    expect((await post(JSON.stringify(call), basic)).status).toBe(200);
    expect(second.messages()).toMatchObject([{ recipient: "+989120000000", class: 0 }]);
    expect(second.messages()[0]?.text).not.toContain("012345");
  });

  test("MeshCentral fills number and text into an address, and reads the status", async () => {
    const running = await start({ preset: "meshcentral" });
    const template = `${running.url}/in/ops?key=${password}&phone={{phone}}&message={{message}}`;
    const send = async (address: string, phone: string, message: string) => {
      const [first, text] = [encodeURIComponent(phone), encodeURIComponent(message)];
      return (await fetch(address.split("{{phone}}").join(first).split("{{message}}").join(text))).status;
    };
    expect(await send(template, "+989120000000", "کد & 561166")).toBe(200);
    expect(await send(template, "12", "x")).toBe(400);
    expect(await send(template.replace(password, "wrong"), "+989120000000", "x")).toBe(401);
    expect(running.messages()).toMatchObject([{ recipient: "+989120000000", text: "کد & 561166" }]);
  });

  test("WP SMS's custom gateway posts its parameters as JSON", async () => {
    const running = await start({ preset: "wp-sms" }, { traffic: "bulk" });
    const headers = { ...json, authorization: `Bearer ${password}` };
    // PHP's JSON escapes slashes and letters beyond ASCII.
    const body = String.raw`{"to":"09120000000,+989120000001","text":"\u0633\u0644\u0627\u0645 https:\/\/shop.example"}`;
    expect((await post(body, headers)).status).toBe(200);
    expect((await post('{"to":"","text":"x"}', headers)).status).toBe(400);
    const all = running.messages().map(({ recipient, text }) => [recipient, text]);
    expect(all).toEqual(["+989120000000", "+989120000001"].map((to) => [to, "سلام https://shop.example"]));
  });

  test("CommCare's HTTP gateway sends ISO 8859-1 if it can, and UTF-8 otherwise", async () => {
    const running = await start({ preset: "commcare" });
    const send = async (query: string) => (await fetch(`${running.url}/in/ops?${query}`)).status;
    const number = "to=989120000000";
    expect(await send(`key=${password}&text=Rendez-vous+apr%E8s-demain&${number}`)).toBe(200);
    expect(await send(`key=${password}&text=${encodeURIComponent("سلام é")}&${number}`)).toBe(200);
    expect(await send(`key=wrong&text=x&${number}`)).toBe(401);
    expect(running.messages()).toMatchObject([{ text: "Rendez-vous après-demain" }, { text: "سلام é" }]);
    expect(running.messages().every(({ recipient }) => recipient === "+989120000000")).toBe(true);
  });

  test("DHIS2's generic gateway posts a form, with numbers without their plus", async () => {
    const running = await start({ preset: "dhis2" }, { traffic: "bulk" });
    const headers = {
      authorization: `Basic ${btoa(`ops:${password}`)}`,
      "content-type": "application/x-www-form-urlencoded",
    };
    const form = `text=${encodeURIComponent("گزارش & ۴۷").replaceAll("%20", "+")}&to=989120000000,989120000001`;
    expect((await post(form, headers)).status).toBe(200);
    expect((await post("text=&to=989120000000", headers)).status).toBe(400);
    expect(running.messages()).toMatchObject([
      { recipient: "+989120000000", text: "گزارش & ۴۷" },
      { recipient: "+989120000001", text: "گزارش & ۴۷" },
    ]);
  });

  test("Zitadel's webhook is accepted", async () => {
    const running = await start({ preset: "zitadel" }, { password: "zitadel-signing-key" });
    const body = JSON.stringify({
      contextInfo: { eventType: "session.otp.sms.challenged", recipientPhoneNumber: "+989120000000" },
      templateData: { title: "", text: "رمز شما ۱۲۳۴۵۶ است" },
      args: { code: "123456" },
    });
    const at = Math.floor(Date.now() / 1_000);
    const signature = createHmac("sha256", "zitadel-signing-key").update(`${at}.${body}`).digest("hex");
    expect((await post(body, { ...json, "ZITADEL-Signature": `t=${at},v1=${signature}` })).status).toBe(200);
    expect(
      (
        await post(body, {
          ...json,
          "ZITADEL-Signature": `t=${at},v1=${signature.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))}`,
        })
      ).status,
    ).toBe(401);
    expect(running.messages()).toMatchObject([{ text: "رمز شما ۱۲۳۴۵۶ است" }]);
  });

  test("Novu's generic provider reads id and date at their paths, and an id is a key", async () => {
    const running = await start({ preset: "novu" });
    const body = JSON.stringify({ to: "+989120000000", content: "سلام", id: "novu-1", sender: "30001234" });
    const sent = async () => JSON.parse((await post(body, { ...json, "x-api-key": password })).body);
    const first = await sent();
    expect(first).toEqual({ id: running.messages()[0]?.trackingCode, date: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect((await sent()).id).toBe(first.id);
    expect(running.messages().length).toBe(1);
  });

  test("Grafana's contact point signs time and body", async () => {
    const caller = {
      kind: "body",
      header: "X-Grafana-Alerting-Signature",
      timestampHeader: "X-Grafana-Alerting-Signature-Timestamp",
    };
    const running = await start({ preset: "grafana", caller, to: ["09120000000"] }, { password: "grafana-secret" });
    const alerts = [
      { status: "firing", labels: { alertname: "CPU" }, fingerprint: "f1", startsAt: "2026-11-23T01:00:00Z" },
    ];
    const body = JSON.stringify({ status: "firing", title: "[FIRING:1] CPU", message: "بار زیاد است", alerts });
    const at = `${Math.floor(Date.now() / 1_000)}`;
    const signature = createHmac("sha256", "grafana-secret").update(`${at}:${body}`).digest("hex");
    const headers = {
      ...json,
      "X-Grafana-Alerting-Signature": signature,
      "X-Grafana-Alerting-Signature-Timestamp": at,
    };
    expect((await post(body, headers)).status).toBe(200);
    expect((await post(body, { ...json, "X-Grafana-Alerting-Signature": signature })).status).toBe(401);
    expect(running.messages()).toMatchObject([{ text: "[FIRING:1] CPU\nبار زیاد است" }]);
  });

  test("Uptime Kuma sends JSON, a form whose field contains it, and a query", async () => {
    const running = await start({ preset: "uptime-kuma", to: ["09120000000"] });
    const content = {
      heartbeat: { status: 0, msg: "timeout" },
      monitor: { name: "shop" },
      msg: "[shop] [🔴 Down] timeout",
    };
    expect((await post(JSON.stringify(content), { ...json, "x-api-key": password })).status).toBe(200);
    const form = new FormData();
    form.set("data", JSON.stringify(content));
    const asForm = { method: "POST", body: form, headers: { "x-api-key": password } };
    expect((await fetch(`${running.url}/in/ops`, asForm)).status).toBe(200);
    const query = new URLSearchParams({ msg: content.msg });
    expect((await fetch(`${running.url}/in/ops?${query}`, { headers: { "x-api-key": password } })).status).toBe(200);
    expect(running.messages().map(({ text }) => text)).toEqual(Array(3).fill(content.msg));
  });
});
