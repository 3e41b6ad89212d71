/**
 * Schemas with an `$id` appear once, in the document's `components` under that name, and are referenced where they are
 * used.
 */

interface NamedSchema {
  $id?: string;
  properties?: Readonly<Record<string, NamedSchema>>;
  items?: NamedSchema;
}

export function schemaReference(schema: NamedSchema): object {
  return schema.$id === undefined ? written(schema) : { $ref: `#/components/schemas/${schema.$id}` };
}

/** The schema itself, with named schemas inside it replaced by references. */
function written({ $id: _, properties, items, ...keywords }: NamedSchema): object {
  const references = Object.entries(properties ?? {}).map(([name, child]) => [name, schemaReference(child)]);
  return {
    ...keywords,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(references) }),
    ...(items === undefined ? {} : { items: schemaReference(items) }),
  };
}

/** All named schemas among these and inside them, by name. */
export function componentSchemas(schemas: readonly NamedSchema[]): Record<string, object> {
  const components: Record<string, object> = {};
  for (const schema of schemas) {
    if (schema.$id !== undefined) components[schema.$id] = written(schema);
    const inner = [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items])];
    Object.assign(components, componentSchemas(inner));
  }
  return components;
}
