/** The TypeScript library's types and operations. */
import {
  type ApiModel,
  type ApiOperation,
  type Field,
  type FieldType,
  made,
  pathWith,
  type Schema,
} from "./api-model.ts";

const quoted = (text: string) => JSON.stringify(text);

function written(type: FieldType, isInput: boolean): string {
  switch (type.kind) {
    case "string":
      if (type.values.length > 0) return type.values.map(quoted).join(" | ");
      return type.isTime && isInput ? "string | Date" : "string";
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "list":
      return `readonly (${written(type.of, isInput)})[]`;
    case "map":
      return `Readonly<Record<string, ${written(type.of, isInput)}>>`;
    case "named":
      return type.name;
  }
}

function property({ name, type, isRequired, isNullable, description }: Field, isInput: boolean): string {
  const alternatives = [written(type, isInput), ...(isNullable ? ["null"] : []), ...(isRequired ? [] : ["undefined"])];
  return `/** ${description} */\n${name}${isRequired ? "" : "?"}: ${alternatives.join(" | ")};`;
}

function declared({ name, description, fields, isInput }: Schema): string {
  const comment = description === "" ? "" : `/** ${description} */\n`;
  return `${comment}export interface ${name} {\n${fields.map((one) => property(one, isInput)).join("\n")}\n}`;
}

function method({ id, path, summary, pathParameters, query, body, answer, ...operation }: ApiOperation): string {
  const required = body?.fields.some(({ isRequired }) => isRequired) ?? false;
  const parameters = [
    ...pathParameters.map(({ name }) => `${name}: string`),
    ...(body === null ? [] : [`body: ${body.name}${required ? "" : " = {}"}`]),
    ...(query.length === 0 ? [] : [`query: ${queryName(id)} = {}`]),
    `options?: ${operation.isKeyed ? "KeyedCallOptions" : "CallOptions"}`,
  ];
  const call = [
    `method: ${quoted(operation.method)}`,
    `path: \`${pathWith(path, (name) => `\${segment(${name})}`)}\``,
    ...(operation.isKeyed ? ["isKeyed: true"] : []),
    ...(operation.isRepeatable ? [] : ["isRepeatable: false"]),
    ...(body === null ? [] : ["body"]),
    ...(query.length === 0 ? [] : ["query: { ...query }"]),
  ];
  const result = answer === null ? "void" : written(answer, false).replace(/^readonly \((.*)\)\[\]$/, "$1[]");
  return `/** ${summary}. */\n${id}(${parameters.join(", ")}): Promise<${result}> {\nreturn this.call({ ${call.join(", ")} }, options);\n}`;
}

const queryName = (id: string) => `${id.charAt(0).toUpperCase()}${id.slice(1)}Query`;

export function typescriptFiles({ schemas, operations }: ApiModel): Record<string, string> {
  const queries = operations
    .filter(({ query }) => query.length > 0)
    .map(({ id, query }) => ({ name: queryName(id), description: "", fields: query, isInput: true }));
  // `Error` would shadow JavaScript's own.
  const types = [...schemas, ...queries].map((schema) =>
    declared(schema.name === "Error" ? { ...schema, name: "ErrorAnswer" } : schema),
  );
  const text = `/** The types and operations of the public API. ${made} */
import { type Call, type CallOptions, type KeyedCallOptions, segment } from "./call.ts";

${types.join("\n\n")}

/** Every operation of the API. */
export abstract class Operations {
protected abstract call<Answer>(call: Call, options?: KeyedCallOptions): Promise<Answer>;

${operations.map(method).join("\n\n")}
}
`;
  return { "clients/typescript/src/generated.ts": text };
}
