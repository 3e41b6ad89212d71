/** Limits of routing plans: at these sizes, a plan is still searched within some milliseconds. */
export const planLimits = {
  rules: 100,
  /** For all its rules together; anything larger should be a network. */
  ranges: 1_000,
  targetsOfRule: 16,
  routesOfTarget: 16,
  weight: 10_000,
  /** Numbers that one request may try: foreign ones take the parser some 15 µs each. */
  triedNumbers: 1_000,
} as const;
