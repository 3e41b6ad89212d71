/** Which node could take over from one that cannot serve. */
import { portedFilesIn } from "../platform/ported-files.ts";
import type { Difference, NodeState } from "./engine.ts";

/** A node that was heard of this recently runs. */
const heardMs = 10_000;

/** Its pages differ from the leader's, and the log does not prove them right. */
export const isBarred = (differs: Difference | null): boolean => differs !== null && differs.wrong !== "leader";

/** The name of the node that is furthest along, of those that run, can write, have no older version and lack no file; null for none. */
export function ablest(nodes: readonly Omit<NodeState, "instance">[], leader: string): string | null {
  const newest = Math.max(...nodes.map(({ schema }) => schema));
  const needed = nodes.find(({ name }) => name === leader)?.ported ?? null;
  const able = nodes.filter(
    ({ name, seenMsAgo, schema, canWrite, heldBy, differs, ported }) =>
      name !== leader &&
      seenMsAgo < heardMs &&
      schema === newest &&
      canWrite === true &&
      heldBy === null &&
      !isBarred(differs) &&
      (needed === null || ported === needed),
  );
  const [first] = able.toSorted((one, other) => other.position - one.position);
  return first?.name ?? null;
}

/** `wanted` if it is there, or the only one; a name that is there may still hold what it should not, which a start finds. */
export function portedIn(folder: string, wanted: string | null): string | null {
  const there = portedFilesIn(folder);
  return there.find((name) => name === wanted || there.length === 1) ?? null;
}

/** Why a node may not follow the last leader, whose file of ported numbers it has not; null if it may. */
export function lacksPorted(
  nodes: readonly Pick<NodeState, "name" | "ported">[],
  leader: string | null,
  { folder, name }: { folder: string; name: string },
): string | null {
  const needed = nodes.find((node) => node.name === leader && node.name !== name)?.ported ?? null;
  if (needed === null || portedFilesIn(folder).includes(needed)) return null;
  return `this node does not take over: it has not the leader's table of ported numbers, ${needed}. Bring that file into ${folder}; if ${leader} is gone for good: peyk cluster forget ${leader}`;
}
