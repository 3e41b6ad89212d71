/**
 * Performs operations: checks caller and input, restricts customers to their account, audits, runs. Routes and pages
 * only call this.
 */

import { type TObject, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { customerRoles, roleMay } from "../domain/roles.ts";
import type { AuditedState } from "../store/audit.ts";
import { ChangeRecorder } from "./audit-recorder.ts";
import type { OperatorCaller } from "./caller.ts";
import type { AnswerOf, InputFor, OperationName } from "./client.ts";
import type { OperatorDeps } from "./deps.ts";
import { inputRefusal, refusalFor } from "./errors.ts";
import { declaredFieldOf } from "./field-schema.ts";
import { withoutRoutes } from "./for-customers.ts";
import { accountIdText } from "./ids.ts";
import {
  type Fields,
  methodOf,
  type OperationCall,
  type OperatorOperation,
  pathOf,
  type SentFile,
} from "./operation.ts";
import { operations } from "./operations.ts";
import { withoutTexts } from "./texts.ts";

const noFile: SentFile = { bytes: async () => new Uint8Array(), stream: () => null };
const neverAborted = new AbortController().signal;

type Also = Partial<Pick<OperationCall, "signal" | "file">>;

export interface DescribedChange {
  /** Thing and verb, as in the audit. */
  action: string;
  target: string;
  /** Of what would be changed; null if it does not exist. */
  state: AuditedState | null;
}

/** Only ever rejects with an OperatorError. */
export type Perform = <Name extends OperationName>(
  caller: OperatorCaller,
  name: Name,
  input?: InputFor<Name>,
  also?: Also,
) => Promise<AnswerOf<Name>>;

export class OperationPerformer {
  readonly #operations: ReadonlyMap<string, CheckedOperation>;
  readonly #recorder: ChangeRecorder;

  /** @throws Error where a declaration contradicts itself */
  constructor(private readonly deps: OperatorDeps) {
    const declared = Object.entries<OperatorOperation>(operations);
    this.#operations = new Map(declared.map(([name, one]) => [name, new CheckedOperation(name, one)]));
    this.#recorder = new ChangeRecorder(deps);
  }

  /** From the types of `operations`: the only place where a name determines its answer. */
  readonly perform: Perform = async (caller, name, input, also) =>
    (await this.performNamed(caller, name, input ?? {}, also)) as AnswerOf<typeof name>;

  readonly isOperation = (name: string): boolean => this.#operations.has(name);

  /**
   * What the audit would say of a change before it is made; null where nothing would be changed. @throws OperatorError as
   * the call would before it runs
   */
  described(caller: OperatorCaller, name: string, given: Fields): DescribedChange | null {
    const operation = this.#operations.get(name);
    if (operation === undefined) throw new OperatorError("not_found");
    const input = operation.inputFor(caller, given, this.deps);
    const { audit, isChange } = operation.declared;
    if (audit === undefined || isChange?.(input) === false) return null;
    const { action } = audit;
    return { action, target: audit.target(input, {}), state: audit.state?.(this.deps, input, {}) ?? null };
  }

  /** Whatever the request contained. */
  async performNamed(caller: OperatorCaller, name: string, given: Fields, also: Also = {}): Promise<unknown> {
    const deps = this.deps;
    const { signal = neverAborted, file = noFile } = also;
    try {
      const operation = this.#operations.get(name);
      if (operation === undefined) throw new OperatorError("not_found");
      const input = operation.inputFor(caller, given, deps);
      const { audit, isChange, run } = operation.declared;
      const forCaller = (answer: unknown) => (caller.accountId === null ? answer : withoutRoutes(answer));
      const work = () => run(deps, input, { caller, signal, file, isOperation: this.isOperation });
      if (audit === undefined || isChange?.(input) === false) {
        const answer = forCaller(await work());
        return operation.hidesTexts(caller, deps) ? withoutTexts(answer) : answer;
      }
      return forCaller(await this.#recorder.record({ audit, input, caller }, work));
    } catch (reason) {
      // Nobody is waiting for the answer any more, or its time limit has passed.
      if (signal.aborted && reason === signal.reason) throw new OperatorError("internal_error");
      deps.damage.found(reason);
      throw refusalFor(deps.log, reason);
    }
  }
}

class CheckedOperation {
  readonly declared: OperatorOperation;
  readonly #schema: TObject;
  /** Fields that no customer sets. */
  readonly #operatorsOwn: readonly string[];
  /** Created on the first call: all of them together take a few milliseconds. */
  #check: TypeCheck<TObject> | null = null;

  constructor(name: string, declared: OperatorOperation) {
    const problem = declarationProblem(name, declared);
    if (problem !== null) throw new Error(`${name} ${problem}`);
    this.declared = declared;
    this.#schema = Type.Object(declared.input ?? {});
    const fields = Object.entries(this.#schema.properties);
    this.#operatorsOwn = fields.flatMap(([field, schema]) =>
      declaredFieldOf(schema)?.may === "operator" ? [field] : [],
    );
  }

  hidesTexts({ role }: OperatorCaller, { facts }: OperatorDeps): boolean {
    const { may } = this.declared;
    return role === "support" && !facts.supportReadsTexts && (may === "messages.read" || may === "inbound.read");
  }

  /** @throws OperatorError */
  inputFor(caller: OperatorCaller, given: Fields, deps: OperatorDeps): Fields {
    const input = this.#scoped(caller, this.#known(given), deps);
    this.#check ??= TypeCompiler.Compile(this.#schema);
    if (!this.#check.Check(input)) throw inputRefusal(this.#check.Errors(input));
    const foreign = caller.accountId === null ? [] : this.#operatorsOwn.filter((name) => name in input);
    if (foreign.length > 0) throw invalidRequest(foreign.map((name) => problemOf(name, "not_allowed", {})));
    return input;
  }

  #scoped({ role, accountId }: OperatorCaller, input: Fields, deps: OperatorDeps): Fields {
    const { may, scope } = this.declared;
    if (role !== null && !roleMay(role, may)) throw new OperatorError("not_found");
    if (accountId === null) return input;
    if (asksOfCarriers(input)) throw new OperatorError("not_found");
    if (scope === "account") return { ...input, account: accountIdText(accountId) };
    if (scope === undefined || scope(input, deps) !== accountId) throw new OperatorError("not_found");
    return input;
  }

  /** Without fields that the operation does not know, and without undefined ones. */
  #known(given: Fields): Fields {
    const entries = Object.keys(this.#schema.properties).map((name) => [name, given[name]] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
}

/** Customers never see carriers, so no different answer may reveal which routes exist. */
const asksOfCarriers = ({ route, by }: Fields): boolean => route !== undefined || by === "route";

/** Null for a complete declaration. A missing audit does not compile, so it is not checked here. */
export function declarationProblem(name: string, { may, scope, input = {}, audit }: OperatorOperation): string | null {
  const isForCustomers = customerRoles.some((role) => roleMay(role, may));
  const missing = [...pathOf(name).matchAll(/:(\w+)/g)].find(([, field = ""]) => !(field in input));
  if (missing !== undefined) return `does not declare ${missing[0]} of its path among its input.`;
  if (methodOf(name) === "GET" && audit !== undefined) return "is a GET, and changes something.";
  if (isForCustomers === (scope === undefined))
    return `says by its scope something else than ${may} of the roles does.`;
  if (scope === "account" && !("account" in input)) return "binds a customer by the field account, and has none.";
  return null;
}
