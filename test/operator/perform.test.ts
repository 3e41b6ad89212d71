/** Every operation as every role, performed in this process and requested over HTTP: both must give the same answer. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { OperatorError } from "../../src/domain/operator-error.ts";
import { roleMay, roles } from "../../src/domain/roles.ts";
import type { OperatorCaller } from "../../src/operator/caller.ts";
import { methodOf, type OperatorOperation, pathOf, reads } from "../../src/operator/operation.ts";
import { operations } from "../../src/operator/operations.ts";
import { declarationProblem } from "../../src/operator/perform.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeAll(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts/acc_1/senders", { sender: "30001" });
});
afterAll(() => server.close());

const declared = Object.entries<OperatorOperation>(operations);
const callers: OperatorCaller[] = [null, ...roles].map((role) => ({
  actor: role ?? "root",
  origin: "test",
  role,
  accountId: role === "customer" ? 1 : null,
  userId: null,
}));
/** They start processes, or end the connection. */
const once = ["POST /backups", "POST /users/setup-link"];

/** `done`, or the code of the refusal. */
async function performed(caller: OperatorCaller, name: string, input: Record<string, string>): Promise<string> {
  try {
    await server.performNamed(caller, name, input);
    return "done";
  } catch (reason) {
    if (reason instanceof OperatorError) return reason.code;
    throw reason;
  }
}

async function asked(caller: OperatorCaller, name: string): Promise<string> {
  const path = pathOf(name).replaceAll(/:\w+/g, "x1");
  const { status, body } = await server.askAs(caller, methodOf(name), path);
  if (status === 200) return "done";
  return typeof body === "object" && body !== null && "code" in body ? String(body.code) : String(body);
}

test("each operation answers alike in process and over HTTP, and is not found for roles that may not use it", async () => {
  expect(declared.length).toBeGreaterThan(100);
  for (const [name, operation] of declared.filter(([one]) => !once.includes(one))) {
    const params = [...pathOf(name).matchAll(/:(\w+)/g)].map(([, field = ""]) => [field, "x1"]);
    for (const caller of callers) {
      const [inProcess, overHttp] = [
        await performed(caller, name, Object.fromEntries(params)),
        await asked(caller, name),
      ];
      expect({ name, role: caller.role, answer: overHttp }).toEqual({ name, role: caller.role, answer: inProcess });
      const isDenied = caller.role !== null && !roleMay(caller.role, operation.may);
      if (isDenied) expect({ name, role: caller.role, answer: inProcess }).toMatchObject({ answer: "not_found" });
      if (caller.role === null) expect({ name, answer: inProcess }).not.toMatchObject({ answer: "not_found" });
    }
  }
});

test("an operator neither sees a customer's new signing secret nor switches to it", async () => {
  const webhook = { publicId: "wh_1", accountId: 1, url: "https://hooks.example.com/", events: [], active: true };
  const row = { ...webhook, sealedSecret: new Uint8Array(1), createdAt: 0, updatedAt: 0 };
  await server.store.write((tables) => tables.webhooks.insert(row));
  const answers: Record<string, string[]> = {};
  for (const caller of callers) {
    const name = caller.role ?? "socket";
    answers[name] = [
      await performed(caller, "POST /webhooks/:id/rotate-secret", { id: "wh_1" }),
      await performed(caller, "POST /webhooks/:id/switch-secret", { id: "wh_1" }),
    ];
  }
  const [done, denied] = [Array<string>(2).fill("done"), Array<string>(2).fill("not_found")];
  const refused = { operator: denied, support: denied, "customer-sends": denied, "customer-reads": denied };
  expect(answers).toEqual({ socket: done, owner: done, customer: done, ...refused });
});

test("an operation that changes something leaves an audit entry, and one that reads leaves none", async () => {
  const entries = () => server.store.tables.audit.search({}, null, 1)[0]?.id ?? 0;
  const root: OperatorCaller = { actor: "root", origin: "test", role: null, accountId: null, userId: null };
  for (const [name, { audit }] of declared.filter(([, { audit }]) => audit === undefined)) {
    const before = entries();
    await performed(root, name, { id: "acc_1", name: "simulator" });
    expect({ name, audit, entries: entries() }).toEqual({ name, audit, entries: before });
  }
  for (const [name, { audit }] of declared) {
    if (methodOf(name) === "GET") expect({ name, audit }).toEqual({ name, audit: undefined });
  }
});

test("an operation whose declaration contradicts itself is refused", () => {
  const good = reads({ may: "accounts.read", run: () => null });
  expect(declarationProblem("GET /things", good)).toBeNull();
  expect(declarationProblem("GET /things/:id", good)).toContain(":id");
  expect(declarationProblem("GET /things", { ...good, scope: "account" })).toContain("accounts.read");
  expect(declarationProblem("GET /things", { ...good, may: "keys.read" })).toContain("keys.read");
  expect(declarationProblem("GET /things", { ...good, may: "keys.read", scope: "account" })).toContain("field account");
  const audit = { action: "thing.change", target: () => "thing" };
  expect(declarationProblem("GET /things", { ...good, audit })).toContain("changes something");
});
