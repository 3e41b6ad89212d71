/** Limits of routing plans: so large, a plan is still looked through within some milliseconds. */
export const planLimits = {
  rules: 100,
  /** Of all its rules; more of them are a network. */
  ranges: 1_000,
  targetsOfRule: 16,
  routesOfTarget: 16,
  weight: 10_000,
  /** Numbers that one request tries: foreign ones take the parser some 15 µs each. */
  triedNumbers: 1_000,
} as const;
