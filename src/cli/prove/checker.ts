/** Judges what a proof left, by its clients' own records: it reads the file alone, and shares no code with the service. */
import { Database } from "bun:sqlite";
import { copyFileSync } from "node:fs";

/** What the service has acknowledged to a client; every recipient that a client named is in one of them. */
export interface Acknowledged {
  code: string;
  /** Of this message alone, which has one part. */
  recipient: string;
  isCancelled: boolean;
}

/** What each message costs, and what was paid in. */
export const [price, topUp] = [7, 1_000_000_000];

const inTransit = "state IN ('ready', 'submitting', 'retry_wait', 'uncertain')";

/** Each answers with sentences about what is wrong. `told` is what clients were told. */
const ofStored = [
  "SELECT integrity_check AS found FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
  `SELECT code || ' was acknowledged and is lost' AS found FROM told
   LEFT JOIN message ON tracking_code = code AND message.recipient = told.recipient WHERE id IS NULL`,
  "SELECT recipient || ' has more messages than it was sent' AS found FROM message GROUP BY recipient HAVING count(*) > 1",
];

const ofEnded = [
  `SELECT recipient || ' has a message that nobody asked for' AS found FROM message
   WHERE recipient NOT IN (SELECT recipient FROM told)`,
  `SELECT code || ' was cancelled and is ' || state AS found FROM told JOIN message ON tracking_code = code
   WHERE isCancelled AND state <> 'cancelled'`,
  `SELECT tracking_code || ' never ended: it is ' || state AS found FROM message WHERE ${inTransit}`,
  `SELECT 'line ' || number || ' of the ledger does not add up' AS found FROM (
     SELECT *, row_number() OVER up AS line, sum(amount - captured) OVER up AS settled,
       sum(reserved - captured - released) OVER up AS held
     FROM ledger WHERE account_id IN (SELECT account_id FROM message) WINDOW up AS (ORDER BY number))
   WHERE (line, settled, held) <> (number, settled_after, reserved_after)`,
  `SELECT 'the ledger has charged ' || charged || ', and clients were told ' || due AS found FROM
     (SELECT sum(captured) AS charged, sum(reserved) AS held, sum(amount) AS paid FROM ledger
      WHERE account_id IN (SELECT account_id FROM message)),
     (SELECT ${price} * count(*) AS due FROM told WHERE NOT isCancelled)
   WHERE (charged, held, paid) <> (due, (SELECT ${price} * count(*) FROM told), ${topUp})`,
  `SELECT 'the quota has counted ' || sum(parts_used) AS found FROM quota
   HAVING sum(parts_used) <> (SELECT count(*) FROM told)`,
];

function answers(file: string, questions: readonly string[], told: readonly Acknowledged[]): string[] {
  using database = new Database(file, { readwrite: true, create: false });
  database.run("CREATE TEMP TABLE told (code, recipient, isCancelled)");
  database.run(
    "INSERT INTO told SELECT value ->> 'code', value ->> 'recipient', value ->> 'isCancelled' FROM json_each(?)",
    [JSON.stringify(told)],
  );
  return questions.flatMap((sql) =>
    database
      .query<{ found: string }, []>(sql)
      .all()
      .map(({ found }) => found),
  );
}

/** What is wrong in a file that no service has open, in sentences. */
export const findingsIn = (file: string, told: readonly Acknowledged[]): string[] =>
  answers(file, [...ofStored, ...ofEnded], told);

/** The same of a restored copy, by what was acknowledged before it was begun. */
export const missingIn = (file: string, told: readonly Acknowledged[]): string[] => answers(file, ofStored, told);

/** A carrier reports within this time, or never. */
const reportedMsMax = 5_000;
/** True while something waits to be handed over, answered, reported or told; a service may have the file open. */
export function isInTransit(file: string): boolean {
  using database = new Database(file, { readonly: true });
  const told = "SELECT 1 FROM delivery WHERE state IN ('waiting', 'held')";
  const sql = `SELECT 1 FROM message WHERE ${inTransit} OR (state = 'submitted' AND sent_at > ?) UNION ALL ${told} LIMIT 1`;
  return database.query(sql).get(Date.now() - reportedMsMax) !== null;
}

export interface Control {
  isRemovalFound: boolean;
  isAmountFound: boolean;
}

/** Does to copies of the file what must never happen, and looks whether it is found. */
export function controlOf(file: string, scratch: string, told: readonly Acknowledged[]): Control {
  const code = told[0]?.code ?? "";
  const after = (change: string): string[] => {
    copyFileSync(file, scratch);
    using database = new Database(scratch, { readwrite: true, create: false });
    database.run("PRAGMA foreign_keys = OFF");
    if (database.run(change).changes !== 1) return [];
    return findingsIn(scratch, told);
  };
  const removal = after(`DELETE FROM message WHERE tracking_code = '${code}'`);
  const amount = after("UPDATE ledger SET captured = captured + 1 WHERE number = (SELECT max(number) FROM ledger)");
  return {
    isRemovalFound: removal.includes(`${code} was acknowledged and is lost`),
    isAmountFound: amount.some((sentence) => sentence.includes("of the ledger does not add up")),
  };
}
