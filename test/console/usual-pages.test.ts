/** The kit of usual pages: refusals that are outcomes, forms that are shown again, and notices that are told once. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { isRefused } from "../../src/console/page/usual-pages.tsx";
import { OperatorError } from "../../src/domain/operator-error.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";

let server: ConsoleProcess;
let owner: FormClient;
beforeAll(async () => {
  server = await startConsole();
  owner = await signedInAs(server, "owner", { name: "olga" });
});
afterAll(() => server.stop());

test("only the named refusals are outcomes, any other is thrown", async () => {
  const inUse = () => Promise.reject(new OperatorError("plan_in_use"));
  expect(await isRefused(Promise.resolve({}), "plan_in_use")).toBe(false);
  expect(await isRefused(inUse(), "last_route", "plan_in_use")).toBe(true);
  await expect(isRefused(inUse(), "last_route")).rejects.toThrow(OperatorError);
});

test("a form refused before the operation is shown with what was typed, and one with more to fill in without errors", async () => {
  await owner.post("/plans/-new", { name: "iran" });
  await owner.post("/accounts/new", { name: "Shop" });
  const refused = await owner.post("/accounts/acc_1/balance", { amount: "many", note: "Cash", kind: "topup" });
  expect(refused.status).toBe(422);
  const again = await refused.text();
  expect([again.includes('value="many"'), again.includes('value="Cash"')]).toEqual([true, true]);
  const more = await owner.post("/plans/iran/rules/-new", { ranges: "98912", more: "yes" });
  const page = await more.text();
  expect({ status: more.status, isWrong: page.includes('id="summary"') }).toEqual({ status: 200, isWrong: false });
  expect(page).toContain('name="weight-2"');
  expect(page).toContain("98912");
});

test("the outcome of a button is told on the next page, and not again", async () => {
  const answer = await owner.post("/accounts/acc_1/suspend", {});
  const to = answer.headers.get("Location") ?? "";
  const pages = [await (await owner.get(to)).text(), await (await owner.get(to)).text()];
  expect(pages.map((page) => page.includes('class="notice tint-warn"'))).toEqual([true, false]);
});
