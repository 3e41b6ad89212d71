/** The kinds of field in an answer: TypeBox schemas with a description and an example for the reference. */
import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";

const exampleTime = "2026-11-20T15:36:00.000Z";

/**
 * An object whose fields are all present, unless one is `Type.Optional`. With an `$id` it becomes a component of the
 * document.
 */
export function objectOf<Fields extends TProperties>(description: string, fields: Fields, $id?: string) {
  return Type.Object(fields, { description, ...($id === undefined ? {} : { $id }) });
}

export const textOf = (description: string, example: string) => Type.String({ description, example });
export const countOf = (description: string, example: number) => Type.Integer({ description, example });
export const flagOf = (description: string, example: boolean) => Type.Boolean({ description, example });
export const timeOf = (description: string) => Type.String({ format: "date-time", description, example: exampleTime });
export const uuidOf = (description: string, example: string) => Type.String({ format: "uuid", description, example });

/** One of a few texts. */
export function choiceOf<const Choice extends string>(
  choices: readonly Choice[],
  description: string,
  example: Choice,
): TUnsafe<Choice> {
  return Type.Unsafe<Choice>({ type: "string", enum: choices, description, example });
}

export function orNull<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, "null"] });
}

/** For groups and patterns. */
export const approvedAtField = orNull(timeOf("When it was approved; null where that was not recorded."));

export function listOf<Item extends TSchema>(items: Item, description: string): TUnsafe<readonly Static<Item>[]> {
  return Type.Unsafe<readonly Static<Item>[]>({ type: "array", description, items });
}
