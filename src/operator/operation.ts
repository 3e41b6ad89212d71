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

/** A file sent with the request, read whole or as it arrives; `stream` is null if none was sent. */
export interface SentFile {
  bytes(): Promise<Uint8Array>;
  stream(): ReadableStream<Uint8Array> | null;
}

export interface OperationCall {
  caller: OperatorCaller;
  /** Aborted when nobody is waiting for the answer any more. */
  signal: AbortSignal;
  file: SentFile;
  /** Whether there is an operation of this name. */
  isOperation(name: string): boolean;
}

/**
 * An operation's scope for a customer, for whom one without a scope does not exist. `account`: the customer's account is
 * written into this field, whatever it contained. A function returns the account that owns what the input names; another
 * account's is treated as nonexistent.
 */
export type Scope = "account" | ((input: Fields, deps: OperatorDeps) => number | null);

/** What the audit records about a change. */
export interface Audit<Input, Answer> {
  /** Thing and verb: `account.suspend`. */
  action: string;
  /** What is changed, in the commands' notation. `answer`: the part that is known; empty before the change. */
  target(input: Input, answer: Fields): string;
  /** The current state, without secrets and without timestamps that every change updates; null if it does not exist. */
  state?(deps: OperatorDeps, input: Input, answer: Fields): AuditedState | null;
  /** Details in addition to the state, or for a change that leaves no state. Those of a streamed answer are known at its end. */
  told?(input: Input, answer: Answer extends StreamedAnswer<infer End> ? End : Answer): AuditedState;
  /** It changes nothing in the store, and must work if the store cannot write: its entry is then in the log. */
  needsNoStore?: true;
}

interface Declaration<Properties extends TProperties, Answer> {
  /** Which console users may call it. Whoever can open the socket may do everything. */
  may: ConsoleAction;
  scope?: Scope;
  /** All its fields, wherever they are in a request: path, query or JSON. */
  input?: Properties;
  run(deps: OperatorDeps, input: InputOf<Properties>, call: OperationCall): Answer;
}

interface ChangeDeclaration<Properties extends TProperties, Answer> extends Declaration<Properties, Answer> {
  audit: Audit<InputOf<Properties>, Awaited<Answer>>;
  /** The body is a file. */
  takesFile?: true;
  /** False for a call that is only a trial. */
  isChange?(input: InputOf<Properties>): boolean;
}

interface ReadDeclaration<Properties extends TProperties, Answer> extends Declaration<Properties, Answer> {
  takesFile?: true;
}

/** As the service runs it, whatever its input and answer. */
export interface OperatorOperation {
  may: ConsoleAction;
  scope?: Scope;
  input?: TProperties;
  takesFile?: true;
  audit?: Audit<Fields, unknown>;
  isChange?(input: Fields): boolean;
  run(deps: OperatorDeps, input: Fields, call: OperationCall): unknown;
}

type NoInput = Record<never, never>;

// In a declaration, `audit` comes after `run`: only from there on does the compiler know the answer's type.
export const reads = <Answer, Properties extends TProperties = NoInput>(
  declared: ReadDeclaration<Properties, Answer>,
) => declared;
export const changes = <Answer, Properties extends TProperties = NoInput>(
  declared: ChangeDeclaration<Properties, Answer>,
) => declared;

/** An answer written while it is read. */
export class StreamedAnswer<End = unknown> {
  constructor(
    readonly type: string,
    readonly body: ReadableStream<Uint8Array>,
    /** For a change, its outcome: when the answer is returned it has only begun. */
    readonly ended?: Promise<End>,
  ) {}
}

export const methodOf = (name: string) => name.slice(0, name.indexOf(" "));
export const pathOf = (name: string) => name.slice(name.indexOf(" ") + 1);

/** A field's text; undefined if it has none. */
export function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
