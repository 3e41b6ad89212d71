/** Rotating the key file: everything stays readable, whatever interrupts it and whenever. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "../../src/config/settings.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { otpHashPurposes } from "../../src/domain/otp.ts";
import { parseTemplate } from "../../src/domain/template.ts";
import { otpTexts } from "../../src/messaging/otp/otp-texts.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer, readKeys } from "../../src/platform/seal.ts";
import { openStorage, type ServerStorage } from "../../src/server/storage.ts";
import { runCli } from "../support/cli.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let folder: ReturnType<typeof temporaryFolder>;
let hashKeysAtFirst: string[];
beforeEach(async () => {
  folder = temporaryFolder();
  await storing(addSecrets);
  hashKeysAtFirst = await storing(hashKeysOf);
});
afterEach(() => folder.remove());

const keyFile = () => join(folder.path, "secret.key");
const rotate = (...argv: string[]) => runCli(["secret", "rotate", "--json", "--data-dir", folder.path, ...argv]);

/** Opens the folder as a start of the service does. */
async function storing<T>(
  use: (storage: ServerStorage) => Promise<T> | T,
  dataDir = folder.path,
  credentialsFolder?: string,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const environment = { clock: new ManualClock(), random: systemRandom, log: silentLog, credentialsFolder };
  return await use(await openStorage({ ...defaultSettings(), dataDir }, environment, opened));
}

/** A route's password, a look-up's token, two signing secrets, and a one-time password that waits. */
async function addSecrets({ store, sealer, routes, lookups, clock }: ServerStorage): Promise<void> {
  const now = clock.now();
  await routes.add("smsc", "smpp", { host: "127.0.0.1", port: 2775, systemId: "x", password: "hunter2" });
  const request = { url: "http://127.0.0.1:1/{{recipient}}" };
  await lookups.set({ request, network: { json: "network" }, token: "t0ken", budgetPerDay: 1 });
  const { storedText } = otpTexts(sealer).compose(parseTemplate("Your code: {{code}}"), "482913");
  await store.write((tables) => {
    tables.accounts.insert({ name: "Clinic", status: "active", createdAt: now });
    const webhook = tables.webhooks.insert({
      publicId: "0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11",
      accountId: 1,
      url: "https://hooks.example.com/",
      events: [],
      active: true,
      sealedSecret: sealer.seal("whsec_one"),
      createdAt: now,
      updatedAt: now,
    });
    const apiKeyId = 1;
    const hash = Buffer.alloc(32);
    const dates = { previousUntil: now + 1, createdAt: now, revokedAt: null };
    tables.credentials.insert({
      ...dates,
      apiKeyId,
      kind: "intake",
      name: "hook",
      secretHash: hash,
      previousHash: hash,
      traffic: "single",
      ratePerSecond: null,
      options: "{}",
      sealedForward: Buffer.from(sealer.seal("forward")),
      sealedSecret: Buffer.from(sealer.seal("signing one")),
      previousSealed: Buffer.from(sealer.seal("signing two")),
    });
    tables.webhooks.setNextSecret(webhook, sealer.seal("whsec_two"), { from: now + 1, now });
    tables.messages.insert({
      trackingCode: "A",
      accountId: 1,
      senderId: 1,
      class: messageClasses.otp,
      sender: "30001234",
      recipient: "+989120000010",
      text: storedText,
      clientReference: null,
      encoding: "Latin",
      characterCount: 17,
      partCount: 1,
      submittedAt: now,
      sendAt: null,
      validUntil: now + 60_000,
    });
  });
}

function hashKeysOf({ hashKey }: ServerStorage): string[] {
  return Object.values(otpHashPurposes).map((purpose) => Buffer.from(hashKey(purpose)).toString("hex"));
}

async function expectAllReadable(dataDir = folder.path, credentialsFolder?: string): Promise<void> {
  const check = (storage: ServerStorage) => {
    const { store, sealer, routes, directory, lookups } = storage;
    const route = directory.route("smsc");
    const webhook = store.tables.webhooks.byId(1);
    const message = store.tables.messages.byCodeAnywhere("A");
    if (route === null || webhook?.nextSealedSecret == null || message === null) throw new Error("not stored");
    expect(routes.fileOf(route)).toMatchObject({ password: "hunter2" });
    expect(lookups.state()).toMatchObject({ problem: null });
    expect([webhook.sealedSecret, webhook.nextSealedSecret].map(sealer.open)).toEqual(["whsec_one", "whsec_two"]);
    const [intake] = store.tables.credentials.all();
    const signing = [intake?.sealedSecret, intake?.previousSealed, intake?.sealedForward].map((sealed) =>
      sealer.open(sealed ?? Buffer.alloc(0)),
    );
    expect(signing).toEqual(["signing one", "signing two", "forward"]);
    expect(otpTexts(sealer).open(message)).toBe("Your code: 482913");
    // Previously hashed codes of customers and repeated requests are still recognised.
    expect(hashKeysOf(storage)).toEqual(hashKeysAtFirst);
  };
  await storing(check, dataDir, credentialsFolder);
}

describe("peyk secret rotate", () => {
  test("seals everything with a new key, keeps the old one beside it, and can be repeated", async () => {
    const [old] = readKeys(keyFile());
    const run = await rotate();
    expect(run).toMatchObject({ code: 0, err: "" });
    const answer = JSON.parse(run.out);
    expect(answer).toMatchObject({ file: keyFile(), resealed: 8, unreadable: 0 });
    expect(readKeys(answer.kept)).toEqual([old]);
    const keys = readKeys(keyFile());
    expect([keys.length, keys[0]]).not.toEqual([1, old]);
    await expectAllReadable();
    // By now the hash keys are sealed as well.
    expect(JSON.parse((await rotate()).out)).toMatchObject({ resealed: 13 });
    await expectAllReadable();
  });

  test("leaves nothing in the data folder that the old key opens", async () => {
    const old = createSealer(...readKeys(keyFile()));
    const sealedBefore = await storing(({ store }) => store.sealedSecrets().map((sealed) => Buffer.from(sealed)));
    expect(sealedBefore.map(old.open)).toContain("whsec_one");
    await rotate();
    for (const name of readdirSync(folder.path).filter((file) => file.startsWith("peyk.db"))) {
      const content = readFileSync(join(folder.path, name));
      expect([name, sealedBefore.some((sealed) => content.includes(sealed))]).toEqual([name, false]);
    }
  });

  testWith("strace")(
    "killed at any sync or rename leaves a service that starts, and the next call completes it",
    async () => {
      let kills = 0;
      for (let isDone = false; !isDone; ) {
        const inject = ["-e", "trace=fsync,rename", "-e", `inject=fsync,rename:signal=KILL:when=${kills + 1}`];
        const strace = ["strace", "-f", "-qq", "-o", "/dev/null", ...inject];
        const args = ["secret", "rotate", "--data-dir", folder.path];
        const child = Bun.spawn([...strace, ...peykCommand, ...args], { stdout: "ignore", stderr: "ignore" });
        isDone = (await child.exited) === 0;
        if (!isDone) kills += 1;
        await expectAllReadable();
      }
      expect(kills).toBeGreaterThan(5);
      expect(readKeys(keyFile())).toHaveLength(1);
    },
    120_000,
  );

  test.skipIf(process.getuid?.() !== 0)(
    "works if the key file is root's and the data folder the service's",
    async () => {
      const nobody = 65534;
      const area = temporaryFolder();
      chmodSync(area.path, 0o711);
      const [data, etc] = [join(area.path, "data"), join(area.path, "etc")];
      for (const path of [data, etc]) mkdirSync(path, { mode: 0o700 });
      const key = join(etc, "secret.key");
      cpSync(folder.path, data, { recursive: true });
      renameSync(join(data, "secret.key"), key);
      for (const name of ["", ...readdirSync(data)]) chownSync(join(data, name), nobody, nobody);
      expect(await runCli(["secret", "rotate", "--data-dir", data, "--key", key])).toMatchObject({ code: 0, err: "" });
      const strangers = readdirSync(data).filter((name) => statSync(join(data, name)).uid !== nobody);
      expect([strangers, readdirSync(etc).map((name) => statSync(join(etc, name)).mode & 0o777)]).toEqual([
        [],
        [0o600, 0o600],
      ]);
      // As LoadCredential passes it to the service.
      await expectAllReadable(data, etc);
      area.remove();
    },
  );

  test("refuses while the service runs, with another key or without one, and changes nothing", async () => {
    const before = readFileSync(keyFile());
    await storing(async () => {
      expect(await rotate()).toMatchObject({ code: 1, err: expect.stringContaining("in use by another peyk process") });
    });
    const other = join(folder.path, "other.key");
    writeFileSync(other, `${"ab".repeat(32)}\n`);
    expect(await rotate("--key", other)).toMatchObject({ code: 1, err: expect.stringContaining("it is not its key") });
    expect([readKeys(other).length, readFileSync(keyFile()).equals(before)]).toEqual([1, true]);
    await expectAllReadable();
    const none = join(folder.path, "none");
    expect(await rotate("--key", none)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${none} cannot be read`),
    });
    expect(existsSync(none)).toBe(false);
  });
});

test("seals a user's second factor with the new key, too", async () => {
  await storing(({ store, sealer, clock }) =>
    store.write(({ users }) => {
      const { id } = users.insert({ name: "sara", role: "owner", accountId: null, createdAt: clock.now() });
      users.update(id, { sealedFactor: Buffer.from(sealer.seal("JBSWY3DPEHPK3PXP")) });
    }),
  );
  const before = readFileSync(keyFile(), "utf8");
  expect((await rotate()).code).toBe(0);
  expect(readFileSync(keyFile(), "utf8")).not.toBe(before);
  await storing(({ store, sealer }) => {
    const sealed = store.tables.users.byName("sara")?.sealedFactor;
    expect(sealer.open(sealed ?? new Uint8Array())).toBe("JBSWY3DPEHPK3PXP");
  });
});
