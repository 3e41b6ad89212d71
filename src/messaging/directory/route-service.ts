/** What an operator does with routes. Their files are checked by the provider kind, and their secrets are sealed. */

import { invalidRequest, OperatorError, type OperatorProblem } from "../../domain/operator-error.ts";
import { type ProblemValues, problemOf, problemText } from "../../domain/operator-problem.ts";
import { isReceiveOnly } from "../../domain/receive-only.ts";
import { sandboxRouteName } from "../../domain/sandbox.ts";
import { senderLimitKey, takesSender } from "../../domain/sender-limit.ts";
import type { Sealer } from "../../platform/seal.ts";
import { routesOfPlan } from "../../store/plans.ts";
import type { NewRoute, RouteKind, RouteRow } from "../../store/routes.ts";
import type { SenderRow } from "../../store/senders.ts";
import type { Store, Tables } from "../../store/store.ts";
import { type Directory, defaultRouteName, type Route } from "./directory.ts";

type RouteFile = Readonly<Record<string, unknown>>;

/** What a provider kind knows of its route files. */
export interface RouteFileRules {
  /** Every problem of a whole file, secrets included; none when a provider can be made from it. */
  check(file: Readonly<Record<string, unknown>>): readonly OperatorProblem[];
  /** Top-level keys whose values are sealed and never shown. */
  secretKeys: readonly string[];
  /** Keys of a changed file that would send its secrets to another place, or in another way. */
  destinationChanges(before: RouteFile, after: RouteFile): readonly string[];
}

/** The kinds that this build can run. */
export type RouteKindRules = Readonly<Partial<Record<RouteKind, RouteFileRules>>>;

export interface RouteServiceDeps {
  store: Store;
  directory: Directory;
  clock: { now(): number };
  sealer: Sealer;
  kinds: RouteKindRules;
}

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export class RouteService {
  readonly #deps: RouteServiceDeps;

  constructor(deps: RouteServiceDeps) {
    this.#deps = deps;
  }

  async add(name: string, kind: RouteKind, file: RouteFile): Promise<Route> {
    const row = { name, kind, enabled: true, ...this.#columnsOf(kind, file), ...this.#createdNow() };
    return this.#commit((tables) => insertOrReplace(tables, row));
  }

  /**
   * Replaces the whole file. Secrets that the new one does not hold stay as they are, as long as it sends them to the same place
   * in the same way: whoever may change a route must not learn them by sending them to himself. Null takes one away.
   */
  update(name: string, file: RouteFile): Promise<Route> {
    return this.#change(name, (row, tables) => {
      refuseUnfitForSenders(tables, row, file);
      const secrets = this.#secretsOf(row);
      return this.#columnsOf(row.kind, { ...secrets, ...file }, this.#notNamedAgain(row, secrets, file));
    });
  }

  setEnabled(name: string, enabled: boolean): Promise<Route> {
    return this.#change(name, () => ({ enabled }));
  }

  /** A draining route takes no more messages; what it has is answered and reported. */
  setDraining(name: string, isDraining: boolean): Promise<Route> {
    const { clock } = this.#deps;
    return this.#change(name, (row) => ({ drainingSince: isDraining ? (row.drainingSince ?? clock.now()) : null }));
  }

  remove(name: string): Promise<Route> {
    return this.#change(name, (row, tables) => {
      const plans = tables.plans.all().filter((plan) => routesOfPlan(plan).includes(row.id));
      if (plans.length > 0) throw new OperatorError("route_in_use", planUsersSentence(plans.map((plan) => plan.name)));
      const senders = tables.senders.all().filter(({ removedAt }) => removedAt === null);
      const users = senders.filter((sender) => uses(tables, sender, row));
      if (users.length > 0) {
        throw new OperatorError("route_in_use", problemText({ code: "senders_use_route", values: usersTold(users) }));
      }
      const others = tables.routes.all().filter(({ removedAt, id }) => removedAt === null && id !== row.id);
      if (row.name !== sandboxRouteName && others.every((other) => other.name === sandboxRouteName))
        throw new OperatorError("last_route");
      return { removedAt: this.#deps.clock.now(), enabled: false };
    });
  }

  /** The whole file with its secrets, for the provider alone. Throws when the key file is not the one it was sealed with. */
  fileOf(route: Route): RouteFile {
    return { ...parseFile(route.options), ...this.#secretsOf(route) };
  }

  /** Where no route is configured, adds the simulator: it serves the senders that have no route of their own. */
  async ensureOne(): Promise<void> {
    if (this.#deps.directory.routes().every(({ name }) => name === sandboxRouteName)) {
      await this.#addSimulator(defaultRouteName);
    }
  }

  /** Where the sandbox is on, it has a simulator of its own. False where another kind of route has its name. */
  async ensureSandbox(): Promise<boolean> {
    const { directory } = this.#deps;
    if (directory.route(sandboxRouteName) === null) await this.#addSimulator(sandboxRouteName);
    return directory.sandboxRoutes().length > 0;
  }

  async #addSimulator(name: string): Promise<void> {
    const row = { name, kind: "simulator" as const, enabled: true, options: "{}", sealedSecrets: null };
    const created = this.#createdNow();
    await this.#commit((tables) => tables.routes.insert({ ...row, ...created }));
  }

  async #commit(change: (tables: Tables) => RouteRow): Promise<Route> {
    const route = await this.#deps.store.write(change);
    this.#deps.directory.putRoute(route);
    return route;
  }

  #change(name: string, to: (row: RouteRow, tables: Tables) => Partial<RouteRow>): Promise<Route> {
    return this.#commit((tables) => {
      const before = tables.routes.byName(name);
      if (before === null) throw new OperatorError("route_not_found");
      return tables.routes.update(before.id, { ...to(before, tables), updatedAt: this.#deps.clock.now() }) ?? before;
    });
  }

  /** Stored secrets that the file leaves out, though it would send them elsewhere. */
  #notNamedAgain(row: RouteRow, secrets: RouteFile, file: RouteFile): OperatorProblem[] {
    const left = Object.keys(secrets).filter((key) => !Object.hasOwn(file, key));
    const changed = this.#deps.kinds[row.kind]?.destinationChanges(parseFile(row.options), file) ?? [];
    return changed.length === 0 ? [] : left.map((key) => problemOf(key, "secret_again", { changed }));
  }

  /** The columns that hold a file: the options that may be shown, and the sealed secrets. */
  #columnsOf(
    kind: RouteKind,
    file: RouteFile,
    further: readonly OperatorProblem[] = [],
  ): Pick<RouteRow, "options" | "sealedSecrets"> {
    const rules = this.#deps.kinds[kind];
    if (rules === undefined) throw invalidRequest([{ key: "kind", message: `this build cannot run ${kind} routes` }]);
    const problems = [...rules.check(file), ...further];
    if (problems.length > 0) throw invalidRequest(problems);
    const isSecret = ([key]: [string, unknown]) => rules.secretKeys.includes(key);
    const secrets = Object.entries(file).filter((entry) => isSecret(entry) && entry[1] !== null);
    const shown = Object.entries(file).filter((entry) => !isSecret(entry));
    const sealed = secrets.length === 0 ? null : this.#deps.sealer.seal(JSON.stringify(Object.fromEntries(secrets)));
    return { options: JSON.stringify(Object.fromEntries(shown)), sealedSecrets: sealed && Buffer.from(sealed) };
  }

  #secretsOf(route: Route): RouteFile {
    return route.sealedSecrets === null ? {} : parseFile(this.#deps.sealer.open(route.sealedSecrets));
  }

  #createdNow() {
    const now = this.#deps.clock.now();
    return { createdAt: now, updatedAt: now, removedAt: null };
  }
}

/** The built-in simulator route is replaced as long as it was never changed. */
function insertOrReplace(tables: Tables, row: NewRoute): RouteRow {
  const before = tables.routes.byName(row.name);
  if (before === null) return tables.routes.insert(row);
  if (!isUntouchedDefault(before)) throw new OperatorError("route_exists");
  return tables.routes.update(before.id, row) ?? before;
}

/** A route's options as they are stored and may be shown. */
export function parseFile(json: string): RouteFile {
  const file: unknown = JSON.parse(json);
  if (typeof file !== "object" || file === null) throw new Error("A stored route file is no object");
  return Object.fromEntries(Object.entries(file));
}

export function isUntouchedDefault(route: Route): boolean {
  const untouched = route.updatedAt === route.createdAt && route.options === "{}" && route.enabled;
  return route.name === defaultRouteName && route.kind === "simulator" && untouched;
}

/** Senders with neither a route of their own nor a plan use the default one. */
function uses(tables: Tables, { routeIds, planId }: SenderRow, { id, name }: Route): boolean {
  if (routeIds.includes(id)) return true;
  if (planId === null) return routeIds.length === 0 && name === defaultRouteName;
  const plan = tables.plans.byId(planId);
  return plan !== null && routesOfPlan(plan).includes(id);
}

/** Of the senders that a refusal is about. */
const usersNamed = 5;

/** A limit must not surface as refusals of the carrier, nor a route that only receives as messages that wait. */
function refuseUnfitForSenders(tables: Tables, route: Route, file: RouteFile): void {
  const present = tables.senders.all().filter(({ removedAt }) => removedAt === null);
  const users = present.filter((sender) => uses(tables, sender, route));
  if (isReceiveOnly(file) && users.length > 0) {
    throw invalidRequest([problemOf("bind", "senders_use_route", usersTold(users))]);
  }
  const tooLong = users.filter(({ sender }) => !takesSender(file, sender)).map(({ sender }) => sender);
  if (tooLong.length === 0) return;
  throw invalidRequest([problemOf(senderLimitKey, "senders_longer", { senders: tooLong.slice(0, usersNamed) })]);
}

function planUsersSentence(plans: readonly string[]): string {
  return `Routing plans use this route: ${plans.join(", ")}. Remove its rules there first (peyk plan rule remove), or disable this one.`;
}

function usersTold(users: readonly SenderRow[]): ProblemValues["senders_use_route"] {
  const senders = users.slice(0, usersNamed).map(({ sender }) => sender);
  return { senders, more: users.length - senders.length };
}
