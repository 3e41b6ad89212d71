/**
 * Checks every answer of the public API against the served reference: its status, its headers and each field of its
 * body.
 */
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";

interface DocumentedResponse {
  headers: Record<string, unknown>;
  content?: unknown;
}
interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse | { $ref: string }> }>>;
  components: { responses: Record<string, DocumentedResponse> };
}

export interface ReceivedAnswer {
  method: string;
  /** As requested: with its query, with or without a trailing slash. */
  path: string;
  status: number;
  headers: Headers;
  body: string;
}

/** Headers that any HTTP server may send besides the API's own. */
const transportHeaders = new Set(["connection", "content-length", "content-type", "date", "transfer-encoding"]);
/** In every answer, whatever its path. */
const safetyHeaders: readonly [name: string, value: string][] = [
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
];

const errorSchema = "#/components/schemas/Error";
const pathError = { headers: { "X-Correlation-Id": {}, Allow: {} }, schema: errorSchema };

/**
 * The document with every object closed, because a field missing from the reference must not be in an answer either.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  return "properties" in inner && "type" in inner ? { ...inner, additionalProperties: false } : inner;
}

const pointerOf = (...names: string[]) =>
  `#/${names.map((name) => name.replace(/~/g, "~0").replace(/\//g, "~1")).join("/")}`;
const withoutSlash = (path: string) => (path.length > 1 ? path.replace(/\/$/, "") : path);

export class DocumentedAnswers {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv({ strict: false, allErrors: true });

  constructor(document: OpenApiDocument) {
    this.#document = document;
    addFormats(this.#ajv);
    this.#ajv.addSchema({ ...Object(closed(document)), $id: "reference" });
  }

  /** Throws if the answer differs from the reference. */
  assert(answer: ReceivedAnswer): void {
    const expected = this.#expected(answer);
    if (expected === null) return;
    const problems = [
      ...this.#headerProblems(answer, expected.headers),
      ...this.#bodyProblems(answer, expected.schema),
    ];
    if (problems.length === 0) return;
    const { method, path, status, body } = answer;
    throw new Error(`${method} ${path} → ${status} is not as documented:\n${problems.join("\n")}\n${body}`);
  }

  /** Null for the reference, its page and the health checks, which are not operations. */
  #expected({
    method,
    path,
    status,
  }: ReceivedAnswer): { headers: Record<string, unknown>; schema: string | null } | null {
    const template = this.#templateOf(path);
    if (template === null) return status === 404 || status === 405 ? pathError : null;
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const operation = this.#document.paths[template]?.[verb];
    if (operation === undefined) {
      if (status !== 405) throw new Error(`${method} ${path} → ${status}, but the reference has no such operation`);
      return pathError;
    }
    const response = operation.responses[status];
    if (response === undefined) throw new Error(`${method} ${path} → ${status}, a status that the reference lacks`);
    const { described, place } = this.#followed(response, ["paths", template, verb, "responses", `${status}`]);
    const schema = pointerOf(...place, "content", "application/json", "schema");
    return { headers: described.headers, schema: described.content === undefined ? null : schema };
  }

  /** Shared responses are in `components`. */
  #followed(response: DocumentedResponse | { $ref: string }, place: string[]) {
    if (!("$ref" in response)) return { described: response, place };
    const name = response.$ref.split("/").at(-1) ?? "";
    const described = this.#document.components.responses[name];
    if (described === undefined) throw new Error(`${response.$ref} is not in the reference`);
    return { described, place: ["components", "responses", name] };
  }

  /** A fixed path takes precedence over one with parameters. */
  #templateOf(path: string): string | null {
    const asked = withoutSlash(path.replace(/\?.*$/s, ""));
    const matches = Object.keys(this.#document.paths).filter((template) =>
      new RegExp(`^${withoutSlash(template).replace(/\{\w+\}/g, "[^/]+")}$`).test(asked),
    );
    return matches.toSorted((a, b) => a.split("{").length - b.split("{").length)[0] ?? null;
  }

  #headerProblems({ headers }: ReceivedAnswer, documented: Record<string, unknown>): string[] {
    const known = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
    const always = new Set([...transportHeaders, ...safetyHeaders.map(([name]) => name)]);
    const unknown = [...headers.keys()].filter((name) => !always.has(name) && !known.has(name));
    const missing = headers.has("x-correlation-id") ? [] : ["The header X-Correlation-Id is missing"];
    const unsafe = safetyHeaders.filter(([name, value]) => headers.get(name) !== value);
    return [
      ...missing,
      ...unsafe.map(([name, value]) => `The header ${name} is not ${value}`),
      ...unknown.map((name) => `The header ${name} is not in the reference`),
    ];
  }

  #bodyProblems({ method, headers, body }: ReceivedAnswer, schema: string | null): string[] {
    if (method === "HEAD" || schema === null) return body === "" ? [] : ["There must be no body"];
    if (headers.get("content-type") !== "application/json") return ["The body must be application/json"];
    const validate = this.#ajv.getSchema(`reference${schema}`);
    if (validate === undefined) throw new Error(`There is no schema at ${schema}`);
    if (validate(JSON.parse(body)) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      return `${instancePath || "The body"} ${message} ${JSON.stringify(params)}`;
    });
  }
}
