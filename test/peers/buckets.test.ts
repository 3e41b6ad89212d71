/**
 * Copies go to a bucket of versitygw, an S3 server of others, and come back: versions, a wrong key, a wrong clock, a cut in
 * mid-part, a web site, a key that may not delete. Debian's age opens them, too. With TEST_BUCKET_GB=5, a copy of 5 GB.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AwsV4Signer } from "aws4fetch";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { portedFileName } from "../../src/platform/ported-files.ts";
import { readTargetState } from "../../src/platform/target-state.ts";
import { runCli } from "../support/cli.ts";
import { output } from "../support/client-packages.ts";
import { freePorts } from "../support/free-ports.ts";
import { eventually } from "../support/peyk-process.ts";
import { TargetFolder, targetKeys } from "../support/target-folder.ts";
import { temporaryFolder } from "../support/test-server.ts";

const version = "v1.8.0";
const root = { id: "peyk-tests", secret: "a-secret-of-tests" };
const nightly = "peyk-20261120T031700Z";
const place = temporaryFolder();
const bucket = join(place.path, "buckets", "copies");
const [port = 0, sitePort = 0] = await freePorts(2);
const endpoint = `http://127.0.0.1:${port}`;
const siteEndpoint = `http://localhost:${sitePort}`;

let gateway: Bun.Subprocess | null = null;

async function asked(method: string, path: string, body = ""): Promise<Response> {
  const sum = createHash("sha256").update(body).digest("hex");
  const signed = await new AwsV4Signer({
    accessKeyId: root.id,
    secretAccessKey: root.secret,
    method,
    url: `${endpoint}${path}`,
    service: "s3",
    region: "us-east-1",
    headers: { "x-amz-content-sha256": sum },
    body,
  }).sign();
  const response = await fetch(signed.url, { method, headers: signed.headers, body: body || null });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function startGateway(program: string): Promise<void> {
  const folders = ["buckets", "versions", "users"].map((name) => join(place.path, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  const [buckets = "", versions = "", users = ""] = folders;
  const web = ["--website", `127.0.0.1:${sitePort}`, "--website-domain", "localhost"];
  gateway = Bun.spawn(
    [
      program,
      "--port",
      `127.0.0.1:${port}`,
      "--iam-dir",
      users,
      ...web,
      "posix",
      "--versioning-dir",
      versions,
      buckets,
    ],
    { env: { ROOT_ACCESS_KEY: root.id, ROOT_SECRET_KEY: root.secret }, stdout: "ignore", stderr: "ignore" },
  );
  await eventually(() =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
}

const run = { cwd: place.path };
const hasGo = Bun.which("go") !== null;

describe.skipIf(!hasGo)("a bucket of versitygw (wants go)", () => {
  let program = "";
  let own: TargetFolder;

  beforeAll(async () => {
    program = join(process.env.GOBIN ?? join(place.path, "bin"), "versitygw");
    if (!existsSync(program)) {
      await output(["go", "install", `github.com/versity/versitygw/cmd/versitygw@${version}`], {
        ...run,
        env: { GOBIN: join(place.path, "bin") },
      });
    }
    await startGateway(program);
    await asked("PUT", "/copies");
    own = new TargetFolder({ endpoint }, root);
  }, 600_000);
  afterAll(async () => {
    gateway?.kill();
    await gateway?.exited;
    own[Symbol.dispose]();
    place.remove();
  });

  const peyk = (...argv: string[]) => runCli(["backup", ...argv], { env: own.environment() });
  const stored = (name: string) => join(bucket, "peyk", `${name}.db.age`);

  test("takes a copy in parts, and both Peyk and age open it", async () => {
    const content = crypto.getRandomValues(new Uint8Array(65_536));
    const copy = Buffer.concat(Array.from({ length: 640 }, () => content));
    own.copy(nightly, copy);
    expect((await own.run()).uploaded).toEqual([`${nightly}.db`]);
    const secret = own.write("target.key", targetKeys.secretKey);
    const file = join(own.folder.path, "back.db");
    expect(await peyk("fetch", "newest", file, "--target-key", secret)).toMatchObject({ code: 0 });
    expect(readFileSync(file).equals(copy)).toBe(true);
    rmSync(file);
    if (Bun.which("age") !== null) {
      await output(["age", "-d", "-i", secret, "-o", file, stored(nightly)], run);
      expect(readFileSync(file).equals(copy)).toBe(true);
    }
    expect((await own.run()).uploaded).toEqual([]);
  }, 180_000);

  test("takes the file of ported numbers once beside the copies that need it, and gives it back with them", async () => {
    const table = crypto.getRandomValues(new Uint8Array(60_000));
    const name = portedFileName(createHash("sha256").update(table).digest("hex"));
    writeFileSync(join(own.dataDir, "backups", name), table);
    own.portedOf = () => name;
    for (const hour of ["01", "02"]) {
      own.copy(`requested-20261119T${hour}0000Z`);
      await own.run();
    }
    const sealed = join(bucket, "peyk", `${name}.age`);
    const names = readdirSync(join(bucket, "peyk")).filter((one) => one.includes(name));
    expect(names).toHaveLength(3);
    const secret = own.write("target.key", targetKeys.secretKey);
    const file = join(own.folder.path, "with-table.db");
    const fetched = await peyk("fetch", "requested-20261119T020000Z.db", file, "--target-key", secret, "--json");
    expect(JSON.parse(fetched.out)).toMatchObject({ ported: { file: name, isThere: true } });
    expect(readFileSync(join(own.folder.path, name)).equals(table)).toBe(true);
    if (Bun.which("age") !== null) {
      await output(["age", "-d", "-i", secret, "-o", file.replace("with", "by-age"), sealed], run);
      expect(readFileSync(file.replace("with", "by-age")).equals(table)).toBe(true);
    }
    own.portedOf = () => null;
    own.copy("requested-20261119T030000Z");
    await own.run({ keep: 1 });
    expect(existsSync(sealed)).toBe(false);
  }, 180_000);

  test("with versions keeps and deletes as one without, and its old versions are left to its rules", async () => {
    const enabled = `<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>`;
    await asked("PUT", "/copies?versioning", enabled);
    for (const hour of ["01", "02", "03"]) {
      own.copy(`recent-20261120T${hour}0000Z`);
      await own.run({ keep: 2 });
    }
    const listed = await peyk("list", "--target", "--json");
    expect(JSON.parse(listed.out)).toMatchObject({
      copies: [
        { name: `${nightly}.db` },
        { name: "recent-20261120T030000Z.db" },
        { name: "recent-20261120T020000Z.db" },
        { name: "requested-20261119T030000Z.db" },
      ],
    });
    const versions = await (await asked("GET", "/copies?versions&prefix=peyk/recent-20261120T010000Z")).text();
    expect(versions).toContain("<DeleteMarker>");
  });

  test("refuses a wrong key, a wrong clock and a bucket that is not there, in words", async () => {
    own.copy("recent-20261120T040000Z");
    expect(await own.refusal({ keyFile: own.write("wrong", `${root.id}:another`) })).toContain("SignatureDoesNotMatch");
    expect(await own.refusal({ keyFile: own.write("none", "nobody:another") })).toContain("InvalidAccessKeyId");
    expect(await own.refusal({ bucket: "nowhere" })).toContain("NoSuchBucket");
    const clock: Clock = { ...systemClock, now: () => Date.now() + 3_600_000 };
    await expect(own.run({}, { clock })).rejects.toThrow(/this machine's clock is (3599|36\d\d) s ahead of its own\.$/);
    expect(readTargetState(own.dataDir).failure).toContain("RequestTimeTooSkewed");
    await own.run();
    expect(readTargetState(own.dataDir).failure).toBeNull();
  });

  test("that is a web site is told as one", async () => {
    await asked("PUT", "/localhost");
    await asked("PUT", "/localhost/index.html", "<!doctype html><p>Hello");
    const site = `<WebsiteConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IndexDocument><Suffix>index.html</Suffix></IndexDocument></WebsiteConfiguration>`;
    await asked("PUT", "/localhost?website", site);
    expect(await own.refusal({ endpoint: siteEndpoint })).toContain("answers with a page, not as S3 does");
  });

  test("with a key that may write but not delete gets its copies, and says who has to delete", async () => {
    await createWriter();
    const keyFile = own.write("writer", "writer:writers-secret");
    own.copy("recent-20261120T050000Z");
    const { uploaded, state } = await own.run({ keep: 1, keyFile });
    expect(uploaded).toEqual(["recent-20261120T050000Z.db"]);
    expect(state).toMatchObject({ failure: null, lacks: ["delete"] });
    expect(existsSync(stored("recent-20261120T040000Z"))).toBe(true);
  });

  async function createWriter(): Promise<void> {
    const admin = ["--access", root.id, "--secret", root.secret, "--endpoint-url", endpoint];
    const user = ["--access", "writer", "--secret", "writers-secret", "--role", "user"];
    await output([program, "admin", ...admin, "create-user", ...user], run);
    const [every, some] = [`arn:aws:s3:::copies`, `arn:aws:s3:::copies/*`];
    const allow = (Action: string[], Resource: string) => ({ Effect: "Allow", Principal: "writer", Action, Resource });
    const Statement = [
      allow(["s3:ListBucket", "s3:ListBucketMultipartUploads"], every),
      allow(["s3:PutObject", "s3:GetObject", "s3:AbortMultipartUpload"], some),
    ];
    await asked("PUT", "/copies?policy", JSON.stringify({ Version: "2012-10-17", Statement }));
  }

  test("that is killed in mid-part, or loses the uploader, has no half copy; the next run gives the rest up", async () => {
    const name = "recent-20261120T060000Z";
    own.copy(name, "");
    truncateSync(join(own.dataDir, "backups", `${name}.db`), 200 * 1024 * 1024);
    const command = [process.execPath, join(import.meta.dir, "../../src/main.ts"), "backup", "upload"];
    const child = Bun.spawn(command, {
      env: { ...process.env, ...own.environment() },
      stdout: "ignore",
      stderr: "ignore",
    });
    await eventually(() => Promise.resolve((readTargetState(own.dataDir).upload?.sentBytes ?? 0) > 0));
    child.kill("SIGKILL");
    await child.exited;
    expect(existsSync(stored(name))).toBe(false);
    const open = async () => (await (await asked("GET", "/copies?uploads")).text()).split("<Upload>").length - 1;
    expect(await open()).toBe(1);

    const second = Bun.spawn(command, {
      env: { ...process.env, ...own.environment() },
      stdout: "ignore",
      stderr: "pipe",
    });
    await eventually(() => Promise.resolve((readTargetState(own.dataDir).upload?.sentBytes ?? 0) > 0));
    gateway?.kill("SIGKILL");
    await gateway?.exited;
    await second.exited;
    expect(readTargetState(own.dataDir).failure).toContain("cannot be reached");
    await startGateway(program);
    expect((await own.run()).uploaded).toEqual([`${name}.db`]);
    expect(await open()).toBe(0);
    expect(readTargetState(own.dataDir)).toMatchObject({ failure: null, upload: null });
  }, 180_000);

  test.skipIf(process.env.TEST_BUCKET_GB === undefined)(
    "takes a large copy in bounded memory (wants TEST_BUCKET_GB)",
    async () => {
      const name = "recent-20261120T070000Z";
      writeFileSync(join(own.dataDir, "backups", `${name}.db`), "");
      truncateSync(join(own.dataDir, "backups", `${name}.db`), Number(process.env.TEST_BUCKET_GB) * 1024 ** 3);
      const command = [process.execPath, join(import.meta.dir, "../../src/main.ts"), "backup", "upload"];
      const child = Bun.spawn(command, { env: { ...process.env, ...own.environment() }, stdout: "ignore" });
      expect(await child.exited).toBe(0);
      expect(child.resourceUsage()?.maxRSS ?? Number.POSITIVE_INFINITY).toBeLessThan(400 * 1024 ** 2);
      expect(readdirSync(join(bucket, "peyk"))).toContain(`${name}.db.age`);
    },
    1_800_000,
  );
});
