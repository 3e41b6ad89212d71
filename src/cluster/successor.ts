/** Which node could take over from one that cannot serve. */
import type { Difference, NodeState } from "./engine.ts";

/** A node that was heard of this recently runs. */
const heardMs = 10_000;

/** Its pages differ from the leader's, and the log does not prove them right. */
export const isBarred = (differs: Difference | null): boolean => differs !== null && differs.wrong !== "leader";

/** The name of the node that is furthest along, of those that run, can write and have no older version; null for none. */
export function ablest(nodes: readonly Omit<NodeState, "instance">[], leader: string): string | null {
  const newest = Math.max(...nodes.map(({ schema }) => schema));
  const able = nodes.filter(
    ({ name, seenMsAgo, schema, canWrite, heldBy, differs }) =>
      name !== leader &&
      seenMsAgo < heardMs &&
      schema === newest &&
      canWrite === true &&
      heldBy === null &&
      !isBarred(differs),
  );
  const [first] = able.toSorted((one, other) => other.position - one.position);
  return first?.name ?? null;
}
