/**
 * One operation of the operator's side: a declaration from which its route, its check, its scope and its audit are made.
 *
 * To add one, write an entry in the table of its resource (`keys.ts`): `reads({…})` for what changes nothing, `changes({…})` for
 * what does. Its name is method and path, as `api("POST /keys/:id/rotate", { id })` calls it from a command or a page. A table
 * that is new is added to `operations.ts`.
 */
import type { Static, TObject, TProperties } from "@sinclair/typebox";
import type { ConsoleAction } from "../domain/roles.ts";
import type { AuditedState } from "../store/audit.ts";
import type { OperatorCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";

export type Fields = Readonly<Record<string, unknown>>;
type InputOf<Properties extends TProperties> = Static<TObject<Properties>>;

/** A file that is sent along, read whole or as it comes; `stream` is null where none was sent. */
export interface SentFile {
  bytes(): Promise<Uint8Array>;
  stream(): ReadableStream<Uint8Array> | null;
}

export interface OperationCall {
  caller: OperatorCaller;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  file: SentFile;
}

/**
 * What an operation is for a customer: `none`, it is not there; `account`, the customer's account is written into the field of this
 * name, whatever it held. A function gives the account that owns what the input names, and another's is told like one that does not exist.
 */
export type Scope = "none" | "account" | ((input: Fields, deps: OperatorDeps) => number | null);

/** What the audit says of a change. */
export interface Audit<Input, Answer> {
  /** Thing and verb: `account.suspend`. */
  action: string;
  /** What is changed, as commands name it. `answer`: what is known of it; empty before the change. */
  target(input: Input, answer: Fields): string;
  /** How it stands, without secrets and without times that every change moves; null where it does not exist. */
  state?(deps: OperatorDeps, input: Input, answer: Fields): AuditedState | null;
  /** What is told beside the state, or of a change that leaves none. Of a streamed answer: by its end. */
  told?(input: Input, answer: Answer extends StreamedAnswer<infer End> ? End : Answer): AuditedState;
  /** It changes nothing in the store, and must work where the store cannot write: its entry then stands in the log. */
  needsNoStore?: true;
}

interface Declaration<Properties extends TProperties, Answer> {
  /** Who may, of the console's users. Whoever opens the socket may do everything. */
  may: ConsoleAction;
  scope: Scope;
  /** All that it takes, wherever it stands in a request: path, query or JSON. */
  input: Properties;
  run(deps: OperatorDeps, input: InputOf<Properties>, call: OperationCall): Answer;
}

interface ChangeDeclaration<Properties extends TProperties, Answer> extends Declaration<Properties, Answer> {
  audit: Audit<InputOf<Properties>, Awaited<Answer>>;
  /** The body is a file. */
  takesFile?: true;
  /** False for a call that only tries. */
  isChange?(input: InputOf<Properties>): boolean;
}

interface ReadDeclaration<Properties extends TProperties, Answer> extends Declaration<Properties, Answer> {
  takesFile?: true;
}

/** As the service runs it, whatever it takes and answers. */
export interface OperatorOperation {
  may: ConsoleAction;
  scope: Scope;
  input: TProperties;
  takesFile?: true;
  audit?: Audit<Fields, unknown>;
  isChange?(input: Fields): boolean;
  run(deps: OperatorDeps, input: Fields, call: OperationCall): unknown;
}

// In a declaration `audit` stands behind `run`: the compiler knows the answer from there on.
export const reads = <Properties extends TProperties, Answer>(declared: ReadDeclaration<Properties, Answer>) =>
  declared;
export const changes = <Properties extends TProperties, Answer>(declared: ChangeDeclaration<Properties, Answer>) =>
  declared;

/** An answer that is written while it is read. */
export class StreamedAnswer<End = unknown> {
  constructor(
    readonly type: string,
    readonly body: ReadableStream<Uint8Array>,
    /** Of a change, how it ended: its answer has only begun when it is given. */
    readonly ended?: Promise<End>,
  ) {}
}

export const methodOf = (name: string) => name.slice(0, name.indexOf(" "));
export const pathOf = (name: string) => name.slice(name.indexOf(" ") + 1);

/** The text of a field; undefined where it has none. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
