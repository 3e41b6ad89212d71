/** Who may do what in the console: one table of roles and actions. */

/** Of a customer's people, at the portal: one who does everything for the account, one who sends, one who reads. */
export const customerRoles = ["customer", "customer-sends", "customer-reads"] as const;
export type CustomerRole = (typeof customerRoles)[number];
/** Of the people who run the service. */
export const staffRoles = ["owner", "operator", "support"] as const;
export type StaffRole = (typeof staffRoles)[number];
export const roles = [...staffRoles, ...customerRoles] as const;
export type Role = (typeof roles)[number];

export const isCustomerRole = (role: Role): role is CustomerRole => customerRoles.some((one) => one === role);

/** From whom `console.second_factor` demands one. */
export const isFactorDemanded = (of: "nobody" | "staff" | "everybody", role: Role): boolean =>
  of === "everybody" || (of === "staff" && !isCustomerRole(role));

const everybody: readonly Role[] = roles;
const staff: readonly Role[] = staffRoles;
const operators: readonly Role[] = ["owner", "operator"];
const owners: readonly Role[] = ["owner"];
const operatorsAndCustomer: readonly Role[] = ["owner", "operator", "customer"];
const senders: readonly Role[] = [...operatorsAndCustomer, "customer-sends"];

/** Customers may do these only for their own account. */
export const consoleActions = {
  "status.read": staff,
  "messages.read": everybody,
  "messages.send": senders,
  "messages.resend": staff,
  "messages.cancel": [...staff, "customer", "customer-sends"],
  "inbound.read": everybody,
  "inbound-rules.change": operatorsAndCustomer,
  "accounts.read": staff,
  "accounts.change": operators,
  "usage.read": everybody,
  "quiet-hours.change": operatorsAndCustomer,
  "keys.read": everybody,
  "keys.change": ["owner", "customer"],
  "groups.read": everybody,
  "groups.change": senders,
  "groups.approve": operators,
  "patterns.read": everybody,
  "patterns.change": senders,
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
  "colleagues.change": ["owner", "customer"],
  "balance.watch": customerRoles,
  "senders.ask": ["customer", "customer-sends"],
  "sender-requests.read": [...operators, ...customerRoles],
  "audit.read": operators,
  "simulator.read": owners,
  "simulator.use": owners,
  "own.settings": everybody,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type ConsoleAction = keyof typeof consoleActions;

/**
 * What two roles have in common; null for nothing. Each of the staff may all that those after it may, and so may each of a
 * customer's people, who are of another kind.
 */
export function lesserRole(one: Role, other: Role): Role | null {
  if (one === other) return one;
  if (isCustomerRole(one) !== isCustomerRole(other)) return null;
  return roles.indexOf(one) > roles.indexOf(other) ? one : other;
}

/** Without a role, nothing is allowed. */
export function roleMay(role: Role | null, action: ConsoleAction): boolean {
  const allowed: readonly Role[] = consoleActions[action];
  return role !== null && allowed.includes(role);
}
