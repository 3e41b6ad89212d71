/** Which node could take over from one that cannot serve. */
import type { NodeState } from "./engine.ts";

/** A node that was heard of this recently runs. */
const heardMs = 10_000;

/** The name of the node that is furthest along, of those that run, can write and have no older version; null for none. */
export function ablest(nodes: readonly Omit<NodeState, "instance">[], leader: string): string | null {
  const newest = Math.max(...nodes.map(({ schema }) => schema));
  const able = nodes.filter(
    ({ name, seenMsAgo, schema, canWrite, heldBy }) =>
      name !== leader && seenMsAgo < heardMs && schema === newest && canWrite === true && heldBy === null,
  );
  const [first] = able.toSorted((one, other) => other.position - one.position);
  return first?.name ?? null;
}
