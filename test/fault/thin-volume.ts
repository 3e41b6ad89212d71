/** A disk without room for new blocks although its file system has some: ext4 on a loop device over a sparse file. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const imageMib = 96;
const pageKib = 4;
const usualRequestKib = 1_280;

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString().trim()}`);
  return stdout.toString().trim();
}

/** `false`: the disk reports a partly written request as written. `true`: it reports what it could not write. */
type Honesty = boolean;

/** The loop driver reports a partly written request as written; if each is one page, none can be partly written. */
function attach(image: string, isHonest: Honesty): string {
  const device = run("losetup", "-f", "--show", image);
  // The kernel remembers the setting of a device that was in use before.
  writeFileSync(`/sys/block/${basename(device)}/queue/max_sectors_kb`, `${isHonest ? pageKib : usualRequestKib}`);
  return device;
}

const tools = ["losetup", "mkfs.ext4", "fstrim", "mount", "fallocate"];

/** Why such a disk is not possible here; null if it is. */
export function whyNoThinVolume(): string | null {
  if (process.getuid?.() !== 0) return "only root may mount";
  const missing = tools.filter((tool) => Bun.which(tool) === null);
  if (missing.length > 0) return `there is no ${missing.join(", ")}`;
  return existsSync("/dev/loop-control") ? null : "there are no loop devices";
}

/**
 * The sparse file is in a small memory file system, which `fill` leaves without room: existing blocks of the disk can
 * be written, new ones fail, as on a thin volume with an exhausted pool. The page cache, the failing write-back and the
 * file system's reaction are the kernel's own.
 */
export class ThinVolume implements Disposable {
  readonly #base: string;
  readonly #pool: string;
  readonly #isHonest: Honesty;
  #image: string;
  #device: string;
  /** The mount point. */
  path: string;

  constructor(isHonest: Honesty = true) {
    this.#isHonest = isHonest;
    this.#base = mkdtempSync(join(tmpdir(), "peyk-thin-"));
    this.#pool = join(this.#base, "pool");
    mkdirSync(this.#pool);
    run("mount", "-t", "tmpfs", "-o", `size=${imageMib + 8}m`, "tmpfs", this.#pool);
    this.#image = join(this.#pool, "disk.img");
    run("truncate", "-s", `${imageMib}M`, this.#image);
    run("mkfs.ext4", "-q", "-F", "-b", "4096", "-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", this.#image);
    // mkfs leaves holes where its journal will be.
    run("fallocate", "-l", `${imageMib}M`, this.#image);
    this.#device = attach(this.#image, isHonest);
    this.path = this.#mount();
    // The file system's own blocks stay; those for future files are returned to the pool.
    run("fstrim", this.path);
  }

  /** Takes everything left in the pool. */
  fill(): void {
    const block = new Uint8Array(4 * 1024);
    const filler = join(this.#pool, "filler");
    try {
      for (;;) writeFileSync(filler, block, { flag: "a" });
    } catch (reason) {
      if (!(reason instanceof Error && "code" in reason && reason.code === "ENOSPC")) throw reason;
    }
  }

  /** Returns this much of the room. */
  mendPartly(kib: number): void {
    const filler = join(this.#pool, "filler");
    truncateSync(filler, statSync(filler).size - kib * 1024);
  }

  /** Returns all of the room. */
  mend(): void {
    rmSync(join(this.#pool, "filler"), { force: true });
  }

  /** The power fails: data that the kernel had not written to the disk is gone. `path` is the same disk afterwards. */
  cut(): void {
    const after = join(this.#base, "after.img");
    copyFileSync(this.#image, after);
    this.#detach();
    this.#image = after;
    this.#device = attach(after, this.#isHonest);
    this.path = this.#mount();
  }

  [Symbol.dispose](): void {
    this.#detach();
    Bun.spawnSync(["umount", "--lazy", this.#pool]);
    rmSync(this.#base, { recursive: true, force: true });
  }

  #mount(): string {
    const path = mkdtempSync(join(this.#base, "mount-"));
    run("mount", "-o", "nodiscard", this.#device, path);
    return path;
  }

  #detach(): void {
    Bun.spawnSync(["umount", "--lazy", this.path]);
    Bun.spawnSync(["losetup", "-d", this.#device]);
  }
}
