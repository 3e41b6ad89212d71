/** Migrating from Kannel: what becomes of each line of its configuration; nothing connects or changes too early. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../support/cli.ts";
import { DropInServer } from "../support/drop-in-server.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let server: DropInServer | null = null;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await server?.stop();
  server = null;
  folder.remove();
});

const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
const config = () => join(folder.path, "kannel.conf");

interface Read {
  routes: { name: string; kind: string; line: number; options: Record<string, unknown> }[];
  rules: { ranges: string[]; routes: string[] }[];
  senders: { sender: string; routes: string[] }[];
  users: { username: string; allowFrom: string[]; sender: string | null; weakPassword: boolean }[];
  forwards: { method: string; url: string }[];
  settings: string[];
  remarks: { file: string; line: number; key: string; words: string }[];
}

async function dryRun(...more: string[]): Promise<Read> {
  const run = await runCli(["import", "kannel", config(), "--dry-run", "--json", ...more]);
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
}

const remarked = ({ remarks }: Read) => remarks.map(({ line, key }) => `${line} ${key}`);

const smpp = `group = smsc
smsc = smpp
smsc-id = operator-a
host = smsc.example.com
port = 2775
receive-port = 2775
smsc-username = peyk
smsc-password = "se\\"cret"
system-type = VMA
transceiver-mode = yes
throughput = 50
max-pending-submits = 20
enquire-link-interval = 30
wait-ack = 60
source-addr-ton = 5
dest-addr-npi = 1
msg-id-type = 0x01
alt-charset = iso-8859-1
preferred-prefix = "+98912;0935"
allowed-smsc-id = operator-a
reconnect-delay = 10
`;

describe("a dry run of a Kannel import", () => {
  test("turns SMPP connections into routes, and lists each line it cannot use with the reason", async () => {
    write("kannel.conf", `# carriers\n${smpp}\ngroup = smsc\nsmsc = at\nmodemtype = wavecom\ndevice = /dev/ttyS0\n`);
    const read = await dryRun();
    expect(read.routes).toEqual([
      {
        name: "operator-a",
        kind: "smpp",
        line: 2,
        options: {
          host: "smsc.example.com",
          port: 2775,
          bind: "transceiver",
          systemId: "peyk",
          systemType: "VMA",
          partsPerSecond: 50,
          window: 20,
          enquireLinkSeconds: 30,
          responseTimeoutMs: 60_000,
          sourceTon: 5,
          destinationNpi: 1,
          receiptId: "hexToDec",
          charset: "latin1",
        },
      },
    ]);
    expect(read.rules).toEqual([
      { ranges: ["+98912"], routes: ["operator-a"] },
      { ranges: ["+98935"], routes: ["operator-a"] },
      { ranges: [], routes: ["operator-a"] },
    ]);
    expect(remarked(read)).toEqual(["21 allowed-smsc-id", "22 reconnect-delay", "25 smsc"]);
    expect(read.remarks[2]?.words).toContain("modems");
  });

  test("gives routes of one smsc-id different names, and leaves other systems to be described by hand", async () => {
    const http =
      "group = smsc\nsmsc = http\nsystem-type = kannel\nsmsc-id = next\nsend-url = http://10.0.0.2:13013/cgi-bin/sendsms\nsmsc-username = u\nsmsc-password = p\n";
    const other = "group = smsc\nsmsc = http\nsystem-type = clickatell\nsmsc-id = click\nsend-url = http://x/\n";
    const broken = "group = smsc\nsmsc = smpp\nsmsc-id = nowhere\n";
    const receiver = "group = smsc\nsmsc = smpp\nsmsc-id = in\nhost = h\nreceive-port = 2776\nsmsc-username = u\n";
    write("kannel.conf", [smpp, smpp, http, other, broken, receiver].join("\n"));
    const read = await dryRun();
    expect(read.routes.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "operator-a smpp",
      "operator-a-2 smpp",
      "next http",
      "in smpp",
    ]);
    expect(read.rules[0]).toEqual({ ranges: ["+98912"], routes: ["operator-a", "operator-a-2", "next"] });
    expect(
      read.remarks.filter(({ words }) => words.includes("clickatell") || words.includes("nowhere")).length,
    ).toBeGreaterThan(1);
  });

  test("prints the file name as it was given", async () => {
    write("kannel.conf", "group = core\nstray\n");
    const command = [...peykCommand, "import", "kannel", "kannel.conf", "--dry-run"];
    const child = Bun.spawn(command, { cwd: folder.path, stdout: "pipe", stderr: "inherit" });
    expect(await new Response(child.stdout).text()).toMatch(/^kannel\.conf:2 +stray /m);
  });

  test("turns users into credentials, and keeps weak passwords only on request and with allowed addresses", async () => {
    const user = (name: string, password: string, more = "") =>
      `group = sendsms-user\nusername = ${name}\npassword = ${password}\n${more}\n`;
    const here = 'user-deny-ip = "*.*.*.*"\nuser-allow-ip = "127.0.0.1;10.1.*.*"\n';
    write(
      "kannel.conf",
      `group = smsbox\nbearerbox-host = localhost\nsendsms-port = 13013\nsendsms-interface = 10.0.0.1\nglobal-sender = 30001234\n\n${[
        user("strong", "a-password-of-length", "default-sender = 30005678\nforced-smsc = operator-a"),
        user("weak", "foobar", here),
        user("bare", "foobar"),
        user("spaced", '"foo bar baz qux"'),
      ].join("\n")}\n${smpp}`,
    );
    const read = await dryRun();
    expect(read.users).toEqual([
      { username: "strong", line: 7, allowFrom: [], sender: "30005678", path: null, weakPassword: false } as never,
      { username: "spaced", line: 25, allowFrom: [], sender: "30001234", path: null, weakPassword: false } as never,
    ]);
    expect(read.remarks.filter(({ key }) => key === "password").map(({ words }) => words.slice(0, 14))).toEqual([
      "the user weak:",
      "the user bare:",
    ]);
    expect((await dryRun("--keep-passwords")).users).toMatchObject([
      { username: "strong" },
      { username: "weak", allowFrom: ["127.0.0.1", "10.1.0.0/16"], sender: "30001234", weakPassword: true },
      { username: "spaced" },
    ]);
    const everybody = await dryRun("--keep-passwords", "--allow-from", "10.2.0.0/16", "--allow-from", "192.0.2.1");
    expect(everybody.users).toMatchObject([
      { username: "strong", allowFrom: [] },
      { username: "weak", allowFrom: ["127.0.0.1", "10.1.0.0/16"] },
      { username: "bare", allowFrom: ["10.2.0.0/16", "192.0.2.1"], weakPassword: true },
      { username: "spaced", allowFrom: [] },
    ]);
    expect(read.senders).toEqual([
      { sender: "30005678", routes: ["operator-a"] },
      { sender: "30001234", routes: [] },
    ]);
    expect(read.settings).toEqual([
      'drop_in.listen = "10.0.0.1:13013"; beyond this machine it wants a certificate (tls.cert_file) or drop_in.allow_plain',
    ]);
    const shown = await runCli(["import", "kannel", config(), "--dry-run", "--keep-passwords"]);
    expect(shown.out).toContain("WEAK");
    for (const hidden of ["foobar", "a-password-of-length", 'se"cret']) expect(shown.out).not.toContain(hidden);
  });

  test("lists services that forward texts, and skips automatic replies and regular expressions", async () => {
    write(
      "kannel.conf",
      'group = sms-service\nkeyword = default\nget-url = "http://10.0.0.5/in?from=%p&text=%b"\nmax-messages = 0\n\ngroup = sms-service\nkeyword = nop\ntext = "none"\n\ngroup = sms-service\nkeyword-regex = .*\nget-url = "http://10.0.0.5/x"\n\ngroup = core\nadmin-port = 13000\nstore-file = /var/spool/kannel.store\ndlr-storage = mysql\n\ngroup = mysql-connection\nid = x\n',
    );
    const read = await dryRun();
    expect(read.forwards.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET http://10.0.0.5/in?from=%p&text=%b",
      "GET http://10.0.0.5/x",
    ]);
    const words = new Map(read.remarks.map((one) => [one.key, one.words]));
    expect(words.get("text")).toContain("answers no texts");
    expect(words.get("keyword-regex")).toContain("regular expressions");
    expect(words.get("store-file")).toContain("waiting messages");
    expect(words.get("dlr-storage")).toContain("receipts");
    expect(words.get("group mysql-connection")).toContain("database");
  });

  test("follows include files and folders, and reports circles, missing files and stray lines by line", async () => {
    mkdirSync(join(folder.path, "more"));
    write("more/a.conf", smpp);
    write("more/b.conf", `include = "../kannel.conf"\n`);
    write(
      "kannel.conf",
      'stray = 1\nno line\n\ngroup = core\nadmin-port = 1\\\n3000\ninclude = "more"\ninclude = "nowhere.conf"\n',
    );
    const read = await dryRun();
    expect(read.routes.map(({ name }) => name)).toEqual(["operator-a"]);
    expect(read.remarks.map(({ line, key }) => `${line} ${key}`)).toContain("1 stray");
    expect(
      read.remarks.filter(({ key }) => key === "include").map(({ words }) => words.replaceAll(folder.path, "")),
    ).toEqual(["there is no file /nowhere.conf", "/kannel.conf includes itself"]);
  });

  const debian = "/usr/share/doc/kannel/examples";
  test.skipIf(!existsSync(debian))(
    "reads each of Debian's examples, whole or with the reasons (wants kannel)",
    async () => {
      for (const name of readdirSync(debian)) {
        const run = await runCli(["import", "kannel", join(debian, name), "--dry-run", "--json"]);
        expect({ name, code: run.code, err: run.err }).toEqual({ name, code: 0, err: "" });
        const read: Read = JSON.parse(run.out);
        expect(read.remarks.every(({ words }) => words !== "")).toBe(true);
        expect(read.routes.length + read.users.length + read.remarks.length).toBeGreaterThan(0);
      }
    },
  );
});

describe("a Kannel import", () => {
  const conf = `${smpp}\ngroup = sendsms-user\nusername = shop\npassword = a-password-of-length\ndefault-sender = 30005678\n`;
  const argv = () => [
    "import",
    "kannel",
    config(),
    "--account",
    server?.accountId ?? "",
    "--traffic",
    "bulk",
    "--socket",
    server?.running.socketPath ?? "",
  ];

  test("creates everything with routes disabled, lets users send once approved, and can be run again", async () => {
    write("kannel.conf", conf);
    server = await DropInServer.start([]);
    const first = await runCli(argv());
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toContain("made: user shop");
    const routes = await server.operate<{ name: string; enabled: boolean }[]>("GET", "/routes");
    expect(routes).toContainEqual(expect.objectContaining({ name: "operator-a", enabled: false }));
    const plan = await server.operate<{ rules: unknown[] }>("GET", "/plans/kannel");
    expect(plan.rules.length).toBe(3);
    const again = await runCli(argv());
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toContain("there already: route operator-a");
    expect((await server.operate<unknown[]>("GET", "/credentials")).length).toBe(1);
    const query = new URLSearchParams({
      username: "shop",
      password: "a-password-of-length",
      to: "09121234567",
      text: "hi",
    });
    const sent = await fetch(`${server.url}/cgi-bin/sendsms?${query}&from=30005678`);
    expect([sent.status, await sent.text()]).toEqual([202, "0: Accepted for delivery"]);
    expect(server.messages()).toMatchObject([{ sender: "30005678", class: 2 }]);
  });

  test("keeps a short password for the addresses that the operator allows, and the path of sendsms-url", async () => {
    const user = (name: string, password: string) =>
      `group = sendsms-user\nusername = ${name}\npassword = ${password}\ndefault-sender = 30005678\n`;
    const box = "group = smsbox\nbearerbox-host = localhost\nsendsms-port = 13013\nsendsms-url = /sms/send\n";
    write("kannel.conf", [smpp, box, user("near", "foobar"), user("spaced", '"foo bar baz qux"')].join("\n"));
    server = await DropInServer.start([]);
    expect(await runCli([...argv(), "--keep-passwords", "--allow-from", "127.0.0.0/8"])).toMatchObject({ code: 0 });
    const statusOf = async (username: string, password: string, path: string) => {
      const query = new URLSearchParams({ username, password, to: "09121234567", text: "hi", from: "30005678" });
      return (await fetch(`${server?.url}${path}?${query}`)).status;
    };
    expect(await statusOf("near", "foobar", "/sms/send")).toBe(202);
    expect(await statusOf("spaced", "foo bar baz qux", "/cgi-bin/sendsms")).toBe(202);
    const keys = await server.operate<{ rows: { name: string; allowFrom: string[] }[] }>("GET", "/keys");
    expect(keys.rows.map(({ name, allowFrom }) => [name, allowFrom])).toEqual(
      expect.arrayContaining([
        ["kannel near", ["127.0.0.0/8"]],
        ["kannel spaced", []],
      ]),
    );
  });

  test("reports a path that another service already uses, and does not import it", async () => {
    write("kannel.conf", `group = smsbox\nsendsms-url = /send\n\n${conf}`);
    const read = await dryRun();
    expect(read.users).toMatchObject([{ username: "shop", path: null }]);
    expect(read.remarks).toContainEqual(expect.objectContaining({ line: 2, key: "sendsms-url" }));
  });

  test("requires an account and a kind of traffic, and contacts no service in a dry run", async () => {
    write("kannel.conf", conf);
    expect(await runCli(["import", "kannel", config()])).toMatchObject({ code: 2 });
    expect(await runCli(["import", "kannel", config(), "--account", "acc_1", "--traffic", "code"])).toMatchObject({
      code: 2,
    });
    expect(await runCli(["import", "kannel", config(), "--dry-run", "--region", "XX"])).toMatchObject({ code: 2 });
    for (const more of [["10.0.0.0/8"], ["0.0.0.0/0", "--keep-passwords"], ["here", "--keep-passwords"]])
      expect(await runCli(["import", "kannel", config(), "--dry-run", "--allow-from", ...more])).toMatchObject({
        code: 2,
      });
    expect(await runCli(["import", "kannel", config(), "--dry-run", "--socket", "/nowhere"])).toMatchObject({
      code: 0,
    });
  });
});
