/** The PHP library's types and operations. */
import {
  type ApiModel,
  type ApiOperation,
  type Field,
  type FieldType,
  made,
  pathWith,
  type Schema,
} from "./api-model.ts";

const modelFolder = "clients/php/src/Model";
const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function native(type: FieldType, isInput: boolean): string {
  switch (type.kind) {
    case "string":
      return type.isTime && isInput ? "DateTimeInterface|string" : "string";
    case "integer":
      return "int";
    case "boolean":
      return "bool";
    case "named":
      return type.name;
    default:
      return "array";
  }
}

/** What PHP's own type syntax cannot express, for static analysers; null where it can. */
function documented(type: FieldType): string | null {
  if (type.kind === "list") return `list<${documented(type.of) ?? native(type.of, true)}>`;
  if (type.kind === "map") return `array<string, ${documented(type.of) ?? native(type.of, true)}>`;
  return type.kind === "string" && type.values.length > 0 ? type.values.map(quoted).join("|") : null;
}

function declared({ name, type, isRequired, isNullable }: Field, isInput: boolean): string {
  const written = native(type, isInput);
  const mayBeNull = isNullable || !isRequired;
  const nullable = !mayBeNull ? written : written.includes("|") ? `${written}|null` : `?${written}`;
  return `${nullable} $${name}${isRequired ? "" : " = null"}`;
}

const ordered = (fields: readonly Field[]) => fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));

function modelText({ name, description, fields }: Schema): string {
  const lists = fields.flatMap(({ name: field, type }) =>
    type.kind === "list" && type.of.kind === "named" ? [`${quoted(field)} => ${type.of.name}::class`] : [],
  );
  const parameters = ordered(fields).map((field) => {
    const type = documented(field.type);
    const comment = type === null ? "" : `        /** @var ${type}${field.isNullable ? "|null" : ""} */\n`;
    return `${comment}        public ${declared(field, false)},`;
  });
  const constant = lists.length === 0 ? "" : `    protected const LISTS = [${lists.join(", ")}];\n\n`;
  return `<?php

declare(strict_types=1);

namespace Peyk\\Client\\Model;

/** ${[description, made].filter(Boolean).join(" ")} */
final readonly class ${name} extends Model
{
${constant}    public function __construct(
${parameters.join("\n")}
    ) {
    }
}
`;
}

function answerOf(answer: FieldType | null): { type: string; comment: string | null; write: (call: string) => string } {
  if (answer === null) return { type: "void", comment: null, write: (call) => `${call};` };
  if (answer.kind === "list" && answer.of.kind === "named") {
    const { name } = answer.of;
    const write = (call: string) => `return array_map(${name}::from(...), ${call});`;
    return { type: "array", comment: `list<${name}>`, write };
  }
  const name = native(answer, false);
  return { type: name, comment: null, write: (call) => `return ${name}::from(${call});` };
}

/** An empty map would otherwise be encoded as a list. */
const valueFor = ({ name, type }: Field) => (type.kind === "map" ? `(object) $${name}` : `$${name}`);

function dictionary(entries: readonly string[]): string {
  const line = `[${entries.join(", ")}]`;
  if (line.length <= 100) return line;
  return `[\n${entries.map((one) => `                ${one},`).join("\n")}\n            ]`;
}

function method({ id, path, summary, pathParameters, query, body, answer, ...operation }: ApiOperation): string {
  const fields = ordered(body?.fields ?? query);
  const { type, comment, write } = answerOf(answer);
  const comments = fields.flatMap((field) => {
    const written = documented(field.type);
    return written === null ? [] : [`@param ${written}${field.isRequired ? "" : "|null"} $${field.name}`];
  });
  const tags = [...comments, ...(comment === null ? [] : [`@return ${comment}`])];
  const parameters = [
    ...pathParameters.map(({ name }) => `string $${name}`),
    ...fields.map((field) => declared(field, true)),
    ...(operation.isKeyed ? ["?string $idempotencyKey = null"] : []),
    "?string $correlationId = null",
  ];
  const values = dictionary(fields.map((field) => `${quoted(field.name)} => ${valueFor(field)}`));
  const target = pathWith(path, (name) => `' . static::segment($${name}) . '`);
  const call = [
    quoted(operation.method),
    `'${target}'`.replace(/ \. ''$/, ""),
    "$correlationId",
    ...(operation.isKeyed ? ["key: $idempotencyKey ?? static::newKey()"] : []),
    ...(operation.isRepeatable ? [] : ["isRepeatable: false"]),
    ...(body === null ? [] : [`body: ${values}`]),
    ...(query.length === 0 ? [] : [`query: ${values}`]),
  ];
  const lines = [`${summary}.`, ...tags];
  const head =
    lines.length === 1
      ? `    /** ${lines[0]} */`
      : `    /**\n${lines.map((line) => `     * ${line}`).join("\n")}\n     */`;
  return `${head}
    public function ${id}(
${parameters.map((one) => `        ${one},`).join("\n")}
    ): ${type} {
        ${write(`$this->call(\n${call.map((one) => `            ${one},`).join("\n")}\n        )`)}
    }
`;
}

/** Two generators for an operation that answers with a page and takes its cursor: one of pages, one of their entries. */
function pages({ id, summary, query, answer }: ApiOperation, schemas: readonly Schema[]): string[] {
  const page = answer?.kind === "named" ? schemas.find(({ name }) => name === answer.name) : undefined;
  const items = page?.fields.find(({ name }) => name === "items")?.type;
  const isPaged = page?.fields.some(({ name }) => name === "nextCursor") && query.some(({ name }) => name === "after");
  if (page === undefined || !isPaged || items?.kind !== "list" || items.of.kind !== "named") return [];
  const ofItems = id.replace(/^list(.)/, (_, first: string) => first.toLowerCase());
  const ofPages = ofItems.replace(/[A-Z][a-z]+$/, "Pages");
  const parameters = ordered(query).map((field) => `        ${declared(field, true)},`);
  const values = ordered(query)
    .map(({ name }) => `$${name}`)
    .join(", ");
  return [
    `    /**
     * ${summary.replace(/\.$/, "")}, page by page. Store \`nextCursor\` once a page is dealt with, and go on after it later.
     *
     * @return \\Generator<int, ${page.name}>
     */
    public function ${ofPages}(
${parameters.join("\n")}
    ): \\Generator {
        do {
            $page = $this->${id}(${values});
            yield $page;
            $after = $page->nextCursor;
        } while ($page->hasMore);
    }
`,
    `    /**
     * ${summary.replace(/\.$/, "")}, one after another, until none is left.
     *
     * @return \\Generator<int, ${items.of.name}>
     */
    public function ${ofItems}(
${parameters.join("\n")}
    ): \\Generator {
        foreach ($this->${ofPages}(${values}) as $page) {
            foreach ($page->items as $one) {
                yield $one;
            }
        }
    }
`,
  ];
}

export function phpFiles({ schemas, operations }: ApiModel): Record<string, string> {
  // Requests are the named parameters of their methods, and errors are exceptions, so neither needs a type.
  const models = schemas.filter(({ name }) => !name.endsWith("Request") && name !== "Error");
  const used = models
    .map(({ name }) => name)
    .filter((name) => new RegExp(`\\b${name}\\b`).test(methods(operations, schemas)));
  const operationsText = `<?php

declare(strict_types=1);

namespace Peyk\\Client;

use DateTimeInterface;
${used
  .toSorted()
  .map((name) => `use Peyk\\Client\\Model\\${name};`)
  .join("\n")}

/** Every operation of the API. ${made} */
abstract class Operations
{
    /**
     * @param array<string, mixed>|null $body
     * @param array<string, mixed> $query
     * @return array<mixed>
     */
    abstract protected function call(
        string $method,
        string $path,
        ?string $correlationId,
        ?string $key = null,
        bool $isRepeatable = true,
        ?array $body = null,
        array $query = [],
    ): array;

    abstract protected static function newKey(): string;

    /** A value as a part of a path. */
    abstract protected static function segment(string $value): string;

${methods(operations, schemas)}}
`;
  const files = models.map((schema): [string, string] => [`${modelFolder}/${schema.name}.php`, modelText(schema)]);
  return { "clients/php/src/Operations.php": operationsText, ...Object.fromEntries(files) };
}

const methods = (operations: readonly ApiOperation[], schemas: readonly Schema[]) =>
  operations.flatMap((operation) => [method(operation), ...pages(operation, schemas)]).join("\n");
