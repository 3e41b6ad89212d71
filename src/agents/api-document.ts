/** The OpenAPI document of the operator's API, for programs with a token: the declared operations that it may use. */
import { type Role, roleMay } from "../domain/roles.ts";
import { methodOf, pathOf } from "../operator/operation.ts";
import { version } from "../platform/version.ts";
import { changesNothing, declarationOf, needsPerson, operationNames } from "./consequences.ts";
import { inputSchemaOf } from "./mcp-tools.ts";

export function apiDocument(isOpen: (name: string) => boolean, role: Role, serverUrl: string) {
  const paths: Record<string, Record<string, object>> = {};
  for (const name of operationNames.filter(isOpen)) {
    const path = pathOf(name).replaceAll(/:(\w+)/g, "{$1}");
    const declared = declarationOf(name);
    if (declared === undefined || !roleMay(role, declared.may)) continue;
    paths[path] = { ...paths[path], [methodOf(name).toLowerCase()]: operationOf(name) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Peyk: the operator's API",
      version,
      description:
        "What commands and the console call. It may change between releases; the API for customers does not. A change that needs a " +
        "person is answered with 202 and a link.",
    },
    servers: [{ url: `${serverUrl}/api` }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    paths,
  };
}

function operationOf(name: string) {
  const schema = inputSchemaOf(name);
  const isInQuery = ["GET", "DELETE"].includes(methodOf(name)) || declarationOf(name)?.takesFile === true;
  const inPath = new Set([...pathOf(name).matchAll(/:(\w+)/g)].map(([, field = ""]) => field));
  const fields = Object.entries(schema.properties);
  const required = schema.required ?? [];
  const parameters = fields
    .filter(([field]) => inPath.has(field) || isInQuery)
    .map(([field, of]) => ({
      name: field,
      in: inPath.has(field) ? "path" : "query",
      required: inPath.has(field) || required.includes(field),
      schema: of,
    }));
  const body = {
    type: "object",
    properties: Object.fromEntries(fields.filter(([field]) => !inPath.has(field))),
    required: required.filter((field) => !inPath.has(field)),
  };
  const declared = declarationOf(name);
  return {
    operationId: name,
    summary: declared?.audit?.action ?? "changes nothing",
    parameters,
    ...(!isInQuery && { requestBody: { content: { "application/json": { schema: body } } } }),
    responses: {
      "200": { description: "Done." },
      ...(needsPerson(name) && { "202": { description: "A person has to confirm it first." } }),
    },
    "x-changes": declared !== undefined && !changesNothing(declared),
  };
}
