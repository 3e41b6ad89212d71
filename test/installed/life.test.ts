import { expect, test } from "bun:test";
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type KeyPair, selfSigned } from "../support/certificates.ts";
import { onMachine, root, slow } from "./on-machine.ts";
import { acceptedIn, allSent, customerIn } from "./sending.ts";

/** Another file that is the same program. */
function otherFile(builds: string): void {
  copyFileSync(join(builds, "peyk"), join(builds, "other"));
  appendFileSync(join(builds, "other"), "\n");
}

onMachine("the installed service", { prepare: otherFile }, ({ machine, builds }) => {
  const restarts = async () => Number(await machine.sh("systemctl show peyk --property=NRestarts --value"));

  test(
    "describes everything in a dry run and changes nothing",
    async () => {
      const before = await machine.sh("find /etc /usr/local /var/lib | sort");
      const said = await machine.sh("sh /builds/install.sh --dry-run /builds/peyk");
      expect(said).toContain("Installing Peyk");
      expect(said).toContain("Nothing was changed.");
      expect(await machine.sh("find /etc /usr/local /var/lib | sort")).toBe(before);
    },
    slow,
  );

  test(
    "is installed in less than a minute, and the printed commands lead to a delivered message",
    async () => {
      const startedAt = performance.now();
      const said = await machine.sh("sh /builds/install.sh /builds/peyk");
      expect(performance.now() - startedAt).toBeLessThan(60_000);
      const indented = said.split("\n").filter((line) => line.startsWith("  "));
      const link = indented.find((line) => line.startsWith("  http"))?.trim() ?? "";
      expect(await machine.sh(`curl -s ${link}`)).toContain('name="password"');
      const lines = indented.filter((line) => line.trim() !== link);
      expect(lines).toHaveLength(5);
      const pasted = await machine.sh(lines.join("\n"));
      expect(pasted).toContain('"status":"queued"');
      expect(pasted).toMatch(/delivered/);
    },
    slow,
  );

  test(
    "owns its files with the right modes, and writes no secret to the journal",
    async () => {
      const modes = await machine.sh(
        "stat -c '%a %U:%G %n' /etc/peyk /etc/peyk/peyk.toml /etc/peyk/secret.key /var/lib/peyk /var/lib/peyk/peyk.db /var/lib/peyk/peyk.sock",
      );
      expect(modes.split("\n")).toEqual([
        "750 root:peyk /etc/peyk",
        "640 root:peyk /etc/peyk/peyk.toml",
        "600 root:root /etc/peyk/secret.key",
        "700 peyk:peyk /var/lib/peyk",
        "600 peyk:peyk /var/lib/peyk/peyk.db",
        "600 peyk:peyk /var/lib/peyk/peyk.sock",
      ]);
      expect(await machine.sh("ls /var/lib/peyk")).not.toContain("secret.key");
      const secret = (await machine.sh("cat /etc/peyk/secret.key")).trim();
      expect(secret).toMatch(/^[0-9a-f]{64}$/);
      const journal = await machine.sh("journalctl --no-pager -o cat");
      expect(journal).toContain("peyk serves");
      expect(journal).not.toContain(secret);
      expect(journal).not.toContain("X-API-Key");
    },
    slow,
  );

  test(
    "has a settings file with every setting as a comment, which it can read",
    async () => {
      expect(await machine.sh("sed '/^\\[/,$d' /etc/peyk/peyk.toml | grep -c '^#listen'")).toBe("1");
      expect((await machine.sh("peyk config check --config /etc/peyk/peyk.toml")).trim()).toContain("good");
    },
    slow,
  );

  test(
    "has a unit that systemd's own tool scores at 1.5 or better",
    async () => {
      const said = await machine.sh("systemd-analyze security --no-pager peyk.service | tail -n 1");
      const score = Number(/exposure level for peyk\.service: ([\d.]+)/.exec(said)?.[1]);
      console.log(`systemd-analyze security: ${score}`);
      expect(score).toBeLessThanOrEqual(1.5);
      expect(score).toBeGreaterThan(0);
    },
    slow,
  );

  test(
    "leaves the processors to senders during a search",
    async () => {
      await machine.sh("peyk message search --json");
      const threads = "/proc/$(systemctl show peyk --property=MainPID --value)/task/*/stat";
      // Nice values, see proc(5): the reading thread's, and all others'.
      const nices = await machine.sh(`sed 's/.*) //' ${threads} | cut -d ' ' -f 17 | sort -nu`);
      expect(nices.trim().split("\n")).toEqual(["0", "10"]);
    },
    slow,
  );

  test(
    "stays one installation, without a restart, when installed again",
    async () => {
      const state =
        "systemctl show peyk --property=MainPID,ActiveEnterTimestamp; sha256sum /etc/peyk/* /usr/local/bin/peyk";
      const before = await machine.sh(state);
      expect(await machine.sh("sh /builds/install.sh /builds/peyk")).toContain("installed already and serves");
      expect(await machine.sh(state)).toBe(before);
      expect(await machine.sh("find / -xdev -type f -name 'peyk.service' -path '*systemd*' | wc -l")).toBe("1");
      expect(await machine.sh("grep -c ^peyk: /etc/passwd")).toBe("1");
      expect(await machine.sh("ls /usr/local/lib/peyk")).toBe("");
    },
    slow,
  );

  test(
    "is found by root's command line from any folder, and spoken to as its user",
    async () => {
      expect(await machine.sh("cd / && peyk status --json")).toContain('"ready":true');
      const stranger = await machine.run("setpriv --reuid 65534 --clear-groups peyk status");
      expect(stranger.code).toBe(1);
      expect(stranger.err).toContain("Run this as its owner, or as root");
    },
    slow,
  );

  test(
    "is back within five seconds of a kill at any moment, without losing anything acknowledged",
    async () => {
      await customerIn(machine);
      const sending = machine.sh("customer 1 150");
      await machine.until("[ $(wc -l </root/accepted) -ge 30 ]", 60_000);
      const before = await restarts();
      await machine.sh("systemctl kill --signal=KILL peyk");
      const backMs = await machine.until(
        `[ "$(systemctl show peyk --property=NRestarts --value)" -gt ${before} ] && curl -sf http://127.0.0.1:8080/healthz`,
        5_000,
      );
      console.log(`back after kill -9: ${Math.round(backMs)} ms`);
      await sending;
      expect(await acceptedIn(machine)).toBeGreaterThan(30);
      await allSent(machine);
    },
    slow,
  );

  test(
    "is found hanging by the watchdog and started again",
    async () => {
      await machine.sh("mkdir -p /run/systemd/system/peyk.service.d");
      await machine.sh(
        "printf '[Service]\\nWatchdogSec=2\\n' >/run/systemd/system/peyk.service.d/test.conf; systemctl daemon-reload; systemctl restart peyk",
      );
      const before = await restarts();
      // Longer than the watchdog's timeout: it lives because it pings.
      await Bun.sleep(3_000);
      expect(await restarts()).toBe(before);
      await machine.sh("systemctl kill --signal=STOP peyk");
      await machine.until(`[ "$(systemctl show peyk --property=NRestarts --value)" -gt ${before} ]`, 60_000);
      await machine.until("curl -sf http://127.0.0.1:8080/healthz", 60_000);
      expect(await machine.sh("journalctl -u peyk -o cat --no-pager")).toContain("Failed with result 'watchdog'");
      await machine.sh(
        "rm /run/systemd/system/peyk.service.d/test.conf; systemctl daemon-reload; systemctl restart peyk",
      );
      await allSent(machine);
    },
    slow,
  );

  test(
    "refuses to start with MemoryDenyWriteExecute in a drop-in, and names the line to remove",
    async () => {
      await machine.sh(
        "printf '[Service]\\nMemoryDenyWriteExecute=yes\\n' >/run/systemd/system/peyk.service.d/test.conf; systemctl daemon-reload",
      );
      expect((await machine.run("systemctl restart peyk")).code).toBe(1);
      expect(await machine.sh("journalctl -u peyk -o cat --no-pager -n 20")).toContain(
        "take MemoryDenyWriteExecute= and LimitAS= out",
      );
      await machine.sh(
        "rm /run/systemd/system/peyk.service.d/test.conf; systemctl daemon-reload; systemctl restart peyk",
      );
    },
    slow,
  );

  test(
    "can run itself inside its sandbox, as the nightly backup does",
    async () => {
      const command = "ExecStartPre=/usr/local/bin/peyk backup create /var/lib/peyk/from-inside.db";
      await machine.sh(
        `printf '[Service]\\n${command}\\n' >/run/systemd/system/peyk.service.d/test.conf; systemctl daemon-reload; systemctl restart peyk`,
      );
      await machine.sh("rm /run/systemd/system/peyk.service.d/test.conf; systemctl daemon-reload");
      expect(await machine.sh("peyk backup verify /var/lib/peyk/from-inside.db")).toContain("is whole");
    },
    slow,
  );

  test(
    "can start only Peyk inside its sandbox, also after a library update, and can write little",
    async () => {
      // Peyk's runtime runs scripts, which no mount option prevents, so it can itself report what is accessible there.
      const look = `
        const { accessSync, constants, readdirSync, statSync } = require("node:fs");
        const may = (path, mode) => { try { accessSync(path, mode); return true; } catch { return false; } };
        const runs = [], written = [];
        const walk = (folder, inside) => {
          const writable = may(folder, constants.W_OK);
          if (writable && !inside) written.push(folder);
          let entries = [];
          try { entries = readdirSync(folder, { withFileTypes: true }); } catch {}
          for (const entry of entries) {
            const path = folder === "/" ? "/" + entry.name : folder + "/" + entry.name;
            if (entry.isDirectory()) { if (path !== "/proc" && path !== "/sys") walk(path, writable); }
            else if (entry.isFile()) {
              if (!writable && may(path, constants.W_OK)) written.push(path);
              if (may(path, constants.X_OK)) runs.push(path);
            }
          }
        };
        walk("/", false);
        console.log(JSON.stringify({ runs, written }));`;
      writeFileSync(join(machine.root, "var/lib/peyk/look.js"), look);
      const inside =
        "nsenter --target $(systemctl show peyk --property=MainPID --value) --mount --setgid $(id -g peyk) --setuid $(id -u peyk)";
      const { runs, written } = JSON.parse(
        await machine.sh(`cd / && BUN_BE_BUN=1 ${inside} /usr/local/bin/peyk /var/lib/peyk/look.js`),
      );
      const libraries = /^(\/usr)?\/lib(64|\/x86_64-linux-gnu|\/aarch64-linux-gnu)\//;
      expect(runs.filter((path: string) => !libraries.test(path))).toEqual(["/usr/local/bin/peyk"]);
      expect(written.sort()).toEqual(["/tmp", "/var/lib/peyk", "/var/tmp"]);
      expect((await machine.run(`${inside} /usr/bin/true`)).err).toContain("Permission denied");
      await machine.sh(
        "cd /lib/x86_64-linux-gnu && cp -p libc.so.6 libc.new && mv libc.new libc.so.6 && rm /var/lib/peyk/look.js",
      );
      expect(await machine.sh(`cd / && ${inside} /usr/local/bin/peyk version`)).toStartWith("peyk ");
    },
    slow,
  );

  test(
    "on port 443 has the one capability that this needs, and none after a move to another port",
    async () => {
      await machine.sh("echo 'listen = \"127.0.0.1:443\"' >/etc/peyk/peyk.toml && sh /builds/install.sh /builds/peyk");
      await machine.until("curl -sf http://127.0.0.1:443/healthz", 60_000);
      await machine.sh(": >/etc/peyk/peyk.toml && sh /builds/install.sh /builds/peyk");
      expect(await machine.sh("systemctl show peyk --property=AmbientCapabilities --value")).toBe("");
      await machine.until("curl -sf http://127.0.0.1:8080/healthz", 60_000);
    },
    slow,
  );

  test(
    "keeps running if a new installation would listen where another process does",
    async () => {
      await machine.sh(
        "systemd-run --quiet --unit=squatter --setenv=PEYK_DATA_DIR=/root/squatter --setenv=PEYK_LISTEN=127.0.0.1:443 --setenv=PEYK_CONSOLE_LISTEN=127.0.0.1:9999 /builds/peyk serve",
      );
      await machine.until("curl -sf http://127.0.0.1:443/healthz", 60_000);
      const state = "systemctl show peyk --property=MainPID,ActiveState";
      const before = await machine.sh(state);
      for (const binary of ["peyk", "other"]) {
        await machine.sh("echo 'listen = \"127.0.0.1:443\"' >/etc/peyk/peyk.toml");
        const { code, err } = await machine.run(`sh /builds/install.sh --unverified /builds/${binary}`);
        expect({ binary, code, err }).toEqual({
          binary,
          code: 1,
          err: expect.stringContaining("127.0.0.1:443 (setting listen) cannot be used: another process listens there"),
        });
        expect(await machine.sh(state)).toBe(before);
      }
      await machine.sh("systemctl stop squatter; : >/etc/peyk/peyk.toml");
      await machine.until("curl -sf http://127.0.0.1:8080/healthz", 60_000);
    },
    slow,
  );

  test(
    "serves a renewed certificate after systemctl reload, which fails with the reason if the files are invalid",
    async () => {
      const install = async (certificate: KeyPair) => {
        for (const [name, pem] of Object.entries(certificate)) writeFileSync(join(machine.root, "root/tls", name), pem);
        await machine.sh("install -D -t /etc/peyk/tls -g peyk -m 0640 /root/tls/*");
      };
      const isServed = (host: string) =>
        machine.until(
          `curl -sf --cacert /root/tls/cert --resolve ${host}:8080:127.0.0.1 https://${host}:8080/healthz`,
          5_000,
        );
      await machine.sh("mkdir /root/tls");
      await install(selfSigned("first.example"));
      await machine.sh(
        'printf \'[tls]\ncert_file = "/etc/peyk/tls/cert"\nkey_file = "/etc/peyk/tls/key"\n\' >/etc/peyk/peyk.toml; systemctl restart peyk',
      );
      await isServed("first.example");
      const before = await machine.sh("systemctl show peyk --property=MainPID");
      await install(selfSigned("renewed.example"));
      await machine.sh("systemctl reload peyk");
      await isServed("renewed.example");
      await machine.sh("echo nothing >/etc/peyk/tls/cert");
      expect((await machine.run("systemctl reload peyk")).code).not.toBe(0);
      await machine.until("journalctl -u peyk -o cat --no-pager -n 20 | grep 'holds no PEM certificate'", 60_000);
      await isServed("renewed.example");
      expect(await machine.sh("systemctl show peyk --property=MainPID")).toBe(before);
      await machine.sh(": >/etc/peyk/peyk.toml; rm -r /etc/peyk/tls; systemctl restart peyk");
    },
    slow,
  );

  test(
    "starts with a new key file that seals what is stored, and not with the old one",
    async () => {
      const route = { host: "127.0.0.1", port: 1, systemId: "peyk", passwordFile: "password" };
      writeFileSync(join(machine.root, "root/route.json"), JSON.stringify(route));
      await machine.sh(
        "echo hunter2 >/root/password; chmod 600 /root/password; peyk route add silent --kind smpp --config /root/route.json",
      );
      const before = await machine.sh("cat /etc/peyk/secret.key");
      const refused = await machine.run("peyk secret rotate");
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is in use by another peyk process") });
      expect(await machine.sh("cat /etc/peyk/secret.key")).toBe(before);
      await machine.sh("systemctl stop peyk");
      const { file, resealed, unreadable, kept } = JSON.parse(await machine.sh("peyk secret rotate --json"));
      expect({ file, unreadable }).toEqual({ file: "/etc/peyk/secret.key", unreadable: 0 });
      expect(resealed).toBeGreaterThan(0);
      expect(await machine.sh(`cat ${kept}`)).toBe(before);
      expect(await machine.sh("cat /etc/peyk/secret.key")).toMatch(/^[0-9a-f]{64}$/);
      const modes = await machine.sh(`stat -c '%a %U:%G' /etc/peyk/secret.key ${kept} /var/lib/peyk/peyk.db`);
      expect(modes.split("\n")).toEqual(["600 root:root", "600 root:root", "600 peyk:peyk"]);
      await machine.sh("systemctl start peyk && customer 151 155");
      await allSent(machine);
      await machine.sh(
        `systemctl stop peyk; mv /etc/peyk/secret.key /root/new.key && cp -p ${kept} /etc/peyk/secret.key`,
      );
      expect((await machine.run("timeout 10 systemctl start peyk")).code).not.toBe(0);
      await machine.until("journalctl -u peyk -o cat --no-pager -n 20 | grep 'secret.key'", 60_000);
      await machine.sh(
        `systemctl stop peyk; mv /root/new.key /etc/peyk/secret.key && rm ${kept} && systemctl start peyk`,
      );
      await machine.sh("peyk route remove silent");
    },
    slow,
  );

  test(
    "serves with everything it had after a reboot of the machine",
    async () => {
      await machine.reboot();
      await machine.until("curl -sf http://127.0.0.1:8080/healthz", 60_000);
      await machine.sh("customer 201 205");
      await allSent(machine);
    },
    slow,
  );

  test(
    "has the same messages when restored after a purge from a backup that outlived it",
    async () => {
      const messages = "sqlite3 -readonly /var/lib/peyk/peyk.db 'SELECT count(*), sum(rowid) FROM message'";
      const before = await machine.sh(messages);
      await machine.sh(
        "peyk backup create /root/backup.db && peyk backup verify /root/backup.db && cp -p /etc/peyk/secret.key /root/",
      );
      await machine.sh("sh /builds/install.sh --purge --yes");
      expect(await machine.sh("sh /builds/install.sh /builds/peyk")).toContain("Your first message");
      expect(await machine.sh(messages)).toStartWith("0|");
      await machine.sh(
        "systemctl stop peyk && peyk backup restore /root/backup.db && cp -p /root/secret.key /etc/peyk/ && systemctl start peyk",
      );
      expect(await machine.sh(messages)).toBe(before);
      await allSent(machine);
    },
    slow,
  );

  test(
    "leaves messages, settings and key when uninstalled, and continues with them when installed again",
    async () => {
      const kept =
        "sha256sum /etc/peyk/secret.key; sqlite3 -readonly /var/lib/peyk/peyk.db 'SELECT count(*) FROM message'";
      const before = await machine.sh(kept);
      expect(await machine.sh("sh /builds/install.sh --uninstall")).toContain("are kept");
      expect(
        (await machine.run("systemctl cat peyk.service || command -v peyk || ls /usr/local/lib/peyk")).code,
      ).not.toBe(0);
      expect(await machine.sh(kept)).toBe(before);
      await machine.sh("sh /builds/install.sh /builds/peyk");
      await allSent(machine);
    },
    slow,
  );

  test(
    "requires a confirmation for a purge, and keeps the nightly backups with their key where it says",
    async () => {
      const asked = await machine.run("sh /builds/install.sh --purge");
      expect(asked).toMatchObject({ code: 1, err: expect.stringContaining("If you mean it: --purge --yes.") });
      await machine.sh(
        "peyk status && setpriv --reuid peyk --regid peyk --clear-groups mkdir -p /var/lib/peyk/backups",
      );
      await machine.sh("peyk backup create /var/lib/peyk/backups/peyk-monday.db && cp /etc/peyk/secret.key /root/");
      const kept = /are kept in (\S+)\./.exec(await machine.sh("sh /builds/install.sh --purge --yes"))?.[1];
      expect(kept).toMatch(/^\/var\/lib\/peyk-backups-\d{14}$/);
      const left = await machine.sh(`cd ${kept} && find . -type f -printf '%u %P\\n' | sort; stat -c '%a %U' .`);
      expect(left.split("\n")).toEqual(["root backups/peyk-monday.db", "root secret.key", "700 root"]);
      expect((await machine.run("ls /var/lib/peyk")).code).not.toBe(0);
      await machine.sh(`cmp ${kept}/secret.key /root/secret.key`);
      await machine.sh("sh /builds/install.sh /builds/peyk");
      await machine.sh(
        `systemctl stop peyk && peyk backup restore ${kept}/backups/peyk-monday.db && cp -p ${kept}/secret.key /etc/peyk/ && systemctl start peyk`,
      );
      await allSent(machine);
      await machine.sh(`rm -r ${kept}`);
    },
    slow,
  );

  test(
    "leaves nothing on the machine when purged",
    async () => {
      await machine.sh("sh /builds/install.sh --purge --yes");
      const left = await machine.sh(
        "find /etc /usr/local /var /run -xdev -name '*peyk*' ! -path '/var/log/*' ! -name 'peyk-install.lock' || true",
      );
      expect(left.split("\n").filter((path) => path !== "" && !path.startsWith("/usr/local/sbin/"))).toEqual([]);
      expect((await machine.run("getent passwd peyk || getent group peyk")).code).not.toBe(0);
      expect((await machine.run("sh /builds/install.sh --uninstall")).code).toBe(0);
    },
    slow,
  );

  test(
    "contains the installer of the repository",
    async () => {
      const child = Bun.spawn([join(builds(), "peyk"), "system", "file", "install.sh"], { stdout: "pipe" });
      expect(await new Response(child.stdout).text()).toBe(readFileSync(join(root, "install.sh"), "utf8"));
    },
    slow,
  );
});
