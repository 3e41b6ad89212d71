/** Copies go to a bucket sealed and checked, come back as they were, and every refusal is told in words. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BackupTarget, expired } from "../../src/backup-target/target.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { portedFileName } from "../../src/platform/ported-files.ts";
import { readTargetState, writeTargetState } from "../../src/platform/target-state.ts";
import { createAuthority } from "../support/certificates.ts";
import { runCli } from "../support/cli.ts";
import { createOperatorServer } from "../support/operator.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { type SmallS3, s3Error, smallS3, smallS3Key } from "../support/small-s3.ts";
import { TargetFolder, targetKeys } from "../support/target-folder.ts";

let s3: SmallS3;
let own: TargetFolder;
beforeEach(() => {
  s3 = smallS3();
  own = new TargetFolder({ endpoint: s3.endpoint }, smallS3Key);
});
afterEach(async () => {
  own[Symbol.dispose]();
  await s3.stop();
});

const nightly = "peyk-20261120T031700Z";
const recent = "recent-20261120T120000Z";
const requested = "requested-20261120T130000Z";
const keys = () => [...s3.objects.keys()].sort();
const peyk = (...argv: string[]) => runCli(["backup", ...argv], { env: own.environment() });
const secretFile = () => own.write("target.key", `# as age-keygen writes it\n${targetKeys.secretKey}\n`);

describe("an upload", () => {
  test("brings the newest copy of each kind, sealed, once", async () => {
    own.copy("peyk-20261119T031700Z");
    own.copy(nightly);
    own.copy(recent);
    own.copy(requested);
    expect((await own.run()).uploaded).toEqual([`${nightly}.db`, `${recent}.db`, `${requested}.db`]);
    expect(keys()).toEqual([nightly, recent, requested].map((name) => `peyk/${name}.db.age`));
    expect(s3.objects.get(`peyk/${nightly}.db.age`)?.toString("latin1")).toStartWith("age-encryption.org/v1\n");
    for (const sealed of s3.objects.values()) expect(sealed.includes(nightly)).toBe(false);
    expect((await own.run()).uploaded).toEqual([]);
    s3.objects.clear();
    expect((await own.run()).uploaded).toHaveLength(3);
  });

  test("goes in parts that are each signed and summed, and comes back byte for byte", async () => {
    const content = crypto.getRandomValues(new Uint8Array(65_536));
    const large = Buffer.concat(Array.from({ length: 640 }, () => content));
    own.copy(nightly, large);
    await own.run();
    expect(s3.operations.filter((one) => one === "put")).toHaveLength(3);
    const file = join(own.folder.path, "back.db");
    const fetched = await peyk("fetch", "newest", file, "--target-key", secretFile(), "--json");
    expect(fetched).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(file).equals(large)).toBe(true);
  });

  test("goes on where the disk has no room for a note of it, and is tried again for want of one", async () => {
    own.copy(nightly);
    // A folder in its place: writing fails, as on a full disk.
    mkdirSync(join(own.dataDir, "backup-target.json"));
    const { uploaded, state } = await own.run();
    expect([uploaded, state.failure, keys()]).toEqual([[`${nightly}.db`], null, [`peyk/${nightly}.db.age`]]);
    rmSync(join(own.dataDir, "backup-target.json"), { recursive: true });
    expect((await own.run()).uploaded).toEqual([`${nightly}.db`]);
    expect((await own.run()).uploaded).toEqual([]);
  });

  test("is read back where the target tells no sum, and refused where another thing lies there", async () => {
    s3.tellsSums = false;
    own.copy(nightly);
    await own.run();
    expect(s3.operations).toContain("get");
    own.copy(recent);
    s3.misbehave = ({ operation, key }) => {
      if (operation === "head") s3.objects.set(key, Buffer.from(s3.objects.get(key)?.toReversed() ?? []));
      return null;
    };
    expect(await own.refusal()).toContain("is not there as it was sent");
    expect(keys()).toEqual([`peyk/${nightly}.db.age`]);
  });

  test("is read back where the target reckons its sum otherwise", async () => {
    own.copy(nightly);
    s3.misbehave = ({ operation, key }) => {
      const content = s3.objects.get(key);
      if (operation !== "head" || content === undefined) return null;
      const sum = createHash("sha256").update(content).digest("base64");
      return new Response(null, {
        headers: { "Content-Length": String(content.length), "x-amz-checksum-sha256": sum, ETag: '"of-its-own"' },
      });
    };
    expect((await own.run()).uploaded).toEqual([`${nightly}.db`]);
    expect(s3.operations).toContain("get");
    expect(keys()).toEqual([`peyk/${nightly}.db.age`]);
  });

  test("takes the newest copy of each kind at its turn: those of before may be gone by then", async () => {
    own.copy(nightly);
    own.copy(recent);
    s3.misbehave = ({ operation, count }) => {
      if (operation === "complete" && count === 1) {
        rmSync(join(own.dataDir, "backups", `${recent}.db`));
        own.copy("recent-20261120T121500Z");
      }
      return null;
    };
    expect((await own.run()).uploaded).toEqual([`${nightly}.db`, "recent-20261120T121500Z.db"]);
  });

  test("tries a part again that failed or was throttled, and gives the upload up where it keeps failing", async () => {
    own.copy(nightly);
    s3.misbehave = ({ operation, count }) => (operation === "put" && count < 4 ? s3Error(503, "SlowDown") : null);
    await own.hastily();
    expect(s3.operations.filter((one) => one === "put")).toHaveLength(4);
    own.copy(recent);
    s3.misbehave = ({ operation }) => (operation === "put" ? s3Error(507, "XStorageFull", "No space is left.") : null);
    expect(await own.refusal()).toMatch(
      /^127\.0\.0\.1:\d+ does not take part 1 \(XStorageFull: No space is left\.\)\.$/,
    );
    expect(s3.uploads.size).toBe(0);
    expect(readTargetState(own.dataDir)).toMatchObject({
      upload: null,
      failure: expect.stringContaining("XStorageFull"),
    });
  });

  test("whose end was heard by the target alone is looked for there, not sent again", async () => {
    own.copy(nightly);
    s3.misbehave = ({ operation, count }) => {
      if (operation !== "complete" || count > 1) return null;
      const [id, upload] = [...s3.uploads][0] ?? [];
      const content = upload?.parts.get(1);
      if (id === undefined || upload === undefined || content === undefined) return null;
      s3.uploads.delete(id);
      s3.objects.set(upload.key, content);
      return s3Error(500, "InternalError");
    };
    expect((await own.hastily()).uploaded).toEqual([`${nightly}.db`]);
    expect(s3.operations.filter((one) => one === "put")).toHaveLength(1);
  });

  test("that was cut off is given up by the next run, another's is left alone", async () => {
    own.copy(nightly);
    const others = ["peyk/others", "peyk/others-2", "peyk/others-3"];
    for (const key of others) s3.uploads.set(key, { key, parts: new Map() });
    s3.uploads.set("cut", { key: `peyk/${nightly}.db.age`, parts: new Map() });
    const upload = { name: `${nightly}.db`, id: "cut", sentBytes: 1, bytes: 2, begunAt: 0 };
    writeTargetState(own.dataDir, { ...readTargetState(own.dataDir), upload });
    await own.run();
    expect([...s3.uploads.keys()]).toEqual(others);
    expect(readTargetState(own.dataDir).upload).toBeNull();
  });

  test("of another program is never given up, however old it is", async () => {
    own.copy(nightly);
    const begun = (key: string) =>
      `<Upload><Key>${key}</Key><UploadId>${key}</UploadId><Initiated>2026-01-01T00:00:00Z</Initiated></Upload>`;
    const [others, forgotten] = ["peyk/disk.img", `peyk/${recent}.db.age`];
    for (const key of [others, forgotten]) s3.uploads.set(key, { key, parts: new Map() });
    s3.misbehave = ({ operation }) =>
      operation === "uploads"
        ? new Response(`<ListMultipartUploadsResult>${begun(others)}${begun(forgotten)}</ListMultipartUploadsResult>`)
        : null;
    await own.run();
    expect([...s3.uploads.keys()]).toEqual([others]);
  });

  test("is not begun while another is under way", async () => {
    own.copy(nightly);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow = Bun.serve({
      port: 0,
      async fetch() {
        begun.resolve();
        await goOn.promise;
        return s3Error(403, "AccessDenied");
      },
    });
    const env = { ...own.environment(), PEYK_BACKUP_TARGET_ENDPOINT: `http://127.0.0.1:${slow.port}` };
    const first = runCli(["backup", "upload"], { env });
    await begun.promise;
    expect(await peyk("upload")).toMatchObject({
      code: 1,
      err: expect.stringContaining("Another upload is under way"),
    });
    goOn.resolve();
    expect(await first).toMatchObject({ code: 1, err: expect.stringContaining("AccessDenied") });
    await slow.stop(true);
  });
});

describe("what is kept", () => {
  const day = 86_400_000;
  const copies = (kind: "nightly" | "frequent", ...days: number[]) =>
    days.map((ago) => ({ kind, madeAt: 100 * day - ago * day }));

  test("are so many of each kind, none older than so many days, and always the newest", () => {
    const all = [...copies("nightly", 0, 1, 2, 9), ...copies("frequent", 50)];
    expect(expired(all, 3, 30 * day)).toEqual(copies("nightly", 9));
    expect(expired(all, 10, 1.5 * day)).toEqual(copies("nightly", 2, 9));
    expect(expired(all, 1, day)).toEqual(copies("nightly", 1, 2, 9));
  });

  test("is what the settings say; other objects are never deleted, nor anything with --keep-all", async () => {
    for (const hour of ["01", "02", "03"]) {
      own.copy(`recent-20261120T${hour}0000Z`);
      await own.run({ keep: 3 });
    }
    s3.objects.set("peyk/recent-20261120T000000Z.db.age.txt", Buffer.from("mine"));
    s3.objects.set("elsewhere", Buffer.from("mine"));
    await own.run({ keep: 1 }, { keepAll: true });
    expect(keys()).toHaveLength(5);
    await own.run({ keep: 2 });
    expect(keys()).toEqual([
      "elsewhere",
      "peyk/recent-20261120T000000Z.db.age.txt",
      "peyk/recent-20261120T020000Z.db.age",
      "peyk/recent-20261120T030000Z.db.age",
    ]);
  });

  test("is told by no copy that a wrong clock dated later: it is neither the newest nor deleted", async () => {
    const later = "recent-20990101T000000Z";
    own.copy(later);
    own.copy("recent-20261120T010000Z");
    expect((await own.run()).uploaded).toEqual(["recent-20261120T010000Z.db"]);
    s3.objects.set(`peyk/${later}.db.age`, Buffer.from("x"));
    own.copy("recent-20261120T020000Z");
    await own.run({ keep: 1, keepDays: 1 });
    expect(keys()).toEqual(["peyk/recent-20261120T020000Z.db.age", `peyk/${later}.db.age`]);
    const { copy } = await new BackupTarget(own.settings, systemClock).find("newest");
    expect(copy.name).toBe("recent-20261120T020000Z.db");
  });

  test("grows where the key may write but not delete or see uploads: told, and no failure", async () => {
    const denied = new Set(["delete", "giveUp", "uploads"]);
    s3.misbehave = ({ operation }) => (denied.has(operation) ? s3Error(403, "AccessDenied") : null);
    own.copy("recent-20261120T010000Z");
    await own.run({ keep: 1 });
    own.copy("recent-20261120T020000Z");
    const { state } = await own.run({ keep: 1 });
    expect(keys()).toHaveLength(2);
    expect(state).toMatchObject({ failure: null, lacks: ["giveUp", "delete"] });
    expect(await peyk("upload")).toMatchObject({
      code: 0,
      out: expect.stringContaining("a rule of the bucket has to"),
    });
  });
});

describe("a target that is wrong is told as such:", () => {
  beforeEach(() => own.copy(nightly));

  test("a wrong key", async () => {
    const keyFile = own.write("wrong", `${smallS3Key.id}:other\n`);
    expect(await own.refusal({ keyFile })).toContain("SignatureDoesNotMatch: The signature is another one.");
  });

  test("a key file that others may read, or that holds no key", async () => {
    const keyFile = own.write("open", `${smallS3Key.id}:${smallS3Key.secret}`);
    chmodSync(keyFile, 0o644);
    const refusal = await own.refusal({ keyFile });
    expect(refusal).toContain(`chmod o= ${keyFile}`);
    expect(refusal).not.toContain("reached");
    const env = { ...own.environment(), PEYK_BACKUP_TARGET_KEY_FILE: keyFile };
    const checked = await runCli(["config", "check"], { env });
    expect(checked).toMatchObject({ code: 1, err: expect.stringContaining(`chmod o= ${keyFile}`) });
    expect(await own.refusal({ keyFile: own.write("none", "only one word") })).toContain(
      "ACCESS_KEY_ID:SECRET_ACCESS_KEY",
    );
  });

  test("a clock that is wrong", async () => {
    const clock: Clock = { ...systemClock, now: () => Date.now() - 3_600_000 };
    s3.misbehave = () => s3Error(403, "RequestTimeTooSkewed", "", { Date: new Date().toUTCString() });
    await expect(own.run({}, { clock })).rejects.toThrow(/this machine's clock is 3(600|599) s behind its own\.$/);
  });

  test("a web site", async () => {
    const page = { headers: { "Content-Type": "text/html" } };
    s3.misbehave = () => new Response("<!doctype html><Contents><Key>peyk/x</Key>", page);
    expect(await own.refusal()).toContain("answers with a page, not as S3 does");
    s3.misbehave = () => new Response("<h1>405</h1><Code>Nothing", { status: 405, ...page });
    expect(await own.refusal()).toContain("answers with a page, not as S3 does");
  });

  test("a list without end", async () => {
    const page = "<ListBucketResult><NextContinuationToken>on</NextContinuationToken></ListBucketResult>";
    s3.misbehave = ({ operation }) => (operation === "list" ? new Response(page) : null);
    expect(await own.refusal()).toContain("its list has no end");
  });

  test("one that redirects, which is not followed", async () => {
    const elsewhere = smallS3();
    const headers = { Location: `${elsewhere.endpoint}/copies/` };
    s3.misbehave = () => s3Error(307, "TemporaryRedirect", "", headers);
    expect(await own.refusal()).toContain(`it redirects to ${elsewhere.endpoint}/copies/, which is not followed`);
    expect(elsewhere.operations).toEqual([]);
    await elsewhere.stop();
  });

  test("one that nobody answers for, or at an address that is never dialled", async () => {
    const { endpoint } = s3;
    await s3.stop();
    expect(await own.refusal()).toContain("cannot be reached");
    expect(await own.refusal({ endpoint: "http://169.254.169.254" })).toContain("169.254.169.254 is refused");
    expect(await own.refusal({ endpoint: endpoint.replace("127.0.0.1", "nowhere.invalid") })).toContain(
      "has no address",
    );
  });

  test("one cut in mid-part, with the upload noted for the next run", async () => {
    s3.misbehave = ({ operation }) => (operation === "put" ? "cut" : null);
    expect(await own.refusal()).toContain("cannot be reached");
    expect(readTargetState(own.dataDir)).toMatchObject({ upload: { name: `${nightly}.db` } });
  });

  test("a certificate of an authority that is not named", async () => {
    const authority = createAuthority();
    const secure = smallS3(authority.issue({ names: ["DNS:localhost"] }));
    const endpoint = secure.endpoint.replace("127.0.0.1", "localhost");
    expect(await own.refusal({ endpoint })).toMatch(/cannot be reached: .*(certificate|CERT|self)/i);
    await own.hastily({ endpoint, caFile: own.write("ca.pem", authority.cert) });
    expect(secure.objects.size).toBe(1);
    expect(await own.refusal({ endpoint: secure.endpoint, caFile: join(own.folder.path, "ca.pem") })).toContain(
      "cannot be reached",
    );
    await secure.stop();
  });
});

describe("the file of ported numbers", () => {
  /** With the copies, and its name. */
  function table(bytes: Uint8Array): string {
    const name = portedFileName(createHash("sha256").update(bytes).digest("hex"));
    writeFileSync(join(own.dataDir, "backups", name), bytes);
    return name;
  }

  const noise = crypto.getRandomValues(new Uint8Array(65_536));
  const large = Buffer.concat(Array.from({ length: 260 }, () => noise));
  const tables = () => keys().filter((key) => key.startsWith("peyk/ported-"));
  const spawned = (...argv: string[]) =>
    Bun.spawn([...peykCommand, "backup", ...argv], {
      env: { ...process.env, ...own.environment() },
      stdout: "ignore",
      stderr: "pipe",
    });

  test("is there once, however many copies need it, and goes with the last of them", async () => {
    const [first, second] = [table(Buffer.from("first")), table(Buffer.from("second"))];
    own.copy("recent-20261120T000000Z");
    await own.run();
    for (const [hour, name] of [
      ["01", first],
      ["02", first],
      ["03", second],
      ["04", second],
    ] as const) {
      own.portedOf = () => name;
      own.copy(`recent-20261120T${hour}0000Z`);
      await own.run({ keep: 3 });
      const needed = { "01": [first], "02": [first], "03": [first, second], "04": [first, second] }[hour];
      expect(tables()).toEqual(needed.map((one) => `peyk/${one}.age`).sort());
    }
    expect(s3.operations.filter((one) => one === "begin")).toHaveLength(7);
    await own.run({ keep: 1 }, { keepAll: true });
    expect(tables()).toHaveLength(2);
    s3.objects.set("peyk/ported-0123456789abcdef.numbers.age.txt", Buffer.from("mine"));
    await own.run({ keep: 2 });
    expect(keys()).toEqual(
      [
        `peyk/${second}.age`,
        "peyk/ported-0123456789abcdef.numbers.age.txt",
        `peyk/recent-20261120T030000Z.db.${second}.age`,
        `peyk/recent-20261120T040000Z.db.${second}.age`,
      ].sort(),
    );
  });

  test("is brought later where it was lacking, and never where it is not what its name tells", async () => {
    const name = table(Buffer.from("numbers"));
    rmSync(join(own.dataDir, "backups", name));
    own.portedOf = () => name;
    own.copy(nightly);
    expect((await own.run()).uploaded).toEqual([`${nightly}.db`]);
    expect(tables()).toEqual([]);
    const file = join(own.folder.path, "back.db");
    const fetched = await peyk("fetch", "newest", file, "--target-key", secretFile());
    expect(fetched).toMatchObject({ code: 0, out: expect.stringContaining(`${name}, is NOT beside it`) });
    writeFileSync(join(own.dataDir, "backups", name), "numbers, or not");
    expect(await own.refusal()).toContain("is not the table that its name tells");
    expect(tables()).toEqual([]);
    table(Buffer.from("numbers"));
    expect((await own.run()).uploaded).toEqual([]);
    expect(tables()).toEqual([`peyk/${name}.age`]);
  });

  test("is fetched before its copy, and another one under its name is refused", async () => {
    const [name, other] = [table(Buffer.from("numbers")), table(Buffer.from("others"))];
    own.portedOf = (file) => (file.includes(nightly) ? name : other);
    own.copy(nightly);
    own.copy(recent);
    await own.run();
    const place = join(own.folder.path, "back");
    mkdirSync(place);
    const fetch = () => peyk("fetch", `${nightly}.db`, join(place, "x.db"), "--target-key", secretFile(), "--json");
    const right = s3.objects.get(`peyk/${name}.age`) ?? Buffer.alloc(0);
    s3.objects.set(`peyk/${name}.age`, s3.objects.get(`peyk/${other}.age`) ?? Buffer.alloc(0));
    expect(await fetch()).toMatchObject({ code: 1, err: expect.stringContaining("is not the table that its name") });
    expect(readdirSync(place)).toEqual([]);
    s3.objects.set(`peyk/${name}.age`, right);
    expect(JSON.parse((await fetch()).out)).toMatchObject({ ported: { file: name, isThere: true } });
    expect(readdirSync(place).sort()).toEqual([name, "x.db"]);
    expect(readFileSync(join(place, name), "utf8")).toBe("numbers");
  });

  test("survives a kill in the middle of an upload, and of a download", async () => {
    const name = table(large);
    own.portedOf = () => name;
    own.copy(nightly);
    const killed = Promise.withResolvers<void>();
    await own.run();
    s3.objects.delete(`peyk/${name}.age`);
    let child = spawned("upload");
    let parts = 0;
    s3.misbehave = ({ operation }) => {
      parts += operation === "put" ? 1 : 0;
      if (parts < 2) return null;
      child.kill(9);
      killed.resolve();
      return s3Error(503, "SlowDown");
    };
    await killed.promise;
    await child.exited;
    expect([tables(), s3.uploads.size]).toEqual([[], 1]);
    s3.misbehave = () => null;
    await own.run();
    expect([tables(), s3.uploads.size]).toEqual([[`peyk/${name}.age`], 0]);

    const place = join(own.folder.path, "back");
    mkdirSync(place);
    const argv = ["fetch", "newest", join(place, "x.db"), "--target-key", secretFile()];
    const half = s3.objects.get(`peyk/${name}.age`)?.subarray(0, 4_000_000) ?? Buffer.alloc(0);
    const begun = (out: ReadableStreamDefaultController<Uint8Array>) => out.enqueue(new Uint8Array(half));
    s3.misbehave = ({ operation }) => (operation === "get" ? new Response(new ReadableStream({ start: begun })) : null);
    child = spawned(...argv);
    while (!existsSync(join(place, `${name}.partial`))) await Bun.sleep(5);
    child.kill(9);
    await child.exited;
    expect(readdirSync(place)).toEqual([`${name}.partial`]);
    s3.misbehave = () => null;
    child = spawned(...argv);
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
    expect(readdirSync(place).sort()).toEqual([name, "x.db"]);
    expect(readFileSync(join(place, name)).equals(large)).toBe(true);
  });
});

/** An answer whose connection breaks after these octets, with all others: the server has ended. */
const brokenOff = (octets: Uint8Array) => {
  let isSent = false;
  const pull = (out: ReadableStreamDefaultController<Uint8Array>) => {
    if (isSent) return s3.stop();
    isSent = true;
    out.enqueue(new Uint8Array(octets));
  };
  return new Response(new ReadableStream({ pull }));
};

describe("a copy in the bucket", () => {
  test("is listed, and one that was changed or cut, or another's key, leaves nothing behind", async () => {
    own.copy(nightly, new Uint8Array(200_000));
    await own.run();
    const listed = await peyk("list", "--target", "--json");
    expect(JSON.parse(listed.out)).toEqual({
      copies: [
        { name: `${nightly}.db`, kind: "nightly", madeAt: "2026-11-20T03:17:00.000Z", bytes: expect.any(Number) },
      ],
    });
    const file = join(own.folder.path, "back.db");
    const fetch = (secret = secretFile(), name = `${nightly}.db`) => peyk("fetch", name, file, "--target-key", secret);
    const key = `peyk/${nightly}.db.age`;
    const whole = s3.objects.get(key) ?? Buffer.alloc(0);
    const refused = async (content: Buffer, words: string) => {
      s3.objects.set(key, content);
      expect(await fetch()).toMatchObject({ code: 1, err: expect.stringContaining(words) });
    };
    await refused(whole.subarray(0, -70_000), "was cut or changed");
    const changed = Buffer.from(whole);
    changed[150_000] = (changed[150_000] ?? 0) ^ 1;
    await refused(changed, "was cut or changed");
    await refused(Buffer.from("no age file"), "cannot be opened");
    s3.objects.set(key, whole);
    const { newTargetKey } = await import("../../src/backup-target/sealing.ts");
    const other = own.write("other.key", (await newTargetKey()).secretKey);
    expect(await fetch(other)).toMatchObject({ code: 1, err: expect.stringContaining("sealed for another key") });
    const shown = own.write("shown.key", `The secret key:\n  ${targetKeys.publicKey}\n`);
    expect(await fetch(shown)).toMatchObject({
      code: 1,
      err: expect.stringContaining("shown.key holds no secret key"),
    });
    expect(await fetch(secretFile(), "peyk-x.db")).toMatchObject({ code: 1, err: expect.stringContaining("--target") });
    expect(await peyk("fetch", "newest", file)).toMatchObject({
      code: 1,
      err: expect.stringContaining("--target-key"),
    });
    s3.misbehave = ({ operation }) => (operation === "get" ? brokenOff(whole.subarray(0, 70_000)) : null);
    expect(await fetch()).toMatchObject({ code: 1, err: expect.stringContaining("127.0.0.1") });
    expect(readdirSync(own.folder.path).filter((name) => name.startsWith("back"))).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test("is restored on a machine that has only the settings and the secret key, and leaves no other trace", async () => {
    const server = await createOperatorServer();
    await server.accounts.create("Clinic");
    const file = join(own.dataDir, "backups", `${nightly}.db`);
    expect(await runCli(["backup", "create", file, "--data-dir", server.folder])).toMatchObject({ code: 0 });
    await server.close();
    await own.run();
    const dataDir = join(own.folder.path, "new");
    const temporary = join(own.folder.path, "tmp");
    mkdirSync(temporary);
    const restore = (...argv: string[]) =>
      runCli(["backup", "restore", ...argv], { env: { ...own.environment(), PEYK_DATA_DIR: dataDir } });
    for (const argv of [[], [file, "--from", "newest"]])
      expect(await restore(...argv)).toMatchObject({ code: 1, err: expect.stringContaining("Name one copy") });
    const before = process.env.TMPDIR;
    process.env.TMPDIR = temporary;
    const restored = await restore("--from", "newest", "--target-key", secretFile(), "--json");
    process.env.TMPDIR = before;
    expect(restored).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(restored.out)).toMatchObject({ file: `${nightly}.db`, counts: { accounts: 1 }, held: true });
    expect(existsSync(join(dataDir, "peyk.db"))).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("is not listed, fetched or deleted if its name is not one that Peyk gives", async () => {
    s3.objects.set("peyk/../../etc/passwd", Buffer.from("x"));
    for (const name of [".partial", ".ported-mine", ".ported-../../x.numbers", ".ported-0123456789ABCDEF.numbers"])
      s3.objects.set(`peyk/peyk-20261120T031700Z.db${name}.age`, Buffer.from("x"));
    expect(await new BackupTarget(own.settings, systemClock).list()).toEqual([]);
  });
});

test("peyk backup target-key makes another key at each call, and the settings name what is missing", async () => {
  const [first, second] = [await peyk("target-key", "--json"), await peyk("target-key", "--json")];
  expect(JSON.parse(first.out)).toEqual({
    secretKey: expect.stringMatching(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/),
    publicKey: expect.stringMatching(/^age1[0-9a-z]{58}$/),
  });
  expect(first.out).not.toBe(second.out);
  const { PEYK_BACKUP_TARGET_PUBLIC_KEY: _, ...env } = own.environment();
  const unsealed = await runCli(["backup", "upload"], { env });
  const missing =
    "backup_target.endpoint is set, so backup_target.public_key (by peyk backup target-key) must be set too.";
  expect(unsealed).toMatchObject({ code: 1, err: expect.stringContaining(missing) });
  const styled = { ...own.environment(), PEYK_BACKUP_TARGET_PATH_STYLE: "false" };
  for (const host of ["127.0.0.1", "[::1]"]) {
    const refused = await runCli(["config", "check"], {
      env: { ...styled, PEYK_BACKUP_TARGET_ENDPOINT: `https://${host}:9000` },
    });
    const words = `backup_target.path_style must be true: no bucket's name can stand before an address such as https://${host}:9000.`;
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(words) });
  }
  expect(s3.operations).toEqual([]);
});
