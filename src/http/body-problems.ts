/** Lists every problem of a body that the compiled check has refused. */
import { KindGuard, type TArray, type TObject, type TSchema } from "@sinclair/typebox";
import type { FieldProblem } from "../domain/api-error.ts";
import { type FieldRules, isField, type ValueProblem, valueProblemOf } from "./fields.ts";

/** The `field` for a problem with the whole body. */
const wholeBody = "body";

const required: ValueProblem = { code: "required", message: "Is required." };
const notObject: ValueProblem = { code: "invalid_type", message: "Must be an object." };
const notArray: ValueProblem = { code: "invalid_type", message: "Must be an array." };
const entries = (count: number) => `${count} ${count === 1 ? "entry" : "entries"}`;

/** Every problem of `value`, in schema order. Empty if there is none. */
export function problemsOf(schema: TSchema, value: unknown, rules: FieldRules): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (path: string, { code, message }: ValueProblem) =>
    problems.push({ field: path === "" ? wholeBody : path, code, message });

  function visitObject(object: TObject, found: unknown, path: string): void {
    if (typeof found !== "object" || found === null || Array.isArray(found)) {
      add(path, notObject);
      return;
    }
    for (const [name, child] of Object.entries(object.properties)) {
      const inner: unknown = Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
      const innerPath = path === "" ? name : `${path}.${name}`;
      if (inner !== undefined) visit(child, inner, innerPath);
      else if (!KindGuard.IsOptional(child)) add(innerPath, required);
    }
  }

  function visitArray(array: TArray, found: unknown, path: string): void {
    if (!Array.isArray(found)) {
      add(path, notArray);
      return;
    }
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = array;
    if (found.length < minItems) add(path, { code: "too_few", message: `Must have at least ${entries(minItems)}.` });
    if (found.length > maxItems) add(path, { code: "too_many", message: `Must have at most ${entries(maxItems)}.` });
    else for (const [index, entry] of found.entries()) visit(array.items, entry, `${path}[${index}]`);
  }

  function visit(child: TSchema, found: unknown, path: string): void {
    if (isField(child)) {
      const problem = valueProblemOf(child, found, rules);
      if (problem !== null) add(path, problem);
    } else if (KindGuard.IsObject(child)) visitObject(child, found, path);
    else if (KindGuard.IsArray(child)) visitArray(child, found, path);
    else throw new Error(`The kind of field at ${path || wholeBody} is not known`);
  }

  visit(schema, value, "");
  return problems;
}
