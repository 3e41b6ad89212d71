/** Operator actions on routes. The provider kind checks their files, and their secrets are sealed. */

import { isChannel } from "../../domain/channel.ts";
import { invalidRequest, OperatorError, type OperatorProblem } from "../../domain/operator-error.ts";
import { problemOf } from "../../domain/operator-problem.ts";
import { isReceiveOnly } from "../../domain/receive-only.ts";
import { sandboxRouteName } from "../../domain/sandbox.ts";
import { senderLimitKey, takesSender } from "../../domain/sender-limit.ts";
import type { Sealer } from "../../platform/seal.ts";
import { routesOfPlan } from "../../store/plans.ts";
import type { NewRoute, RouteKind, RouteRow } from "../../store/routes.ts";
import type { SenderRow } from "../../store/senders.ts";
import type { Store, Tables } from "../../store/store.ts";
import { type Directory, defaultRouteName, type Route } from "./directory.ts";
import { assertUnused, sendersTold } from "./removed-senders.ts";

type RouteFile = Readonly<Record<string, unknown>>;

/** A provider kind's rules for its route files. */
export interface RouteFileRules {
  /** Every problem of a complete file, secrets included; empty if a provider can be built from it. */
  check(file: Readonly<Record<string, unknown>>): readonly OperatorProblem[];
  /** Top-level keys whose values are sealed and never shown. */
  secretKeys: readonly string[];
  /** Changed keys that would send the file's secrets to another place or in another way. */
  destinationChanges(before: RouteFile, after: RouteFile): readonly string[];
  /** Equal for two files whose carriers could not be told apart when they call; null if nobody calls. */
  calledAt(file: RouteFile): string | null;
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
  constructor(private readonly deps: RouteServiceDeps) {}

  async add(name: string, kind: RouteKind, file: RouteFile, enabled = true): Promise<Route> {
    const row = { name, kind, enabled, ...this.#columnsOf(kind, file), ...this.#createdNow() };
    return this.#commit((tables) => {
      this.#refuseCallsOfOther(tables, name, kind, file, null);
      return insertOrReplace(tables, row);
    });
  }

  /**
   * Replaces the whole file. Secrets missing from the new one are kept, provided they go to the same place in the same
   * way: whoever may change a route must not learn its secrets by redirecting them. Null removes a secret.
   */
  update(name: string, file: RouteFile): Promise<Route> {
    return this.#change(name, (row, tables) => {
      refuseUnfitForSenders(tables, row, file);
      const secrets = this.#secretsOf(row);
      const whole = { ...secrets, ...file };
      const columns = this.#columnsOf(row.kind, whole, this.#notNamedAgain(row, secrets, file));
      this.#refuseCallsOfOther(tables, name, row.kind, whole, this.fileOf(row));
      return columns;
    });
  }

  /**
   * A complete file for a trial, with its problems; nothing is stored. `name`: a stored route whose secrets fill in for
   * missing ones, provided they go to the same place.
   */
  fileToTry(kind: RouteKind, file: RouteFile, name: string | null): { file: RouteFile; problems: OperatorProblem[] } {
    const row = name === null ? null : this.deps.store.tables.routes.byName(name);
    const rules = this.deps.kinds[kind];
    if (rules === undefined) throw new OperatorError("invalid", { code: "other_route_kind", values: { kind } });
    const secrets = row === null || row.kind !== kind ? {} : this.#secretsOf(row);
    const whole = { ...secrets, ...file };
    const left = row === null || row.kind !== kind ? [] : this.#notNamedAgain(row, secrets, file);
    return { file: whole, problems: [...rules.check(whole), ...left] };
  }

  setEnabled(name: string, enabled: boolean): Promise<Route> {
    return this.#change(name, () => ({ enabled }));
  }

  /** A draining route takes no more messages; those it has are still answered and reported. */
  setDraining(name: string, isDraining: boolean): Promise<Route> {
    const { clock } = this.deps;
    return this.#change(name, (row) => ({ drainingSince: isDraining ? (row.drainingSince ?? clock.now()) : null }));
  }

  remove(name: string): Promise<Route> {
    return this.#change(name, (row, tables) => {
      const plans = tables.plans.all().filter((plan) => routesOfPlan(plan).includes(row.id));
      if (plans.length > 0)
        throw new OperatorError("route_in_use", {
          code: "plans_use_route",
          values: { plans: plans.map((plan) => plan.name) },
        });
      if (tables.otpSteps.plans().some(({ steps }) => steps.some(({ channel }) => channel === row.name)))
        throw new OperatorError("route_in_use", { code: "steps_use_route", values: {} });
      const users = tables.senders.all().filter((sender) => uses(tables, sender, row));
      assertUnused(tables, users, "route_in_use", "senders_use_route");
      const others = tables.routes.all().filter(({ removedAt, id }) => removedAt === null && id !== row.id);
      if (row.name !== sandboxRouteName && others.every((other) => other.name === sandboxRouteName))
        throw new OperatorError("last_route");
      return { removedAt: this.deps.clock.now(), enabled: false };
    });
  }

  /** The complete file with its secrets, for the provider only. Throws if it was sealed with a different key file. */
  fileOf(route: Route): RouteFile {
    return { ...parseFile(route.options), ...this.#secretsOf(route) };
  }

  /** If no route is configured, adds the simulator, which serves senders without routes of their own. */
  async ensureOne(): Promise<void> {
    if (this.deps.directory.routes().every(({ name }) => name === sandboxRouteName)) {
      await this.#addSimulator(defaultRouteName);
    }
  }

  /** The sandbox, if enabled, has its own simulator. False if another kind of route has its name. */
  async ensureSandbox(): Promise<boolean> {
    const { directory } = this.deps;
    if (directory.route(sandboxRouteName) === null) await this.#addSimulator(sandboxRouteName);
    return directory.sandboxRoutes().length > 0;
  }

  async #addSimulator(name: string): Promise<void> {
    const row = { name, kind: "simulator" as const, enabled: true, options: "{}", sealedSecrets: null };
    const created = this.#createdNow();
    await this.#commit((tables) => tables.routes.insert({ ...row, ...created }));
  }

  async #commit(change: (tables: Tables) => RouteRow): Promise<Route> {
    const route = await this.deps.store.write(change);
    this.deps.directory.putRoute(route);
    return route;
  }

  #change(name: string, to: (row: RouteRow, tables: Tables) => Partial<RouteRow>): Promise<Route> {
    return this.#commit((tables) => {
      const before = tables.routes.byName(name);
      if (before === null) throw new OperatorError("route_not_found");
      return tables.routes.update(before.id, { ...to(before, tables), updatedAt: this.deps.clock.now() }) ?? before;
    });
  }

  /** Stored secrets that are missing from the file although it would send them elsewhere. */
  #notNamedAgain(row: RouteRow, secrets: RouteFile, file: RouteFile): OperatorProblem[] {
    const left = Object.keys(secrets).filter((key) => !Object.hasOwn(file, key));
    const changed = this.deps.kinds[row.kind]?.destinationChanges(parseFile(row.options), file) ?? [];
    return changed.length === 0 ? [] : left.map((key) => problemOf(key, "secret_again", { changed }));
  }

  /** One of two routes would get the receipts of both. A stored pair can still be changed. */
  #refuseCallsOfOther(tables: Tables, name: string, kind: RouteKind, file: RouteFile, before: RouteFile | null): void {
    const calledAt = (one: RouteFile, of: RouteKind) => this.deps.kinds[of]?.calledAt(one) ?? null;
    const own = calledAt(file, kind);
    if (own === null || (before !== null && calledAt(before, kind) === own)) return;
    const isOther = (row: RouteRow) => row.removedAt === null && row.name !== name;
    const other = tables.routes.all().find((row) => isOther(row) && calledAt(this.fileOf(row), row.kind) === own);
    if (other !== undefined)
      throw invalidRequest([problemOf("callbackSecret", "calls_of_route", { route: other.name })]);
  }

  /** The columns that store a file: the public options and the sealed secrets. */
  #columnsOf(
    kind: RouteKind,
    file: RouteFile,
    further: readonly OperatorProblem[] = [],
  ): Pick<RouteRow, "options" | "sealedSecrets"> {
    const rules = this.deps.kinds[kind];
    if (rules === undefined) throw invalidRequest([problemOf("kind", "route_kind", { kind })]);
    const problems = [...rules.check(file), ...further];
    if (problems.length > 0) throw invalidRequest(problems);
    const isSecret = ([key]: [string, unknown]) => rules.secretKeys.includes(key);
    const secrets = Object.entries(file).filter((entry) => isSecret(entry) && entry[1] !== null);
    const shown = Object.entries(file).filter((entry) => !isSecret(entry));
    const sealed = secrets.length === 0 ? null : this.deps.sealer.seal(JSON.stringify(Object.fromEntries(secrets)));
    return { options: JSON.stringify(Object.fromEntries(shown)), sealedSecrets: sealed && Buffer.from(sealed) };
  }

  #secretsOf(route: Route): RouteFile {
    return route.sealedSecrets === null ? {} : parseFile(this.deps.sealer.open(route.sealedSecrets));
  }

  #createdNow() {
    const now = this.deps.clock.now();
    return { createdAt: now, updatedAt: now, removedAt: null };
  }
}

/** The built-in simulator route is replaced if it was never changed. */
function insertOrReplace(tables: Tables, row: NewRoute): RouteRow {
  const before = tables.routes.byName(row.name);
  // Senders without a route use the default one.
  if (row.name === defaultRouteName && isChannel(parseFile(row.options))) throw new OperatorError("route_exists");
  if (before === null) return tables.routes.insert(row);
  if (!isUntouchedDefault(before)) throw new OperatorError("route_exists");
  return tables.routes.update(before.id, row) ?? before;
}

/** A route's stored options, which contain no secrets. */
export function parseFile(json: string): RouteFile {
  const file: unknown = JSON.parse(json);
  if (typeof file !== "object" || file === null) throw new Error("A stored route file is no object");
  return Object.fromEntries(Object.entries(file));
}

export function isUntouchedDefault(route: Route): boolean {
  const untouched = route.updatedAt === route.createdAt && route.options === "{}" && route.enabled;
  return route.name === defaultRouteName && route.kind === "simulator" && untouched;
}

/** Senders with neither routes of their own nor a plan use the default route. */
function uses(tables: Tables, { routeIds, planId }: SenderRow, { id, name }: Route): boolean {
  if (routeIds.includes(id)) return true;
  if (planId === null) return routeIds.length === 0 && name === defaultRouteName;
  const plan = tables.plans.byId(planId);
  return plan !== null && routesOfPlan(plan).includes(id);
}

/** How many of the affected senders a refusal names. */
const usersNamed = 5;

/** A carrier's limit must not surface as refusals, nor a receive-only route as messages that wait forever. */
function refuseUnfitForSenders(tables: Tables, route: Route, file: RouteFile): void {
  if (isChannel(file) !== isChannel(parseFile(route.options)))
    throw invalidRequest([problemOf("kind", "kind_stays", {})]);
  const present = tables.senders.all().filter(({ removedAt }) => removedAt === null);
  const users = present.filter((sender) => uses(tables, sender, route));
  if (isReceiveOnly(file) && users.length > 0) {
    throw invalidRequest([problemOf("bind", "senders_use_route", sendersTold(users))]);
  }
  const tooLong = users.filter(({ sender }) => !takesSender(file, sender)).map(({ sender }) => sender);
  if (tooLong.length === 0) return;
  throw invalidRequest([problemOf(senderLimitKey, "senders_longer", { senders: tooLong.slice(0, usersNamed) })]);
}
