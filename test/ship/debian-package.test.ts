/** The Debian package on a real Debian, from a signed repository: installed, upgraded, downgraded, removed and purged. */
import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aptRepository } from "../../scripts/apt-repository.ts";
import { debianPackage } from "../../scripts/debian-package.ts";
import { must } from "../../scripts/must.ts";
import { systemFiles } from "../../src/cli/system-files.ts";
import { onMachine, slow } from "../installed/on-machine.ts";
import { acceptedIn, allSent, customerIn } from "../installed/sending.ts";
import { otherBuild } from "../support/builds.ts";

const madeAt = new Date("2026-11-01T00:00:00Z");

/** A repository for each version, since apt takes the newest that it sees. */
async function repository(
  builds: string,
  name: string,
  {
    program,
    version,
    key,
    restartSec = 1,
  }: { program: string; version: string; key: string | null; restartSec?: number },
) {
  const folder = join(builds, name);
  mkdirSync(join(folder, "pool"), { recursive: true });
  const unit = systemFiles["peyk.service"]?.replace("RestartSec=1", `RestartSec=${restartSec}`) ?? "";
  const files = { ...systemFiles, "peyk.service": unit };
  const made = { architecture: "amd64", program, version, madeAt, folder: join(folder, "pool") } as const;
  await debianPackage({ ...made, compression: "none", files });
  // An expired repository is refused.
  await aptRepository({ folder, madeAt: new Date(), key });
}

const opening = {
  async prepare(builds: string) {
    // apt reads as its own user.
    chmodSync(builds, 0o755);
    const secret = join(builds, "apt.key");
    const home = join(builds, "gpg");
    mkdirSync(home, { mode: 0o700 });
    const gpg = ["gpg", "--homedir", home, "--batch", "--passphrase", ""];
    await must(
      [...gpg, "--quick-generate-key", "Peyk releases <releases@example.org>", "ed25519", "sign", "never"],
      builds,
    );
    writeFileSync(secret, await must([...gpg, "--armor", "--export-secret-keys"], builds));
    await must(["gpgconf", "--homedir", home, "--kill", "all"], builds);
    await repository(builds, "first", { program: join(builds, "peyk"), version: "0.1.0", key: secret });
    await repository(builds, "unsigned", { program: join(builds, "peyk"), version: "0.1.0", key: null });
    await otherBuild(join(builds, "failing"), (sources) => {
      sources.version("9.1.0");
      sources.migration("renames", "UPDATE account SET name = 'SPOILT';");
      sources.migration("fails", "INSERT INTO no_such_table VALUES (1);");
      sources.change("systemd/peyk.service", "RestartSec=1", "RestartSec=7");
    });
    await repository(builds, "broken", {
      program: join(builds, "failing"),
      version: "9.1.0",
      key: secret,
      restartSec: 7,
    });
    await otherBuild(join(builds, "good"), (sources) => {
      sources.version("9.2.0");
      sources.migration("more", "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;");
      sources.change("systemd/peyk.service", "RestartSec=1", "RestartSec=2");
    });
    await repository(builds, "second", { program: join(builds, "good"), version: "9.2.0", key: secret, restartSec: 2 });
    const foreign = { architecture: "arm64", program: join(builds, "peyk"), version: "0.1.0", madeAt } as const;
    await debianPackage({ ...foreign, folder: builds, compression: "none" });
    copyFileSync(join(builds, "first/peyk-archive-keyring.gpg"), join(builds, "keyring.gpg"));
  },
};

onMachine("the Debian package", opening, ({ machine }) => {
  const sources = "/etc/apt/sources.list.d/peyk.sources";
  /** The only repository that apt sees, signed as the documentation says. */
  const offer = (name: string, signedBy = "/usr/share/keyrings/peyk-archive-keyring.gpg") =>
    machine.run(`
      rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
      printf 'Types: deb\\nURIs: copy:/builds/${name}\\nSuites: stable\\nComponents: main\\nSigned-By: ${signedBy}\\n' >${sources}
      apt-get update 2>&1`);
  const apt = (words: string) => machine.run(`DEBIAN_FRONTEND=noninteractive apt-get -y ${words} 2>&1`);
  const version = () => machine.sh("peyk version");
  const database = "/var/lib/peyk/peyk.db";
  const facts = async () => ({
    version: await version(),
    running: await machine.sh('sha256sum <"/proc/$(systemctl show peyk --property=MainPID --value)/exe"'),
    schema: await machine.sh(`sqlite3 -readonly ${database} 'SELECT max(number) FROM migration'`),
    accounts: await machine.sh(`sqlite3 -readonly ${database} 'SELECT group_concat(name) FROM account'`),
    restart: await machine.sh("systemctl show peyk --property=RestartUSec --value"),
  });

  test(
    "the package installs only from the signed repository: not without its key, unsigned or from a changed index",
    async () => {
      expect((await offer("first")).out).toContain("NO_PUBKEY");
      expect((await apt("install peyk")).code).not.toBe(0);
      await machine.sh("install -D -m 0644 /builds/keyring.gpg /usr/share/keyrings/peyk-archive-keyring.gpg");
      expect((await offer("unsigned")).out).toContain("is not signed");
      await machine.sh(
        "cp -r /builds/first /tampered && cd /tampered/dists/stable/main/binary-amd64 && rm Packages.gz && sed -i s/0.1.0/0.1.9/ Packages",
      );
      await machine.sh(`sed -i s,/builds/unsigned,/tampered, ${sources}`);
      expect((await machine.run("apt-get update 2>&1")).out).toMatch(/unexpected size|Hash Sum mismatch/);
      expect((await apt("install peyk")).code).not.toBe(0);
      expect((await machine.run("dpkg -s peyk")).code).not.toBe(0);
      await machine.sh("rm -r /tampered");
    },
    slow,
  );

  test(
    "the package for another processor is refused, and nothing is changed",
    async () => {
      const { code, out } = await machine.run("dpkg -i /builds/peyk_0.1.0_arm64.deb 2>&1");
      expect(code).not.toBe(0);
      expect(out).toContain("package architecture (arm64) does not match system (amd64)");
      expect((await machine.run("getent passwd peyk || ls /usr/lib/peyk")).code).not.toBe(0);
    },
    slow,
  );

  test(
    "the package installs into the image of a stopped machine, even without /proc, for its first boot",
    async () => {
      await machine.sh(`
        mkdir -p /tmp/image/proc /tmp/image/dev /tmp/image/run /tmp/image/tmp
        cp -a /bin /etc /lib* /sbin /usr /var /tmp/image/
        mount --bind /dev /tmp/image/dev
        cp /builds/first/pool/peyk_0.1.0_amd64.deb /tmp/image/peyk.deb`);
      const { code, out } = await machine.run("chroot /tmp/image dpkg -i /peyk.deb 2>&1");
      expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining("panic") });
      const links = "readlink usr/bin/peyk etc/systemd/system/multi-user.target.wants/peyk.service";
      expect(await machine.sh(`cd /tmp/image && ${links} && stat -c '%a %s' etc/peyk/secret.key`)).toBe(
        "../lib/peyk/peyk\n/lib/systemd/system/peyk.service\n600 65",
      );
      expect((await machine.run("chroot /tmp/image dpkg -P peyk 2>&1")).code).toBe(0);
      await machine.sh("umount /tmp/image/dev && rm -r /tmp/image");
    },
    slow,
  );

  test(
    "the package is refused beside an install.sh installation and vice versa, and each names the way across",
    async () => {
      await offer("first");
      await machine.sh("sh /builds/install.sh /builds/peyk");
      const kept = await machine.sh("sha256sum /etc/peyk/secret.key");
      const refused = await apt("install peyk");
      expect(refused.code).not.toBe(0);
      expect(refused.out).toContain("Peyk was installed here by install.sh. To change over: sh install.sh --uninstall");
      expect(await machine.sh("systemctl is-active peyk; ls /usr/lib/peyk 2>/dev/null | wc -l")).toBe("active\n0");
      await machine.sh("sh /builds/install.sh --uninstall");
      expect((await apt("install peyk -o Dpkg::Options::=--force-confold")).code).toBe(0);
      expect(await machine.sh("sha256sum /etc/peyk/secret.key")).toBe(kept);
      for (const words of ["/builds/peyk", "--uninstall", "--purge --yes"]) {
        const { code, err } = await machine.run(`sh /builds/install.sh ${words}`);
        expect({ code, err }).toMatchObject({
          code: 1,
          err: expect.stringContaining("To change over: apt remove peyk"),
        });
      }
      expect(await machine.run("peyk upgrade /builds/peyk")).toMatchObject({
        code: 1,
        err: expect.stringContaining("Upgrade it by: apt update && apt upgrade"),
      });
      expect((await apt("purge peyk")).code).toBe(0);
    },
    slow,
  );

  test(
    "the package installs with a key, settings and its own unit, and sends",
    async () => {
      const { code, out } = await apt("install peyk");
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("Your first message") });
      expect(
        await machine.sh("readlink /usr/bin/peyk; stat -c '%a %U:%G' /etc/peyk/peyk.toml /etc/peyk/secret.key"),
      ).toBe("../lib/peyk/peyk\n640 root:peyk\n600 root:root");
      expect(await machine.sh(`dpkg-query -W -f '\${Conffiles}' peyk`)).toContain("/etc/peyk/peyk.toml");
      expect(await machine.sh("systemctl cat peyk")).not.toContain("/usr/local");
      await customerIn(machine);
      await machine.sh("customer 1 10");
      await allSent(machine);
      expect(await machine.sh("dpkg --verify peyk")).toBe("");
      expect(await machine.sh("journalctl -u peyk -p err -o cat")).not.toContain("peyk");
    },
    slow,
  );

  test(
    "dpkg-reconfigure gives the service a privileged port, and takes it back",
    async () => {
      const capabilities = () => machine.sh("systemctl show peyk --property=AmbientCapabilities --value");
      const reconfigure = async (line: string) => {
        await machine.sh(`printf '%s' '${line}' >/etc/peyk/peyk.toml && dpkg-reconfigure peyk`);
        await machine.until("peyk status >/dev/null", 30_000);
        return capabilities();
      };
      await machine.sh("cp -p /etc/peyk/peyk.toml /root/");
      expect(await reconfigure('listen = "127.0.0.1:443"\n')).toBe("cap_net_bind_service");
      expect(await machine.sh("peyk status")).toContain("127.0.0.1:443");
      await machine.sh("cp -p /root/peyk.toml /etc/peyk/");
      await machine.sh("dpkg-reconfigure peyk");
      await machine.until("peyk status >/dev/null", 30_000);
      expect(await capabilities()).toBe("");
    },
    slow,
  );

  test(
    "a new version that does not become ready rolls back program, unit and database, and dpkg can retry it",
    async () => {
      await machine.sh("sed -i '1i # mine' /etc/peyk/peyk.toml");
      const before = await facts();
      await offer("broken");
      const sending = machine.sh("customer 100 199");
      const { code, out } = await apt("upgrade -o Dpkg::Options::=--force-confold");
      await sending;
      expect({ code, out }).toMatchObject({ code: 100, out: expect.stringContaining("Going back to Peyk 0.1.0") });
      expect(out).toContain("serves again, with the database of before. Nothing was lost.");
      expect(await facts()).toEqual(before);
      expect(await machine.sh("journalctl -u peyk -p err -o cat")).toContain("fails) failed and was undone");
      const again = await machine.run("dpkg --configure -a 2>&1");
      expect(again).toMatchObject({ code: 1, out: expect.stringContaining("Going back to Peyk 0.1.0") });
      expect(await machine.sh(`dpkg-query -W -f '\${Status}' peyk`)).toBe("install ok half-configured");
      expect(await facts()).toEqual(before);
      await machine.reboot();
      await machine.until("peyk status >/dev/null", 30_000);
      expect(await facts()).toEqual(before);
      await allSent(machine);
    },
    slow,
  );

  test(
    "an upgrade after that to a good version succeeds, and keeps an edited settings file",
    async () => {
      await offer("second");
      const sent = await acceptedIn(machine);
      const sending = machine.sh("customer 300 399");
      const { code, out } = await apt("install peyk -o Dpkg::Options::=--force-confold");
      await sending;
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("Peyk 9.2.0 is ready and serves") });
      expect(await acceptedIn(machine)).toBeGreaterThan(sent);
      expect(await facts()).toMatchObject({
        version: expect.stringContaining("9.2.0"),
        restart: "2s",
        accounts: "Test",
      });
      expect(await machine.sh("head -n 1 /etc/peyk/peyk.toml; readlink /usr/bin/peyk")).toBe(
        "# mine\n../lib/peyk/peyk",
      );
      expect((await machine.run("ls /etc/systemd/system/peyk.service")).code).not.toBe(0);
      await machine.reboot();
      await machine.until("peyk status >/dev/null", 30_000);
      await allSent(machine);
    },
    slow,
  );

  test(
    "a downgrade is refused: the newer version goes on, whose database the older one cannot read",
    async () => {
      const before = await facts();
      await offer("first");
      const { code, out } = await apt("install --allow-downgrades peyk=0.1.0 -o Dpkg::Options::=--force-confold");
      expect({ code, out }).toMatchObject({ code: 100, out: expect.stringContaining("written by a newer Peyk") });
      expect(out).toContain("goes on; nothing was changed");
      expect(await facts()).toEqual(before);
      await offer("second");
      expect((await apt("install peyk -o Dpkg::Options::=--force-confold")).code).toBe(0);
      expect(await facts()).toEqual(before);
    },
    slow,
  );

  test(
    "removal keeps messages, settings and key, and a purge keeps only the nightly backups with their key",
    async () => {
      const kept = await machine.sh("sha256sum /etc/peyk/secret.key /etc/peyk/peyk.toml");
      expect((await apt("remove peyk")).code).toBe(0);
      expect((await machine.run("systemctl cat peyk || command -v peyk || ls /usr/lib/peyk")).code).not.toBe(0);
      expect(await machine.sh("sha256sum /etc/peyk/secret.key /etc/peyk/peyk.toml")).toBe(kept);
      await offer("second");
      expect((await apt("install peyk")).code).toBe(0);
      await allSent(machine);
      await machine.sh("setpriv --reuid peyk --regid peyk --clear-groups mkdir -p /var/lib/peyk/backups");
      await machine.sh("peyk backup create /var/lib/peyk/backups/peyk-monday.db");
      const { code, out } = await apt("purge peyk");
      const place = /are kept in (\S+)\./.exec(out)?.[1];
      expect({ code, place }).toMatchObject({
        code: 0,
        place: expect.stringMatching(/^\/var\/lib\/peyk-backups-\d{14}$/),
      });
      expect(await machine.sh(`cd ${place} && find . -type f | sort`)).toBe("./backups/peyk-monday.db\n./secret.key");
      await machine.sh(`rm -r ${place}`);
      const left = await machine.sh(
        "find /etc /usr /var /run -xdev -name '*peyk*' ! -path '/var/log/*' ! -path '/usr/local/sbin/*' ! -path '/var/lib/apt/*' ! -path '/var/cache/*'",
      );
      expect(
        left
          .split("\n")
          .filter(
            (path) => !path.includes("keyring") && !path.endsWith("peyk.sources") && !path.endsWith("install.lock"),
          ),
      ).toEqual([]);
      expect((await machine.run("getent passwd peyk || getent group peyk")).code).not.toBe(0);
    },
    slow,
  );
});
