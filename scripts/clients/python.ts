/** The Python library's types and operations. */
import {
  type ApiModel,
  type ApiOperation,
  type Field,
  type FieldType,
  made,
  pathWith,
  type Schema,
  snake,
} from "./api-model.ts";

/** `from` is a Python keyword. */
const nameOf = (name: string) => (name === "from" ? "from_" : snake(name));

function written(type: FieldType, isInput: boolean): string {
  switch (type.kind) {
    case "string":
      if (type.values.length > 0) return `Literal[${type.values.map((value) => JSON.stringify(value)).join(", ")}]`;
      return type.isTime && isInput ? "str | datetime" : "str";
    case "integer":
      return "int";
    case "boolean":
      return "bool";
    case "list":
      return `${isInput ? "Sequence" : "list"}[${written(type.of, isInput)}]`;
    case "map":
      return `Mapping[str, ${written(type.of, isInput)}]`;
    case "named":
      return type.name;
  }
}

function annotated({ name, type, isRequired, isNullable }: Field, isInput: boolean): string {
  const mayBeNone = isNullable || !isRequired;
  return `${nameOf(name)}: ${written(type, isInput)}${mayBeNone ? " | None" : ""}${isRequired ? "" : " = None"}`;
}

/** Wraps at 120 characters, at word boundaries. */
function wrapped(text: string, indent: string): string {
  const lines = [indent];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line.trim() !== "" && line.length + word.length >= 120) lines.push(`${indent}    ${word}`);
    else lines[lines.length - 1] = line.trim() === "" ? `${indent}${word}` : `${line} ${word}`;
  }
  return lines.join("\n");
}

const ordered = (fields: readonly Field[]) => fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));

function declared({ name, description, fields, isInput }: Schema): string {
  const comment = description === "" ? "" : `    """${description}"""\n\n`;
  const lines = ordered(fields).map((field) => wrapped(annotated(field, isInput), "    "));
  return `@dataclass(frozen=True)\nclass ${name}:\n${comment}${lines.join("\n")}\n`;
}

function dictionary(entries: readonly string[]): string {
  const line = `{${entries.join(", ")}}`;
  return line.length <= 95 ? line : `{\n${entries.map((one) => `                ${one},`).join("\n")}\n            }`;
}

/** One per line where they do not fit on one. */
function parameterList(parameters: readonly string[], head: string, end: string): string {
  const line = `${head}(${parameters.join(", ")})`;
  return line.length + end.length <= 120
    ? line
    : `${head}(\n${parameters.map((one) => `        ${one},`).join("\n")}\n    )`;
}

/** `isAsync`: of the client for asyncio. */
function method(
  { id, path, summary, pathParameters, query, body, answer, ...operation }: ApiOperation,
  isAsync: boolean,
): string {
  const fields = [...(body === null ? query : body.fields)];
  const named = [
    ...ordered(fields).map((field) => annotated(field, true)),
    ...(operation.isKeyed ? ["idempotency_key: str | None = None"] : []),
    "correlation_id: str | None = None",
  ];
  const parameters = ["self", ...pathParameters.map(({ name }) => `${nameOf(name)}: str`), "*", ...named];
  const result = answer === null ? "None" : written(answer, false);
  const target = pathWith(path, (name) => `{segment(${nameOf(name)})}`);
  const values = dictionary(fields.map(({ name }) => `${JSON.stringify(name)}: ${nameOf(name)}`));
  const call = [
    answer === null ? "type(None)" : result,
    JSON.stringify(operation.method),
    `${target === path ? "" : "f"}${JSON.stringify(target)}`,
    "correlation_id",
    ...(operation.isKeyed ? ["key=idempotency_key or new_key()"] : []),
    ...(operation.isRepeatable ? [] : ["is_repeatable=False"]),
    ...(body === null ? [] : [`body=${values}`]),
    ...(query.length === 0 ? [] : [`query=${values}`]),
  ];
  const start = `        ${answer === null ? "" : "return "}${isAsync ? "await " : ""}self._call(`;
  const returned = `${start}${call.join(", ")})`;
  const lines = returned.length <= 120 ? returned : `${start}\n            ${call.join(",\n            ")},\n        )`;
  const end = ` -> ${result}:`;
  const head = `    ${isAsync ? "async " : ""}def ${snake(id)}`;
  return `${parameterList(parameters, head, end)}${end}\n        """${summary}."""\n${lines}\n`;
}

function classOf(name: string, does: string, operations: readonly ApiOperation[], isAsync: boolean): string {
  return `class ${name}:
    """${does}"""

    ${isAsync ? "async " : ""}def _call(
        self,
        answer: type[T],
        method: str,
        path: str,
        correlation_id: str | None,
        *,
        key: str | None = None,
        is_repeatable: bool = True,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> T:
        raise NotImplementedError

${operations.map((operation) => method(operation, isAsync)).join("\n")}`;
}

function literalsOf(schemas: readonly Schema[], schema: string, field: string): string {
  const type = schemas.find(({ name }) => name === schema)?.fields.find(({ name }) => name === field)?.type;
  const values = type?.kind === "string" ? type.values : [];
  return `Literal[\n${values.map((value) => `    ${JSON.stringify(value)},`).join("\n")}\n]`;
}

export function pythonFiles({ schemas, operations }: ApiModel): Record<string, string> {
  // Requests are the named parameters of their methods, and errors are exceptions, so neither needs a type.
  const types = schemas.filter(({ name }) => !name.endsWith("Request") && name !== "Error");
  const text = `"""The types and operations of the public API. ${made}"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar

from ._call import new_key, segment

__all__ = [
${["ErrorCode", ...types.map(({ name }) => name)].map((name) => `    "${name}",`).join("\n")}
]

ErrorCode = ${literalsOf(schemas, "Error", "code")}


${types.map(declared).join("\n\n")}

T = TypeVar("T")


${classOf("Operations", "Every operation of the API.", operations, false)}

${classOf("AsyncOperations", "The same for asyncio.", operations, true)}`;
  return { "clients/python/src/peyk_client/_generated.py": text };
}
