/** How far customers may set their own keys and credentials: to what an operator set there, or to their account's bounds. */
import { isWithinRanges } from "./address-ranges.ts";
import { defaultSmppOptions } from "./credential.ts";
import { type OperatorProblem, problemOf } from "./operator-problem.ts";
import { permissions as allPermissions, type Permission } from "./permissions.ts";

/** Who sets a value: customers are bound by what operators set. */
export type SetBy = "operator" | "customer";

/** As an account has them; null for the default. */
export interface AccountBounds {
  /** Keys that are not revoked. */
  keysMax: number | null;
  credentialsMax: number | null;
  /** Of each credential. */
  bindsMax: number | null;
  windowMax: number | null;
  /** Messages a second of each credential, and requests a second of each key. */
  rateMax: number | null;
}

/** There is no default for the rate. */
export const defaultBounds = { keysMax: 20, credentialsMax: 20, bindsMax: 20, windowMax: 200 } as const;

/** What limits a key; each widest value stands for no limit. */
export interface KeyLimits {
  requestsPerMinute: number | null;
  permissions: readonly Permission[];
  /** Empty: from everywhere. */
  allowFrom: readonly string[];
  expiresAt: number | null;
}

/** Null, for values that nobody has limited. */
export interface CredentialLimits {
  ratePerSecond: number | null;
  binds: number | null;
  window: number | null;
}

const perMinute = (perSecond: number | null) => (perSecond === null ? null : perSecond * 60);

/** The most that the account allows; null for no limit. */
export const keyRateMax = ({ rateMax }: AccountBounds): number | null => perMinute(rateMax);

/** What a customer's new credential has unless it asks for less. */
export const startingCredential = (bounds: AccountBounds) => ({
  ratePerSecond: bounds.rateMax,
  binds: Math.min(defaultSmppOptions.binds, bounds.bindsMax ?? defaultBounds.bindsMax),
  window: Math.min(defaultSmppOptions.window, bounds.windowMax ?? defaultBounds.windowMax),
});

const isAtMost = (value: number | null, max: number | null): boolean =>
  max === null || (value !== null && value <= max);

interface NumberChange {
  value: number | null | undefined;
  /** Undefined where there is none yet. What exceeds a bound may stay, and be narrowed. */
  current: number | null | undefined;
  max: number | null;
}

const exceeds = ({ value, current, max }: NumberChange): boolean =>
  value !== undefined &&
  value !== current &&
  !isAtMost(value, max) &&
  !(typeof current === "number" && isAtMost(value, current));

const rateProblems = (change: NumberChange): OperatorProblem[] =>
  exceeds(change) ? [problemOf("rate", "above_limit", { max: change.max ?? 0 })] : [];

/** What of a customer's change exceeds its limits. `current`: the key as it is; null for a new one. */
export function keyProblems(
  change: Partial<KeyLimits>,
  set: KeyLimits,
  bounds: AccountBounds,
  current: KeyLimits | null,
): OperatorProblem[] {
  const max = set.requestsPerMinute ?? keyRateMax(bounds);
  const problems = rateProblems({ value: change.requestsPerMinute, current: current?.requestsPerMinute, max });
  if (change.permissions?.some((one) => !set.permissions.includes(one)))
    problems.push(problemOf("permissions", "outside_permissions", { words: set.permissions }));
  if (change.allowFrom !== undefined && !isWithinRanges(change.allowFrom, set.allowFrom))
    problems.push(problemOf("allowFrom", "outside_ranges", { ranges: set.allowFrom }));
  if (change.expiresAt !== undefined && set.expiresAt !== null && !isAtMost(change.expiresAt, set.expiresAt))
    problems.push(problemOf("expiresAt", "after_limit", { at: new Date(set.expiresAt).toISOString() }));
  return problems;
}

type CredentialChange = { readonly [Name in keyof CredentialLimits]?: CredentialLimits[Name] | undefined };

export function credentialProblems(
  { ratePerSecond, ...change }: CredentialChange,
  set: CredentialLimits,
  bounds: AccountBounds,
  current: CredentialLimits | null,
): OperatorProblem[] {
  const max = set.ratePerSecond ?? bounds.rateMax;
  const problems = rateProblems({ value: ratePerSecond, current: current?.ratePerSecond, max });
  for (const name of ["binds", "window"] as const) {
    const most = set[name] ?? bounds[`${name}Max`] ?? defaultBounds[`${name}Max`];
    if (exceeds({ value: change[name], current: current?.[name], max: most }))
      problems.push(problemOf(name, "above_limit", { max: most }));
  }
  return problems;
}

/** True if they are all of them: later ones are then included. */
export const areAllPermissions = (chosen: readonly Permission[]) => allPermissions.every((one) => chosen.includes(one));
