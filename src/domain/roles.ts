/** Who may do what in the console: one table of roles and actions. */

export const roles = ["owner", "operator", "support", "customer"] as const;
export type Role = (typeof roles)[number];

const everybody: readonly Role[] = roles;
const staff: readonly Role[] = ["owner", "operator", "support"];
const operators: readonly Role[] = ["owner", "operator"];
const owners: readonly Role[] = ["owner"];
const operatorsAndCustomer: readonly Role[] = ["owner", "operator", "customer"];

/** Customers may do these only for their own account. */
export const consoleActions = {
  "status.read": staff,
  "messages.read": everybody,
  "messages.send": operatorsAndCustomer,
  "messages.resend": staff,
  "messages.cancel": everybody,
  "inbound.read": everybody,
  "accounts.read": staff,
  "accounts.change": operators,
  "usage.read": everybody,
  "quiet-hours.change": operatorsAndCustomer,
  "keys.read": everybody,
  "keys.change": ["owner", "customer"],
  "groups.read": everybody,
  "groups.change": operatorsAndCustomer,
  "groups.approve": operators,
  "patterns.read": everybody,
  "patterns.change": operatorsAndCustomer,
  "patterns.approve": operators,
  "callbacks.read": everybody,
  "callbacks.change": operatorsAndCustomer,
  "callbacks.secrets": ["owner", "customer"],
  "routes.read": staff,
  "routes.change": operators,
  "routes.secrets": owners,
  "prices.read": operators,
  "prices.change": operators,
  "numbers.block": staff,
  "suppression.read": operators,
  "suppression.change": operators,
  "reports.read": staff,
  "system.read": operators,
  "system.run": operators,
  "system.change": owners,
  "users.read": owners,
  "users.change": owners,
  "audit.read": operators,
  "simulator.read": owners,
  "simulator.use": owners,
  "own.settings": everybody,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type ConsoleAction = keyof typeof consoleActions;

/**
 * What two roles have in common; null for nothing. Each of the staff's may all that those after it may, and a customer's
 * is another kind.
 */
export function lesserRole(one: Role, other: Role): Role | null {
  if (one === other) return one;
  if (one === "customer" || other === "customer") return null;
  return roles.indexOf(one) > roles.indexOf(other) ? one : other;
}

/** Without a role, nothing is allowed. */
export function roleMay(role: Role | null, action: ConsoleAction): boolean {
  const allowed: readonly Role[] = consoleActions[action];
  return role !== null && allowed.includes(role);
}
