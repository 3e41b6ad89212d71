import { expect, test } from "bun:test";
import { type ConsoleAction, consoleActions, type Role, roleMay, roles } from "../../src/domain/roles.ts";

const isAction = (text: string): text is ConsoleAction => text in consoleActions;
const actions = Object.keys(consoleActions).filter(isAction);
const allowed = (role: Role | null) => actions.filter((action) => roleMay(role, action));
const refused = (role: Role) => actions.filter((action) => !roleMay(role, action));

/** What only an account's own people do: what they watch is theirs, and an operator adds a sender without asking. */
const ofOneAccount: ConsoleAction[] = ["balance.watch", "senders.ask"];

test("an owner may do everything but what concerns an account of one's own, and nobody anything without a role", () => {
  expect(refused("owner")).toEqual(ofOneAccount);
  expect(allowed(null)).toEqual([]);
});

test("an operator may do everything except users, secrets and system actions reserved to owners", () => {
  expect(refused("operator")).toEqual([
    "keys.change",
    "callbacks.secrets",
    "routes.secrets",
    "system.change",
    "users.read",
    "users.change",
    "colleagues.change",
    ...ofOneAccount,
    "simulator.read",
    "simulator.use",
  ]);
});

test("support reads, resends, cancels and blocks numbers, and changes nothing else", () => {
  const changing = allowed("support").filter((action) => !action.endsWith(".read"));
  expect(changing).toEqual(["messages.resend", "messages.cancel", "numbers.block", "own.settings"]);
});

test("a customer reaches nothing of carriers, the system or other accounts", () => {
  const areas = new Set(allowed("customer").map((action) => action.split(".")[0]));
  for (const area of ["status", "accounts", "routes", "system", "users", "audit", "simulator", "reports"]) {
    expect(areas.has(area)).toBe(false);
  }
});

test("every role may do something, and every action belongs to a role", () => {
  for (const role of roles) expect(allowed(role).length).toBeGreaterThan(0);
  for (const action of actions) expect(roles.some((role) => roleMay(role, action))).toBe(true);
});
