/** Leaders that end while `peyk backup create` reads their database and is stopped: nothing may be missing in their files. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, type Load, type NodeProcess, succeeded } from "./cluster.ts";
import { eventually } from "./peyk-process.ts";

interface HeldCopy extends Disposable {
  pid: number;
  /** Resolves once it is made. */
  goOn(): Promise<void>;
}

/** Stopped as it writes to the file for the third time: it reads the database then. */
const stoppedAt = (file: string): string[] => [
  ...["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", file],
  ...["-e", "trace=pwrite64", "-e", "inject=pwrite64:signal=STOP:when=3"],
];

async function heldCopy(node: NodeProcess): Promise<HeldCopy> {
  const file = `${node.folder}.held-copy`;
  rmSync(file, { force: true });
  const child = node.begin(stoppedAt(`${file}.partial`), "backup", "create", file);
  const isStopped = () => /^State:\s+[Tt]/m.test(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  const hasWritten = () => Bun.file(`${file}.partial`).size > 0;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`No copy of ${node.name}: ${await new Response(child.stderr).text()}`);
    return hasWritten() && isStopped();
  });
  return {
    pid: child.pid,
    async goOn() {
      child.kill("SIGCONT");
      if ((await child.exited) !== 0) throw new Error(`The copy of ${node.name} failed`);
    },
    [Symbol.dispose]: () => child.kill("SIGKILL"),
  };
}

/** Who has the node's database open, as the other nodes are told. */
async function holderOf(node: NodeProcess, askedOf: NodeProcess): Promise<string | null> {
  const { nodes }: { nodes: { name: string; heldBy: string | null }[] } = JSON.parse(
    succeeded(await askedOf.run("cluster", "status", "--json")),
  );
  return nodes.find(({ name }) => name === node.name)?.heldBy ?? null;
}

/**
 * Both nodes in turn, by a stop and by a hand-over. `isWaitedFor`: false for a control whose nodes write beside the copy. Ends
 * with the second node as the leader.
 */
export async function endLeadersBesideCopies({ nodes }: Cluster, load: Load, isWaitedFor = true): Promise<void> {
  const [a, b] = nodes;
  if (a === undefined || b === undefined) throw new Error("there are two nodes");
  const rounds = [
    ["stop", a, b],
    ["stop", b, a],
    ["hand-over", a, b],
    ["hand-over", b, a],
    ["stop", a, b],
  ] as const;
  for (const [how, leader, follower] of rounds) {
    using copy = await heldCopy(leader);
    await load.acknowledges(20);
    if (how === "stop") await leader.stop();
    else succeeded(await leader.run("cluster", "hand-over"));
    if (!(await follower.leads())) throw new Error(`${follower.name} never led: ${follower.log.slice(-1_500)}`);
    await load.acknowledges(20);
    if (how === "stop") leader.start();
    const isHeld = async () => (await holderOf(leader, follower))?.endsWith(`(process ${copy.pid})`) === true;
    while (isWaitedFor && !(await isHeld())) await Bun.sleep(50);
    await copy.goOn();
    if (!(await leader.follows())) throw new Error(`${leader.name} never followed: ${leader.log.slice(-1_500)}`);
    while ((await holderOf(leader, follower)) !== null) await Bun.sleep(50);
  }
}

/** Both nodes stop and leave with all of the log. */
export async function haveEqualFiles(leader: NodeProcess, follower: NodeProcess): Promise<boolean> {
  for (const node of [follower, leader]) if (!node.hasExited) await node.stop();
  for (const node of [leader, follower]) succeeded(await node.run("cluster", "leave"));
  const [one, other] = [leader, follower].map(({ folder }) => readFileSync(join(folder, "peyk.db")));
  return one !== undefined && other !== undefined && one.equals(other);
}
