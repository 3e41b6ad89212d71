/**
 * Unchanged programs send through Peyk: npm's @novu/providers by Kannel's protocol and by an intake, and PyPI's rapidsms.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../support/client-packages.ts";
import { DropInServer } from "../support/drop-in-server.ts";
import { type ReportReceiver, reportReceiver } from "../support/report-receiver.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : Bun.which("python3");
const hasPip = python !== null && Bun.spawnSync([python, "-m", "pip", "--version"]).exitCode === 0;
const hasNpm = Bun.which("npm") !== null;
const novuVersion = "0.24.2";

const short = "سلام دنیا";
const long = "این پیام بلند باید در چند بخش و سالم برسد. ".repeat(4).trim();

let server: DropInServer;
let receiver: ReportReceiver;
beforeAll(async () => {
  receiver = reportReceiver();
  const shop = { kind: "kannel", name: "shop", password: "password-of-shop" } as const;
  const intake = { kind: "intake", name: "novu", password: "password-of-novu", template: { preset: "novu" } } as const;
  server = await DropInServer.start([{ ...shop, callbackOrigins: [receiver.origin] }, intake]);
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
  folder.remove();
});

const sentSince = (before: number) =>
  server
    .messages()
    .slice(before)
    .map(({ recipient, text, partCount }) => `${recipient} ${partCount} ${text}`);

describe.skipIf(!hasNpm)("@novu/providers (wants npm)", () => {
  const site = join(folder.path, "novu");

  beforeAll(async () => {
    mkdirSync(site);
    writeFileSync(join(site, "package.json"), "{}");
    // Of its four hundred dependencies these two providers need only these; their requests are unchanged.
    await output(["npm", "pack", "--silent", `@novu/providers@${novuVersion}`], { cwd: site });
    const packed = join(site, "node_modules", "@novu", "providers");
    await output([process.execPath, "add", "--ignore-scripts", "axios@1.6.7", `@novu/stateless@${novuVersion}`], {
      cwd: site,
    });
    mkdirSync(packed, { recursive: true });
    await output(
      ["tar", "xzf", join(site, `novu-providers-${novuVersion}.tgz`), "-C", packed, "--strip-components=1"],
      { cwd: site },
    );
  }, 180_000);

  async function send(to: string, content: string): Promise<string> {
    const script = `
      const { KannelSmsProvider } = require("@novu/providers/build/main/lib/kannel/kannel.provider.js");
      const [port, to, content] = process.argv.slice(2);
      const config = { host: "127.0.0.1", port, username: "shop", password: "password-of-shop", from: "30001234" };
      new KannelSmsProvider(config).sendMessage({ to, content, id: "n-1" })
        .then((sent) => console.log("sent", sent.id), (error) => console.log("refused", error.response?.status, error.response?.data));`;
    writeFileSync(join(site, "send.cjs"), script);
    return (await output([process.execPath, "send.cjs", String(server.port), to, content], { cwd: site })).trim();
  }

  test("sends Persian in three parts, and reports a refusal", async () => {
    const before = server.messages().length;
    expect(await send("09121234567", short)).toBe("sent n-1");
    expect(await send("+989121234568", long)).toBe("sent n-1");
    expect(sentSince(before)).toEqual([`+989121234567 1 ${short}`, `+989121234568 3 ${long}`]);
    expect(await send("12", short)).toStartWith("refused 400 Number(s) has/have been denied");
    expect(server.messages()).toHaveLength(before + 2);
  }, 180_000);

  /** Its generic provider, with the settings of docs/intake.md. */
  async function sendByIntake(to: string, content: string, id: string): Promise<string> {
    const script = `
      const { GenericSmsProvider } = require("@novu/providers/build/main/lib/generic-sms/generic-sms.provider.js");
      const [baseUrl, apiKey, to, content, id] = process.argv.slice(2);
      const config = { baseUrl, apiKeyRequestHeader: "X-Api-Key", apiKey, from: "30001234", idPath: "id", datePath: "date" };
      new GenericSmsProvider(config).sendMessage({ to, content, id })
        .then((sent) => console.log("sent", sent.id, sent.date), (error) => console.log("refused", error.response?.status, error.response?.data.code));`;
    writeFileSync(join(site, "intake.cjs"), script);
    const args = [`${server.url}/in/novu`, "password-of-novu", to, content, id];
    return (await output([process.execPath, "intake.cjs", ...args], { cwd: site })).trim();
  }

  test("sends with its generic provider to an intake, gets id and date, and a repeated job sends nothing", async () => {
    const before = server.messages().length;
    const sent = await sendByIntake("+989121234567", long, "job-1");
    const [message] = server.messages().slice(before);
    expect(sent).toMatch(new RegExp(`^sent ${message?.trackingCode} \\d{4}-\\d\\d-\\d\\dT[^ ]*Z$`));
    expect(sentSince(before)).toEqual([`+989121234567 3 ${long}`]);
    expect(await sendByIntake("+989121234567", long, "job-1")).toStartWith(`sent ${message?.trackingCode} `);
    expect(await sendByIntake("12", short, "job-2")).toStartWith("refused 400 ");
    expect(server.messages()).toHaveLength(before + 1);
  }, 180_000);
});

describe.skipIf(!hasPip)("rapidsms (wants pip3)", () => {
  const site = join(folder.path, "rapidsms");
  const packages = ["rapidsms==2.2.0", "Django==4.2.16", "asgiref==3.8.1", "sqlparse==0.5.1"];
  const http = ["requests==2.32.3", "urllib3==2.2.3", "certifi==2024.8.30", "idna==3.10", "charset-normalizer==3.4.0"];

  beforeAll(async () => {
    const pip = [python ?? "", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    await output([...pip, "--target", site, ...packages, ...http], { cwd: folder.path });
  }, 180_000);

  async function send(text: string, charset: string, coding: number, ...identities: string[]): Promise<string> {
    const script = `
import sys
import django
from django.conf import settings
from django.urls import path
urlpatterns = [path("kannel/delivery-report/", lambda request: None, name="kannel-delivery-report")]
settings.configure(ROOT_URLCONF=__name__, INSTALLED_APPS=[])
django.setup()
from rapidsms.backends.kannel.outgoing import KannelBackend
url, reports, text, charset, coding, *identities = sys.argv[1:]
backend = KannelBackend.__new__(KannelBackend)
params = {"smsc": "peyk", "from": "30001234", "username": "shop", "password": "password-of-shop"}
backend.configure(sendsms_url=url, sendsms_params=params, charset=charset, coding=int(coding), delivery_report_url=reports)
try:
    backend.send("m-1", text, identities)
    print("sent")
except Exception as error:
    print("refused", error.response.status_code, error.response.text)
`;
    writeFileSync(join(folder.path, "send.py"), script);
    const args = [`${server.url}/cgi-bin/sendsms`, receiver.origin, text, charset, String(coding), ...identities];
    return (await output([python ?? "", "send.py", ...args], { cwd: folder.path, env: { PYTHONPATH: site } })).trim();
  }

  test("sends UTF-8 to several recipients, three parts, reports a refusal, and gets its receipts", async () => {
    const before = server.messages().length;
    expect(await send(long, "UTF-8", 2, "09121234567", "09121234568")).toBe("sent");
    expect(await send("plain", "ascii", 0, "09121234567")).toBe("sent");
    expect(sentSince(before)).toEqual([`+989121234567 3 ${long}`, `+989121234568 3 ${long}`, "+989121234567 1 plain"]);
    expect(await send(short, "UTF-8", 2, "09121234567", "abc")).toStartWith("refused 400 Number(s)");
    const targets = (await receiver.until(6)).map(({ target }) => target);
    const form =
      /^\/kannel\/delivery-report\/\?message_id=m-1&status=[18]&status_text=[^&]+&smsc=peyk&sms_id=[0-9a-f-]{36}&date_sent=\d{4}-\d\d-\d\d\+\d\d:\d\d:\d\d&identity=0912123456[78]$/;
    expect(targets.filter((target) => !form.test(target))).toEqual([]);
  }, 180_000);
});
