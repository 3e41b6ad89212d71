import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { otherBuild } from "../support/builds.ts";
import type { Machine } from "../support/machine.ts";
import { onMachine, root, slow } from "./on-machine.ts";
import { acceptedIn, allSent, customerIn } from "./sending.ts";

const opening = {
  async prepare(builds: string) {
    await otherBuild(join(builds, "good"), (sources) => {
      sources.version("9.1.0");
      sources.migration("more", "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;");
      sources.change("systemd/peyk.service", "RestartSec=1", "RestartSec=2");
    });
    await otherBuild(join(builds, "failing"), (sources) => {
      sources.version("9.2.0");
      sources.migration("renames", "UPDATE account SET name = 'SPOILT';");
      sources.migration("fails", "INSERT INTO no_such_table VALUES (1);");
      sources.change("systemd/peyk.service", "RestartSec=1", "RestartSec=7");
    });
    await otherBuild(join(builds, "mute"), (sources) => {
      sources.version("9.3.0");
      sources.migration("renames", "UPDATE account SET name = 'SPOILT';");
      sources.change("src/server/server.ts", "  serving = true;", "  await new Promise(() => {});\n  serving = true;");
    });
  },
  async begin(machine: Machine) {
    await machine.sh("sh /builds/install.sh /builds/peyk");
    await customerIn(machine);
    await machine.sh("customer 1 10");
  },
};

onMachine("an upgrade", opening, ({ machine }) => {
  const database = "/var/lib/peyk/peyk.db";
  const facts = async () => ({
    version: await machine.sh("peyk version"),
    program: await machine.sh("sha256sum </usr/local/bin/peyk"),
    schema: await machine.sh(`sqlite3 -readonly ${database} 'SELECT max(number) FROM migration'`),
    accounts: await machine.sh(`sqlite3 -readonly ${database} 'SELECT group_concat(name) FROM account'`),
  });
  /** What the lines of the documentation need for a downgrade, by its content. */
  const wayBack = () =>
    machine.sh(
      "cd / && find var/lib/peyk/before-upgrade* usr/local/lib/peyk/peyk.previous* -type f | xargs -r sha256sum",
    );
  /** Sends while `line` runs, and returns its output. */
  const whileSending = async (first: number, line: string) => {
    const before = await acceptedIn(machine);
    const sending = machine.sh(`customer ${first} ${first + 99}`);
    const ran = await machine.run(line);
    await sending;
    expect(await acceptedIn(machine)).toBeGreaterThan(before);
    return ran;
  };

  test(
    "to a build whose migration fails rolls back binary and database, and loses nothing",
    async () => {
      const before = await facts();
      const { code, out } = await whileSending(100, "sh /builds/install.sh /builds/failing");
      expect(code).toBe(1);
      expect(out).toContain("fails) failed and was undone");
      expect(out).toContain("Going back to Peyk 0.1.0");
      expect(out).toContain("serves again, with the database of before. Nothing was lost.");
      expect(await facts()).toEqual(before);
      expect(await wayBack()).toBe("");
      expect(await machine.sh("systemctl show peyk --property=RestartUSec --value")).toBe("1s");
      await machine.sh("customer 90 95");
      await allSent(machine);
    },
    slow,
  );

  test(
    "to a build that never becomes ready rolls back when its time is over",
    async () => {
      const before = await facts();
      const { code, out } = await whileSending(300, "peyk upgrade /builds/mute --wait 3");
      expect(code).toBe(1);
      expect(out).toContain("did not become ready (it had 3 s)");
      expect(await facts()).toEqual(before);
      await allSent(machine);
    },
    slow,
  );

  test(
    "that is interrupted rolls back as well",
    async () => {
      const before = await facts();
      const { out } = await whileSending(
        500,
        `sh /builds/install.sh /builds/mute & installer=$!
        until [ -e /usr/local/lib/peyk/switching ] && [ "$(systemctl is-active peyk)" = activating ]; do sleep 0.05; done
        kill -TERM $installer; wait $installer`,
      );
      expect(out).toContain("The upgrade was interrupted. Going back to Peyk 0.1.0");
      expect(await facts()).toEqual(before);
      await allSent(machine);
    },
    slow,
  );

  test(
    "as a dry run changes nothing",
    async () => {
      const before = await facts();
      expect(await machine.sh("peyk upgrade --dry-run /builds/good")).toContain("Nothing was changed.");
      expect(await facts()).toEqual(before);
    },
    slow,
  );

  test(
    "to a good build takes over with its migration and its unit, and loses nothing",
    async () => {
      const before = await facts();
      const { code, out } = await whileSending(700, "peyk upgrade /builds/good");
      expect({ code, ready: out.includes("Peyk 9.1.0 is ready and serves.") }).toEqual({ code: 0, ready: true });
      const after = await facts();
      expect(after.version).toContain("9.1.0");
      expect(Number(after.schema)).toBe(Number(before.schema) + 1);
      expect(await machine.sh("systemctl show peyk --property=RestartUSec --value")).toBe("2s");
      await machine.sh("customer 80 85");
      await allSent(machine);
    },
    slow,
  );

  test(
    "to an older build is refused while running, and to a failing one rolls back, both with the way back kept",
    async () => {
      const before = await facts();
      const kept = await wayBack();
      expect(kept.split("\n")).toHaveLength(2);
      const process = () => machine.sh("systemctl show peyk --property=MainPID --value");
      const serving = await process();
      const refused = await whileSending(900, "peyk upgrade /builds/peyk");
      expect(refused.code).toBe(1);
      expect(refused.err).toMatch(/written by a newer Peyk \(its schema is \d+, 0\.1\.0.* knows \d+\)/);
      expect(await process()).toBe(serving);
      expect(await wayBack()).toBe(kept);
      const failed = await whileSending(1_000, "sh /builds/install.sh /builds/failing");
      expect(failed.out).toContain("Going back to Peyk 9.1.0");
      expect(await facts()).toEqual(before);
      expect(await wayBack()).toBe(kept);
      await allSent(machine);
    },
    slow,
  );

  test(
    "is undone by the documented commands, back to the previous database",
    async () => {
      const page = readFileSync(join(root, "docs/upgrade.md"), "utf8");
      const lines = /To downgrade across a migration[^`]*```sh\n([^`]*)```/.exec(page)?.[1]?.replaceAll("sudo ", "");
      expect(lines).toContain("backup restore");
      await machine.sh(`set -e\n${lines}`);
      expect((await facts()).version).toContain("0.1.0");
      expect(await machine.sh("ls /var/lib/peyk/ | grep -c before-restore")).toBe("1");
      await machine.sh("peyk upgrade /builds/good");
      expect((await facts()).version).toContain("9.1.0");
      // Messages accepted by the newer build are in the database that was kept, as the documentation says.
      await machine.sh(": >/root/accepted; customer 60 65");
      await allSent(machine);
    },
    slow,
  );

  test(
    "of a stopped service to an older build is refused by the newer database, and rolls back to the newer build",
    async () => {
      const before = await facts();
      await machine.sh("systemctl stop peyk");
      const { code, out } = await machine.run("sh /builds/install.sh /builds/peyk");
      expect(code).toBe(1);
      expect(out).toContain("This database was written by a newer Peyk");
      expect(out).toContain("Going back to Peyk 9.1.0");
      expect(await facts()).toEqual(before);
      await allSent(machine);
    },
    slow,
  );

  test(
    "that a power cut interrupted keeps the way back of the previous upgrade",
    async () => {
      await machine.sh(
        "systemctl stop peyk; touch /usr/local/lib/peyk/switching; mkdir -p /var/lib/peyk/before-upgrade; echo old >/var/lib/peyk/before-upgrade/peyk.db",
      );
      await machine.sh("sh /builds/install.sh /builds/good");
      expect(await machine.sh("cat /var/lib/peyk/before-upgrade.broken-off.*/peyk.db")).toBe("old");
      await allSent(machine);
    },
    slow,
  );
});
