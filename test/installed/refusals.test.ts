import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onMachine, slow } from "./on-machine.ts";

/** Files that are not quite Peyk. */
function spoilt(builds: string): void {
  const whole = readFileSync(join(builds, "peyk"));
  writeFileSync(join(builds, "truncated"), whole.subarray(0, whole.length - 1));
  writeFileSync(join(builds, "stub"), whole.subarray(0, 40));
  const otherMachine = Buffer.from(whole);
  // e_machine of the ELF header: AArch64.
  otherMachine.writeUInt16LE(0xb7, 18);
  writeFileSync(join(builds, "arm64"), otherMachine);
  chmodSync(builds, 0o755);
  copyFileSync("/usr/bin/true", join(builds, "true"));
}

onMachine("the installer refuses", { prepare: spoilt }, ({ machine }) => {
  const everything =
    "find /etc /usr/local /var/lib ! -newermt @0 -o -print | sort; getent passwd peyk; systemctl is-active peyk";
  const state = async () => (await machine.run(everything)).out;

  /** Runs it, and expects that it fails with one clear sentence and changes nothing. */
  async function refused(line: string, sentence: string | RegExp): Promise<void> {
    const before = await state();
    const { code, err } = await machine.run(line);
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(err).toMatch(sentence);
    expect(err).toStartWith("install.sh: ");
    expect(await state()).toBe(before);
  }
  const install = (rest: string) => `sh /builds/install.sh ${rest}`;

  test(
    "wrong usage, with exit code 2 and the usage",
    async () => {
      for (const rest of [
        "",
        "--frobnicate x",
        "a b",
        "--wait 0 a",
        "--wait 10000 a",
        "--sha256 12 a",
        "--purge a",
        "--sha256",
      ]) {
        const { code, err } = await machine.run(install(rest));
        expect([rest, code]).toEqual([rest, 2]);
        expect(err).toContain("Usage: install.sh");
      }
    },
    slow,
  );

  test(
    "a file that is missing, not a program, or not Peyk",
    async () => {
      await refused(install("/nowhere"), "There is no file /nowhere.");
      await refused(install("/etc"), "/etc is no file that can be read.");
      await refused(install("/etc/passwd"), "/etc/passwd is no Linux program.");
      await refused(install("--unverified /builds/true"), "is not Peyk");
    },
    slow,
  );

  test(
    "a binary that is truncated, even by one byte",
    async () => {
      await refused(install("/builds/truncated"), /is truncated: (\d+) of \d+ bytes are there/);
      await refused(install("/builds/stub"), "is truncated");
    },
    slow,
  );

  test(
    "a binary of another architecture",
    async () => {
      await refused(install("/builds/arm64"), "is built for aarch64 machines, this one is x86_64");
    },
    slow,
  );

  test(
    "a wrong checksum, given or read from SHA256SUMS, and accepts a right one",
    async () => {
      await refused(install(`--sha256 ${"0".repeat(64)} /builds/peyk`), "The checksum of /builds/peyk is wrong");
      await machine.sh(
        `mkdir /root/release; cp /builds/peyk /root/release/; echo '${"0".repeat(64)}  peyk' >/root/release/SHA256SUMS`,
      );
      await refused(install("/root/release/peyk"), "The checksum of /root/release/peyk is wrong");
      await machine.sh("cd /root/release && sha256sum peyk >SHA256SUMS");
      expect(await machine.sh(install("--dry-run /root/release/peyk"))).toContain("Nothing was changed.");
      expect(
        await machine.sh(install('--dry-run --sha256 "$(sha256sum </builds/peyk | cut -c 1-64)" /builds/peyk')),
      ).toContain("Installing");
    },
    slow,
  );

  test(
    "a binary without a checksum before running it, unless told to accept it unverified",
    async () => {
      await machine.sh("mkdir /root/bare && cp /builds/peyk /root/bare/");
      await refused(install("/root/bare/peyk"), "There is no SHA256SUMS beside /root/bare/peyk");
      await machine.sh("cd /root/bare && sha256sum peyk | sed 's/peyk/peyk-arm/' >SHA256SUMS");
      await refused(install("/root/bare/peyk"), "/root/bare/SHA256SUMS has no line for peyk");
      await refused("cd /root/bare && sh /builds/install.sh peyk", "SHA256SUMS has no line for peyk");
      // It is not run: nothing more is known about a program that is not Peyk.
      await refused(install("/builds/true"), "/builds/SHA256SUMS has no line for true");
      expect(await machine.sh(install("--dry-run --unverified /root/bare/peyk"))).toContain(
        "Not verified, as you asked",
      );
    },
    slow,
  );

  test(
    "a URL without a checksum, and one where nobody answers",
    async () => {
      await refused(install("http://127.0.0.1:9/peyk"), "needs its checksum: --sha256 SUM");
      await refused(install(`--sha256 ${"0".repeat(64)} http://127.0.0.1:9/peyk`), "cannot be fetched");
    },
    slow,
  );

  test(
    "a user who is not root",
    async () => {
      await refused(
        `setpriv --reuid 65534 --clear-groups ${install("/builds/peyk")}`,
        "This must run as root. Try: sudo",
      );
    },
    slow,
  );

  test(
    "a machine without systemd",
    async () => {
      await refused(
        `unshare --mount sh -c 'mount -t tmpfs none /run/systemd; ${install("/builds/peyk")}'`,
        "was not started by systemd",
      );
    },
    slow,
  );

  test(
    "a port that is taken, and names the setting",
    async () => {
      await machine.sh(
        "systemd-run --quiet --unit=squatter --setenv=PEYK_DATA_DIR=/root/squatter --setenv=PEYK_LISTEN=127.0.0.1:8080 --setenv=PEYK_CONSOLE_LISTEN=127.0.0.1:9999 /builds/peyk serve",
      );
      await machine.until("curl -sf http://127.0.0.1:8080/healthz", 60_000);
      await refused(
        install("/builds/peyk"),
        /127\.0\.0\.1:8080 \(setting listen\) cannot be used: another process listens there/,
      );
      await machine.sh("systemctl stop squatter");
    },
    slow,
  );

  test(
    "a data folder of another user, unless told to take it over",
    async () => {
      await machine.sh("mkdir /var/lib/peyk && echo precious >/var/lib/peyk/file && chown -R daemon /var/lib/peyk");
      await refused(
        install("/builds/peyk"),
        "/var/lib/peyk belongs to the user daemon, not to peyk. If it is Peyk's, run this again with --adopt",
      );
      expect(await machine.sh("cat /var/lib/peyk/file")).toBe("precious");
      await machine.sh("rm -r /var/lib/peyk");
    },
    slow,
  );

  test(
    "a disk without free space",
    async () => {
      await machine.sh("mkdir /var/lib/peyk && mount -t tmpfs -o size=20m none /var/lib/peyk");
      await refused(
        install("/builds/peyk"),
        /not enough room on the disk of \/var\/lib\/peyk: 64 MiB are needed, 20 MiB are free/,
      );
      await machine.sh("umount /var/lib/peyk && rmdir /var/lib/peyk");
      await machine.sh("mkdir /usr/local/lib/peyk && mount -t tmpfs -o size=20m none /usr/local/lib/peyk");
      await refused(
        install("/builds/peyk"),
        "/builds/peyk cannot be copied to /usr/local/lib/peyk: No space left on device.",
      );
      await machine.sh("umount /usr/local/lib/peyk && rmdir /usr/local/lib/peyk");
      await machine.sh("mount -t tmpfs -o size=20m none /usr/local/bin");
      await refused(
        install("/builds/peyk"),
        /not enough room on the disk of \/usr\/local\/bin: \d+ MiB are needed, 20 MiB are free. Nothing was changed/,
      );
      await machine.sh("umount /usr/local/bin");
    },
    slow,
  );

  test(
    "a dry run in a temporary folder that is too small or missing",
    async () => {
      await machine.sh("mkdir /root/small && mount -t tmpfs -o size=1m none /root/small");
      await refused(
        `TMPDIR=/root/small ${install("--dry-run /builds/peyk")}`,
        "cannot be copied to /root/small: No space left on device. Set TMPDIR to another folder.",
      );
      await refused(
        `TMPDIR=/nowhere ${install("--dry-run /builds/peyk")}`,
        "No folder can be made in /nowhere: No such file or directory. Set TMPDIR to another folder.",
      );
      await machine.sh("umount /root/small && rmdir /root/small");
    },
    slow,
  );

  test(
    "settings with a typo, and names the nearest key",
    async () => {
      await machine.sh("mkdir /etc/peyk && echo 'lisen = \"127.0.0.1:8080\"' >/etc/peyk/peyk.toml");
      await refused(install("/builds/peyk"), "there is no setting lisen. Did you mean listen?");
      await machine.sh("echo 'data_dir = \"/srv\"' >/etc/peyk/peyk.toml");
      await refused(install("/builds/peyk"), "data_dir cannot be set in the settings file of the service");
      await machine.sh("rm -r /etc/peyk");
    },
    slow,
  );

  test(
    "a second installer while one is at work",
    async () => {
      await refused(`flock /run/peyk-install.lock ${install("/builds/peyk")}`, "Another install.sh is at work");
    },
    slow,
  );

  test(
    "to upgrade what is not installed",
    async () => {
      const { code, err } = await machine.run("/builds/peyk upgrade /builds/peyk");
      expect(code).toBe(1);
      expect(err).toContain("Peyk is not installed as a service here");
    },
    slow,
  );

  test(
    "a folder with data, and adopts it with its key when told to",
    async () => {
      await machine.sh("mkdir /var/lib/peyk && chown -R daemon /var/lib/peyk");
      await machine.sh(`timeout 3 /builds/peyk serve --data-dir /var/lib/peyk || true`);
      const key = await machine.sh("cat /var/lib/peyk/secret.key");
      await machine.sh(install("--adopt /builds/peyk"));
      expect(await machine.sh("cat /etc/peyk/secret.key")).toBe(key);
      expect(await machine.sh("find /var/lib/peyk ! -user peyk; ls /var/lib/peyk/secret.key 2>&1 || true")).toContain(
        "No such file",
      );
    },
    slow,
  );

  test(
    "nothing if the program's folder is a separate disk: install and upgrade copy to it",
    async () => {
      await machine.sh(`${install("--purge --yes")}; mount -t tmpfs -o size=400m none /usr/local/bin`);
      await machine.sh(install("/builds/peyk"));
      await machine.sh("cp /builds/peyk /root/other && echo >>/root/other");
      expect(await machine.sh("peyk upgrade --unverified /root/other")).toContain("is ready and serves");
      expect(await machine.sh("ls /usr/local/bin; cmp /root/other /usr/local/bin/peyk")).toBe("peyk");
      expect(await machine.sh("cmp /builds/peyk /usr/local/lib/peyk/peyk.previous; ls /usr/local/lib/peyk")).toBe(
        "peyk.previous",
      );
    },
    slow,
  );
});
