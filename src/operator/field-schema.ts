/** The schemas of declared fields. */
import { type TOptional, type TSchema, type TUnsafe, Type as t } from "@sinclair/typebox";
import { ofAccount } from "../fields/account.ts";
import type { Field, FieldTable, ValueOf } from "../fields/field.ts";
import { routeName } from "../fields/route.ts";
import { address } from "../fields/sender.ts";
import {
  countriesSchema,
  lineSchema,
  nullable,
  oneOf,
  optionalLineSchema,
  routeFileSchema,
  senderSchema,
  timeSchema,
  told,
} from "./schemas.ts";

/** `field`: what it was derived from. */
export function fieldSchema<One extends Field>(field: One): TUnsafe<ValueOf<One>> {
  const schema = shapeOf(field);
  return t.Unsafe<ValueOf<One>>({ ...(field.none === undefined ? schema : nullable(schema)), field });
}

export const addressSchema = fieldSchema(address);
/** Of a route, a plan or a price list, and the code of a group or a pattern. */
export const shortNameSchema = fieldSchema(routeName);

/**
 * Limits a list to one account, and identifies the owner of a group or pattern where several accounts use the same
 * code.
 */
export const accountField = t.Optional(fieldSchema(ofAccount));

/** The field that a schema was derived from; undefined for one that is written by hand. */
export const declaredFieldOf = (schema: TSchema): Field | undefined => schema.field;

/** Of something new: what is declared as required has to be given. */
export function newSchemas<Table extends FieldTable>(table: Table): NewSchemas<Table> {
  const schemas = Object.entries(table).map(([name, field]) => {
    const schema = fieldSchema(field);
    return [name, field.isRequired ? schema : t.Optional(schema)];
  });
  return Object.fromEntries(schemas);
}

type NewSchemas<Table extends FieldTable> = {
  [Name in keyof Table]: Table[Name] extends { isRequired: true }
    ? TUnsafe<ValueOf<Table[Name]>>
    : TOptional<TUnsafe<ValueOf<Table[Name]>>>;
};

/** Every field is optional. */
export function fieldSchemas<Table extends FieldTable>(
  table: Table,
): { [Name in keyof Table]: TOptional<TUnsafe<ValueOf<Table[Name]>>> } {
  const schemas = Object.entries(table).map(([name, field]) => [name, t.Optional(fieldSchema(field))]);
  return Object.fromEntries(schemas);
}

/** None is optional. */
export function requiredSchemas<Table extends FieldTable>(
  table: Table,
): { [Name in keyof Table]: TUnsafe<ValueOf<Table[Name]>> } {
  const schemas = Object.entries(table).map(([name, field]) => [name, fieldSchema(field)]);
  return Object.fromEntries(schemas);
}

function shapeOf(field: Field): TSchema {
  switch (field.kind) {
    case "line":
      return field.min === 0 ? optionalLineSchema(field.max) : lineSchema(field.max);
    case "sender":
      return senderSchema;
    case "number": {
      const { min: minimum, max: maximum } = field;
      return field.fractions ? t.Number({ minimum, maximum }) : t.Integer({ minimum, maximum });
    }
    case "text": {
      const { min, max: maxLength, pattern, problem } = field;
      return t.String({
        ...(min !== undefined && { minLength: min }),
        ...(maxLength !== undefined && { maxLength }),
        ...(pattern !== undefined && { pattern: pattern.source }),
        ...(problem !== undefined && { problem }),
      });
    }
    case "secret":
      return t.String({ maxLength: field.max });
    case "numbers":
      return t.Array(t.Integer({ minimum: field.min, maximum: field.max }), { maxItems: field.countMax });
    case "id":
    case "prose":
      return t.String();
    case "json":
      return t.Unknown();
    case "file":
      return routeFileSchema;
    case "place":
      return t.Object({
        from: oneOf(field.words),
        name: t.String({ pattern: `^[!-~]{1,${field.max}}$`, ...told("latin_word", { max: field.max }) }),
      });
    case "tag":
      return t.Union([
        ...field.words.map((word) => t.Literal(word)),
        t.Integer({ minimum: field.min, maximum: field.max }),
      ]);
    case "time":
      return timeSchema;
    case "truth":
      return t.Boolean();
    case "choice":
      return oneOf(field.words);
    case "set":
      return t.Array(oneOf(field.words), { minItems: field.mayBeEmpty ? 0 : 1, uniqueItems: true });
    case "list": {
      const { min, max: maxItems, of } = field;
      if (of === "country") return countriesSchema;
      const entry = of === undefined ? t.String() : shapeOf(of);
      return t.Array(entry, { ...(min !== undefined && { minItems: min }), maxItems });
    }
  }
}
