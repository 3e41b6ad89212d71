/** Which inputs of changes come from the tables of fields. */
import { expect, test } from "bun:test";
import { httpCarrierFields } from "../../src/fields/http-carrier.ts";
import { smppCarrierFields } from "../../src/fields/smpp-carrier.ts";
import { declaredFieldOf } from "../../src/operator/field-schema.ts";
import { type OperatorOperation, pathOf } from "../../src/operator/operation.ts";
import { operations } from "../../src/operator/operations.ts";

/** Inputs of changes that are no part of a path: those name what is changed. */
const inputs = Object.entries<OperatorOperation>(operations).flatMap(([name, { audit, input = {} }]) => {
  const named = new Set([...pathOf(name).matchAll(/:(\w+)/g)].map(([, field]) => field));
  const own = audit === undefined ? [] : Object.entries(input);
  return own.flatMap(([field, schema]) => (named.has(field) ? [] : [{ name: `${name} ${field}`, schema }]));
});
const declared = inputs.filter(({ schema }) => declaredFieldOf(schema) !== undefined);
const ofCarriers = { ...smppCarrierFields, ...httpCarrierFields };

test("tables declare at least 149 of the distinct inputs of changes", () => {
  const distinct = (some: typeof inputs) => new Set(some.map(({ name }) => name.replace(/^\w+ \/(\w+)\S*/, "$1"))).size;
  const [own, all] = [distinct(declared), distinct(inputs)];
  const byOperation = `${declared.length} of ${inputs.length} inputs by operation, ${own} of ${all} distinct`;
  console.info(`${byOperation}, and ${Object.keys(ofCarriers).length} keys of carriers`);
  expect(own).toBeGreaterThanOrEqual(149);
});

test("each declared field is described in English", () => {
  const fields = [...declared.flatMap(({ schema }) => declaredFieldOf(schema) ?? []), ...Object.values(ofCarriers)];
  expect(fields.filter(({ label }) => label.trim() === "")).toEqual([]);
});
