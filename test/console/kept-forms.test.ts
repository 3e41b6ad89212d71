/** Forms that are kept when a session has ended: for a quarter of an hour, and no more than a hundred. */
import { expect, test } from "bun:test";
import { KeptForms, keptFormMs } from "../../src/console/server/kept-forms.ts";
import { systemRandom } from "../../src/platform/random.ts";

const formOf = (value: string) => {
  const data = new FormData();
  data.set("name", value);
  data.set("file", new File(["numbers"], "numbers.csv"));
  return data;
};

test("a form is kept without its file, until its time is over", () => {
  let now = 0;
  const forms = new KeptForms({ random: systemRandom, clock: { now: () => now } });
  const ticket = forms.keep("/accounts/new", formOf("Shop"), []) ?? "";
  now = keptFormMs - 1;
  expect(forms.of(ticket)).toMatchObject({ path: "/accounts/new", fields: [["name", "Shop"]] });
  now = keptFormMs;
  expect(forms.of(ticket)).toBeNull();
  expect(forms.of("another")).toBeNull();
  expect(forms.keep("/accounts/new", formOf("Shop"), ["name"])).toBeNull();
});

test("the newest hundred are kept", () => {
  const forms = new KeptForms({ random: systemRandom, clock: { now: () => 0 } });
  const tickets = Array.from({ length: 101 }, () => forms.keep("/accounts/new", formOf("Shop"), []) ?? "");
  expect(tickets.filter((ticket) => forms.of(ticket) === null)).toEqual([tickets[0] ?? ""]);
});
