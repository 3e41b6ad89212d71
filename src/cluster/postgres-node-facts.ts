/**
 * What a node reports of itself beyond the first version's columns: one more column, so that a later version may add to
 * it without a change of the table.
 */
import type { NodeState } from "./engine.ts";
import { optionalTextIn, type PostgresConnection } from "./postgres-connection.ts";

export type NodeFacts = Pick<NodeState, "canWrite" | "heldBy" | "compared" | "differs" | "ported">;

const none: NodeFacts = { canWrite: null, heldBy: null, compared: null, differs: null, ported: null };

/** Adds the column to a log that an earlier version began. Only if it is lacking: adding it waits for every reader. */
export class FactsColumn {
  #isThere = false;

  constructor(private readonly connection: PostgresConnection) {}

  async require(): Promise<void> {
    if (this.#isThere) return;
    const found = await this.connection.row(
      "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('peyk_cluster.node') AND attname = 'facts'",
    );
    if (found === null)
      await this.connection.rows("ALTER TABLE peyk_cluster.node ADD COLUMN IF NOT EXISTS facts jsonb");
    this.#isThere = true;
  }
}

export const factsText = ({ canWrite, heldBy, compared, differs, ported }: NodeFacts): string =>
  JSON.stringify({ canWrite, heldBy, compared, differs, ported } satisfies NodeFacts);

/** Of a node whose version tells less, the rest is unknown. */
export function factsIn(row: Readonly<Record<string, unknown>>): NodeFacts {
  const text = optionalTextIn(row, "facts");
  const told: Partial<NodeFacts> = text === null ? {} : JSON.parse(text);
  return { ...none, ...told };
}
