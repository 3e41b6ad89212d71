/** Connections to PostgreSQL: the address names one or more hosts, and the one that accepts writes is used. */
import { SQL } from "bun";
import { errorMessage } from "../platform/error-code.ts";
import { EngineUnavailable, type SessionOptions } from "./engine.ts";
import { impatience } from "./impatience.ts";

/** The oldest supported version. */
export const postgresVersionMin = 15;

const connectSeconds = 3;
/** Must be longer than that. */
const openMsMax = 5_000;
/**
 * A connection has this long for its first answer, however long it took to open. With 200 ms to PostgreSQL each way
 * opening takes 0.8 to 2 s and the first renewal of a lease 0.8 s: counted together, each was ended before its answer.
 */
const firstAnswerMsMax = 1_500;
/** How long the server waits for a silent client before dropping it, in milliseconds. */
const silentClientMs = 10_000;

/** `postgres://user:password@host1:5432,host2:5432/database`. Null if malformed. */
export function engineAddresses(text: string): string[] | null {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]+)(\/[^/?]+(?:\?.*)?)$/.exec(text.trim());
  const [, head = "", hosts = "", tail = ""] = parts ?? [];
  if (parts === null) return null;
  const all = hosts.split(",").map((host) => `${head}${host}${tail}`);
  return all.every((one) => (URL.parse(one)?.hostname ?? "") !== "") ? all : null;
}

type Row = Readonly<Record<string, unknown>>;

/** One connection, opened by the first statement and reopened after it breaks. Statements run one at a time. */
export class PostgresConnection {
  #sql: Promise<SQL> | null = null;
  /** When opening began, monotonic; null once open. */
  #openingSince: number | null = null;
  readonly #opening = new Set<SQL>();
  #openedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly addresses: readonly string[],
    private readonly options: SessionOptions,
  ) {}

  /** @throws EngineUnavailable if no host accepts writes, otherwise PostgreSQL's error */
  async rows(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    this.#sql ??= this.#open();
    const opening = this.#sql;
    const { patience } = this.options;
    const unanswered = patience && impatience(patience.clock, patience.answerMsMax, () => this.reconnect());
    try {
      const sql = await opening;
      return [...(await sql.unsafe<Row[]>(text, [...values]))];
    } catch (reason) {
      if (this.#sql === opening && !isAnswer(reason)) this.#sql = null;
      throw reason;
    } finally {
      unanswered?.cancel();
    }
  }

  async row(text: string, values: readonly unknown[] = []): Promise<Row | null> {
    return (await this.rows(text, values))[0] ?? null;
  }

  /**
   * Ends the connection without waiting for a running statement, which the server completes. A connection that is still
   * opening gets its full time: giving up on a dead host takes some seconds, and another host may answer meanwhile.
   * So does the first statement.
   */
  reconnect(): void {
    const now = performance.now();
    if (this.#openingSince !== null && now - this.#openingSince < openMsMax) return;
    if (this.#openingSince === null && now - this.#openedAt < firstAnswerMsMax) return;
    const opened = this.#sql;
    this.#sql = null;
    // A host that vanished after it took the connection would be waited for until TCP gives up.
    for (const sql of this.#opening) void endOf(sql);
    void opened?.then(endOf).catch(() => {});
  }

  async close(): Promise<void> {
    const opened = this.#sql;
    this.#sql = null;
    await opened?.then(endOf).catch(() => {});
  }

  /** Tries all hosts at once and keeps the first that accepts writes. */
  async #open(): Promise<SQL> {
    this.#openingSince = performance.now();
    try {
      const opening = this.addresses.map((address) => this.#openAt(address));
      const first = await Promise.any(opening);
      this.#openedAt = performance.now();
      for (const one of opening) void one.then((sql) => (sql === first ? undefined : endOf(sql))).catch(() => {});
      return first;
    } catch (reason) {
      const refusals = reason instanceof AggregateError ? reason.errors.map(errorMessage) : [errorMessage(reason)];
      throw new EngineUnavailable(`No PostgreSQL takes the cluster's log: ${refusals.join("; ")}`);
    } finally {
      this.#openingSince = null;
    }
  }

  async #openAt(address: string): Promise<SQL> {
    const sql = new SQL(address, {
      max: 1,
      idleTimeout: 0,
      connectionTimeout: connectSeconds,
      connection: {
        application_name: this.options.name,
        synchronous_commit: this.options.isReplicated ? "on" : "local",
        idle_in_transaction_session_timeout: silentClientMs,
        tcp_user_timeout: silentClientMs,
        client_min_messages: "error",
      },
    });
    this.#opening.add(sql);
    try {
      const why = refusalIn(await sql.unsafe<Row[]>(stateQuery));
      if (why === null) return sql;
      throw new EngineUnavailable(why);
    } catch (reason) {
      await endOf(sql);
      throw new EngineUnavailable(`${hostOf(address)} ${errorMessage(reason)}`);
    } finally {
      this.#opening.delete(sql);
    }
  }
}

const endOf = (sql: SQL): Promise<void> => sql.close({ timeout: 0 }).catch(() => {});

const stateQuery =
  "SELECT current_setting('server_version_num')::int / 10000 AS version, pg_is_in_recovery() AS follows, " +
  "current_setting('default_transaction_read_only') AS read_only";

/** Why this PostgreSQL cannot hold a log; null if it can. */
export function refusalIn([state]: readonly Row[]): string | null {
  const version = Number(state?.version ?? 0);
  if (version < postgresVersionMin) return `is PostgreSQL ${version}; ${postgresVersionMin} is needed`;
  if (state?.follows === true) return "is a standby";
  return state?.read_only === "on" ? "is read-only" : null;
}

const hostOf = (address: string): string => new URL(address).host;

/** The table does not exist: it was dropped, or never created. */
export const isMissingTable = (reason: unknown): boolean => sqlState(reason) === "42P01";

/** True if PostgreSQL itself answered, so the connection works: SQLSTATE has five characters, and 57… ends sessions. */
function isAnswer(reason: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(sqlState(reason)) && !/^(57P|08)/.test(sqlState(reason));
}

const sqlState = (reason: unknown): string => (reason instanceof SQL.PostgresError ? (reason.errno ?? "") : "");

/** @throws EngineUnavailable for a value of another type, which only another program can have written */
export function bytesIn(row: Row, name: string): Uint8Array {
  const value = row[name];
  if (value instanceof Uint8Array) return value;
  throw new EngineUnavailable(`The cluster's log holds no ${name} where one belongs`);
}

export const numberIn = (row: Row, name: string): number => Number(row[name]);
export const optionalNumberIn = (row: Row, name: string): number | null =>
  row[name] == null ? null : Number(row[name]);
export const optionalTextIn = (row: Row, name: string): string | null => {
  const value = row[name];
  return typeof value === "string" ? value : null;
};
