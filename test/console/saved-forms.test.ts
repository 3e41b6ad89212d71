/** Forms that are kept when a session has ended: for a quarter of an hour, at most a hundred, and a limited amount for each address. */
import { expect, test } from "bun:test";
import { passwordFields } from "../../src/console/forms/form-fields.ts";
import { openFormBytesMax } from "../../src/console/forms/form-reader.ts";
import { clientBytesMax, SavedForms, savedFormMs } from "../../src/console/forms/saved-forms.ts";
import { systemRandom } from "../../src/platform/random.ts";

const sara = 1;
const olga = 2;
const formOf = (value: string, { userId = sara, address = "192.0.2.1", secretFields = [] as string[] } = {}) => {
  const data = new FormData();
  data.set("name", value);
  data.set("file", new File(["numbers"], "numbers.csv"));
  return { path: "/accounts/new", data, secretFields, userId, address };
};

test("a form is kept without its file until its time is over", () => {
  let now = 0;
  const forms = new SavedForms({ random: systemRandom, clock: { now: () => now } });
  const ticket = forms.keep(formOf("Shop")) ?? "";
  now = savedFormMs - 1;
  expect(forms.of(ticket, sara)).toMatchObject({ path: "/accounts/new", fields: [["name", "Shop"]] });
  now = savedFormMs;
  expect(forms.of(ticket, sara)).toBeNull();
  expect(forms.of("another", sara)).toBeNull();
  expect(forms.keep(formOf("Shop", { secretFields: ["name"] }))).toBeNull();
});

test("a typed password is never kept, on any page", () => {
  const forms = new SavedForms({ random: systemRandom, clock: { now: () => 0 } });
  const data = new URLSearchParams({
    kind: "kannel",
    ...Object.fromEntries(passwordFields.map((name) => [name, "s"])),
  });
  const kept = { path: "/credentials/new", secretFields: [], userId: sara, address: "192.0.2.1" };
  expect(forms.of(forms.keep({ ...kept, data }) ?? "", sara)?.fields).toEqual([["kind", "kannel"]]);
  expect(forms.keep({ ...kept, data: new URLSearchParams({ password: "s" }) })).toBeNull();
});

test("the newest hundred forms are kept", () => {
  const forms = new SavedForms({ random: systemRandom, clock: { now: () => 0 } });
  const tickets = Array.from({ length: 101 }, () => forms.keep(formOf("Shop")) ?? "");
  expect(tickets.filter((ticket) => forms.of(ticket, sara) === null)).toEqual([tickets[0] ?? ""]);
});

test("one network keeps its newest forms up to a total size", () => {
  const forms = new SavedForms({ random: systemRandom, clock: { now: () => 0 } });
  const largest = "x".repeat(openFormBytesMax - "name=".length);
  const other = forms.keep(formOf(largest, { address: "198.51.100.1" })) ?? "";
  // A client can choose the end of its IPv6 address freely.
  const keep = (host: number) => forms.keep(formOf(largest, { address: `2001:db8:1:2::${host}` })) ?? "";
  const tickets = [1, 2, 3, 4].map(keep);
  expect(tickets.map((ticket) => forms.of(ticket, sara) === null)).toEqual([false, false, false, false]);
  expect(4 * 2 * largest.length).toBeGreaterThan(clientBytesMax * 0.9);
  tickets.push(keep(5));
  expect(tickets.map((ticket) => forms.of(ticket, sara) === null)).toEqual([true, false, false, false, false]);
  expect(forms.of(other, sara)).not.toBeNull();
});

test("a form belongs to its user; asked for by another one it is dropped", () => {
  const forms = new SavedForms({ random: systemRandom, clock: { now: () => 0 } });
  const ticket = forms.keep(formOf("Shop")) ?? "";
  expect([forms.of(ticket, sara)?.path, forms.has(ticket)]).toEqual(["/accounts/new", true]);
  expect(forms.of(ticket, olga)).toBeNull();
  expect([forms.of(ticket, sara), forms.has(ticket)]).toEqual([null, false]);
});

test("forms are dropped by ticket, and all of a user at once", () => {
  const forms = new SavedForms({ random: systemRandom, clock: { now: () => 0 } });
  const [first, second] = [forms.keep(formOf("Shop")) ?? "", forms.keep(formOf("Clinic")) ?? ""];
  const others = forms.keep(formOf("School", { userId: olga })) ?? "";
  forms.drop(first);
  expect([first, second, others].map((ticket) => forms.has(ticket))).toEqual([false, true, true]);
  forms.dropOf(sara);
  expect([first, second, others].map((ticket) => forms.has(ticket))).toEqual([false, false, true]);
});
