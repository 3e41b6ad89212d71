/** The reference: complete, consistent with what is enforced, and readable offline. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { apiErrors } from "../../src/domain/api-error.ts";
import { isCampaignName } from "../../src/domain/campaign.ts";
import { inboundEnvelope, statusEnvelope, testEnvelope } from "../../src/domain/event.ts";
import { isIdempotencyKey } from "../../src/domain/idempotency.ts";
import { type Api, startApi } from "../support/api.ts";

interface Schema {
  /** With "null" in a list where the value may be null. */
  type?: string | string[];
  $ref?: string;
  description?: string;
  example?: unknown;
  enum?: unknown[];
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  "x-errors"?: string[];
}
interface Content {
  "application/json": { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
}
interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: unknown;
  parameters: {
    name: string;
    in: string;
    required: boolean;
    description: string;
    example: unknown;
    schema: { pattern?: string; minLength?: number; maxLength?: number };
  }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; headers: Record<string, unknown>; content?: Content }>;
}
interface OpenApi {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, { post: Described }>;
  servers: unknown[];
  tags: { name: string; description: string }[];
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Described["responses"][string]>;
    parameters: Record<string, Described["parameters"][number]>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
}

let api: Api;
/** With shared responses and parameters instead of references. */
let reference: OpenApi;
/** As it is served. */
let written: OpenApi;

function follow(operation: Described): void {
  const { responses, parameters } = reference.components;
  const nameOf = (value: object) =>
    ("$ref" in value && typeof value.$ref === "string" ? value.$ref.split("/").at(-1) : "") ?? "";
  for (const [status, response] of Object.entries(operation.responses)) {
    operation.responses[status] = structuredClone(responses[nameOf(response)] ?? response);
  }
  operation.parameters = operation.parameters.map((parameter) => parameters[nameOf(parameter)] ?? parameter);
}
beforeAll(async () => {
  api = await startApi();
  const text = await (await api.fetch("/v1/openapi.json")).text();
  reference = JSON.parse(text);
  written = JSON.parse(text);
  for (const operation of Object.values(reference.paths).flatMap((methods) => Object.values(methods)))
    follow(operation);
});
afterAll(() => api.stop());

const operations = () =>
  Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

test("the reference is version 1.0.0-rc.3 and lists exactly the operations that are served", () => {
  expect(reference.openapi).toStartWith("3.1");
  expect(reference.info.version).toBe("1.0.0-rc.3");
  const served = api.api.routes
    .filter(({ path }) => path.startsWith("/v1/") && path !== "/v1/openapi.json")
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  expect(
    operations()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(served.sort());
});

test("the reference is a valid OpenAPI document", async () => {
  const { valid, errors } = await new Validator().validate({ ...written });
  expect([valid, errors]).toEqual([true, undefined]);
});

test("the example of a repeated request's 200 says that it is one, and that of a 202 does not", () => {
  const repeated = operations().filter(({ operation }) => operation.responses[200] && operation.responses[202]);
  expect(repeated.length).toBeGreaterThan(5);
  for (const { name, operation } of repeated) {
    const example = operation.responses[200]?.content?.["application/json"].example;
    const one = Array.isArray(example) ? example[0] : example;
    expect({ name, one }).toEqual({ name, one: expect.objectContaining({ duplicate: true }) });
    expect(operation.responses[202]?.content?.["application/json"].example).toBeUndefined();
  }
});

test("a header with rules states them as a pattern that accepts and refuses what the service does", () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom("a", ",", " ", "~", "!", "é", "\t"), { maxLength: 8 }).map((all) => all.join("")),
    fc.string({ maxLength: 102 }),
    fc.constantFrom("a".repeat(64), "a".repeat(65), "a".repeat(100), "a".repeat(101), ", ", "a, b", " a", "a "),
  );
  const headers = { "Idempotency-Key": isIdempotencyKey, "Peyk-Campaign": isCampaignName };
  for (const [name, isAllowed] of Object.entries(headers)) {
    const found = operations().flatMap(({ operation }) => operation.parameters.filter((one) => one.name === name));
    expect(found.length).toBeGreaterThan(0);
    for (const { schema, description } of found) {
      expect(description).toContain("without a comma before a space");
      const { pattern = "", minLength = 0, maxLength = 0 } = schema;
      // Generated clients are written in languages that have no lookahead.
      expect(pattern).not.toContain("(?=");
      const form = new RegExp(pattern);
      const fits = (given: string) => given.length >= minLength && given.length <= maxLength && form.test(given);
      fc.assert(
        // HTTP drops spaces at the ends.
        fc.property(text, (given) => fits(given) === (isAllowed(given) && given === given.trim())),
        { numRuns: 3_000 },
      );
      // A pattern that backtracks would hold up whoever checks by it.
      const startedMs = performance.now();
      form.test("a, ".repeat(20_000));
      form.test(`${"a,".repeat(20_000)} `);
      form.test(`${" ".repeat(20_000)},,`);
      expect(performance.now() - startedMs).toBeLessThan(1_000);
    }
  }
});

test("a campaign occurs in answers to requests that may name one, and in no others", () => {
  const withCampaign = operations().filter(({ operation }) =>
    Object.values(operation.responses).some(({ content }) =>
      fieldsOf(content?.["application/json"].schema ?? {}, "").some(([path]) => path.endsWith(".campaign")),
    ),
  );
  const naming = operations().filter(({ operation }) =>
    operation.parameters.some((one) => one.name === "Peyk-Campaign"),
  );
  expect(withCampaign.map(({ name }) => name)).toEqual(naming.map(({ name }) => name));
  expect(naming.length).toBe(2);
});

test("every schema is used by an operation, since generators leave out what only webhooks use", () => {
  const reached = new Set<string>();
  const reach = (value: unknown) => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (reached.has(name)) continue;
      reached.add(name);
      reach(written.components.schemas[name]);
    }
  };
  reach([written.paths, written.components.responses]);
  expect(Object.keys(written.components.schemas).filter((name) => !reached.has(name))).toEqual([]);
  const { callbacks } = JSON.parse(JSON.stringify(written.paths["/v1/webhooks/"]?.post));
  expect(Object.keys(callbacks)).toHaveLength(Object.keys(written.webhooks).length);
});

test("every path is spelled as documented, with the slash at the end of the webhooks", () => {
  expect(Object.keys(reference.paths)).toContain("/v1/webhooks/");
  expect(Object.keys(reference.paths).filter((path) => path.endsWith("/"))).toEqual(["/v1/webhooks/"]);
});

test("the plugin's own paths are not served, and no page loads anything from other hosts", async () => {
  for (const path of ["/docs", "/docs/start.js"]) {
    const text = await (await api.fetch(path)).text();
    expect(text).not.toMatch(/https?:\/\//);
  }
  expect((await api.fetch("/swagger")).status).toBe(404);
});

/** Every field of a schema with its path, references followed. */
function fieldsOf(schema: Schema, path: string): [string, Schema][] {
  const own =
    schema.$ref === undefined ? schema : (reference.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const inner = Object.entries(own.properties ?? {}).flatMap(([name, child]) => fieldsOf(child, `${path}.${name}`));
  const items = own.items === undefined ? [] : fieldsOf(own.items, `${path}[]`);
  return [[path, own], ...inner, ...items];
}
const typeOf = ({ type }: Schema) => (Array.isArray(type) ? type.filter((name) => name !== "null").join() : type);
const isLeaf = ([, schema]: [string, Schema]) => schema.properties === undefined && schema.items === undefined;

test("every field of every request body has a description, limits, an example and its errors", () => {
  const bodies = operations().flatMap(({ name, operation }) =>
    operation.requestBody === undefined ? [] : fieldsOf(operation.requestBody.content["application/json"].schema, name),
  );
  expect(bodies.length).toBeGreaterThan(10);
  for (const [path, field] of bodies.filter(isLeaf)) {
    expect([path, field.description]).toEqual([path, expect.stringMatching(/Errors: `/)]);
    expect([path, field.example]).not.toEqual([path, undefined]);
    const isBounded =
      typeOf(field) !== "string" ||
      field.enum !== undefined ||
      field.maxLength !== undefined ||
      path.endsWith("sendAt");
    expect([path, isBounded]).toEqual([path, true]);
  }
});

test("every field of every response has a type, a description and an example", () => {
  const answers = operations().flatMap(({ name, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) =>
      content === undefined ? [] : fieldsOf(content["application/json"].schema, `${name} ${status}`),
    ),
  );
  expect(answers.length).toBeGreaterThan(100);
  for (const [path, field] of answers.filter(isLeaf)) {
    expect([path, typeof typeOf(field), typeof field.description]).toEqual([path, "string", "string"]);
    expect([path, field.example]).not.toEqual([path, undefined]);
  }
});

test("every operation has its permission, parameters and headers, and an example of each error", () => {
  for (const { name, operation } of operations()) {
    expect([name, operation.description]).toEqual([name, expect.stringContaining("Permission: `")]);
    expect(operation.security).toEqual([{ ApiKey: [] }]);
    for (const parameter of operation.parameters) expect(parameter.example).toBeDefined();
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(Object.keys(response.headers)).toContain("X-Correlation-Id");
      expect(response.description).not.toBe("");
      for (const [code, { value }] of Object.entries(response.content?.["application/json"].examples ?? {})) {
        const known = Object.entries(apiErrors).find(([name]) => name === code);
        expect(`${known?.[1].status} ${known?.[0]}`).toBe(`${status} ${code}`);
        expect(value).toMatchObject({ code, message: expect.any(String), correlationId: expect.any(String) });
      }
    }
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(["401", "403", "413", "415", "429", "500", "503"]));
    expect(statuses.some((status) => status.startsWith("2"))).toBe(true);
  }
});

test("the error schema lists every code of the registry", () => {
  const codes = reference.components.schemas.Error?.properties?.code?.enum;
  expect(codes).toEqual(Object.keys(apiErrors));
});

test("generated clients get names: each operation has a verb, and each object a name of its own", () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^(send|schedule|get|list|cancel|create|update|delete|verify|test)[A-Z]\w+$/);
  const unnamed: string[] = [];
  const visit = (value: unknown, path: string, isNamed: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    if ("properties" in value && "type" in value && !isNamed) unnamed.push(path);
    for (const [name, child] of Object.entries(value)) {
      if (name !== "example" && name !== "examples") visit(child, `${path}/${name}`, path === "/components/schemas");
    }
  };
  visit(written, "", false);
  expect(unnamed).toEqual([]);
  expect(Object.keys(written.components.schemas)).toContain("SendMessageRequest");
});

test("the reference says how to begin, where it is served and what each chapter covers, and shows a first answer before a repeat's", async () => {
  expect(reference.info.description).toMatch(/^[^\n]+\n\n## Begin\n\n```sh\ncurl [\s\S]*## Authentication/);
  expect(reference.info.description).toContain("50000 values");
  expect(written.servers).toEqual([{ url: "/", description: expect.any(String) }]);
  const used = new Set(operations().flatMap(({ operation }) => operation.tags));
  expect(written.tags.map(({ name }) => name).filter((name) => name !== "Events")).toEqual([...used]);
  for (const { description } of written.tags) expect(description).toEndWith(".");
  const text = await (await api.fetch("/v1/openapi.json")).text();
  expect(text.indexOf('"202":')).toBeLessThan(text.indexOf('"200":'));
});

test("an operation's description is short, since shared parts are stated once", () => {
  for (const methods of Object.values(written.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      expect([method, JSON.stringify(operation).length < 4_000]).toEqual([method, true]);
    }
  }
});

test("any correlation id may be sent, and the example of a cursor works", async () => {
  const { CorrelationId } = written.components.parameters;
  expect(JSON.stringify(CorrelationId)).not.toContain("pattern");
  const after = reference.paths["/v1/inbound-messages"]?.get?.parameters.find(({ name }) => name === "after")?.example;
  const page = await api.call("GET", `/v1/inbound-messages?after=${after}`);
  expect([page.status, await page.json()]).toMatchObject([200, { items: [], hasMore: false }]);
});

test("the events are described as they are sent", () => {
  const ajv = new Ajv({ strict: false });
  addFormats(ajv);
  ajv.addSchema({ ...written, $id: "reference" });
  const id = crypto.randomUUID();
  const change = { trackingCode: "x", clientReference: null, sender: "1", recipient: "+98", changedAt: 1 };
  const sent = {
    "message.status": statusEnvelope(id, 1, { ...change, status: "sent" }),
    "inbound.received": inboundEnvelope(id, 1, {
      trackingCode: "x",
      sender: "1",
      receiver: "2",
      message: "",
      receivedAt: 1,
    }),
    "webhook.test": testEnvelope(id, 1, id),
  };
  expect(Object.keys(written.webhooks)).toEqual(Object.keys(sent));
  for (const [kind, body] of Object.entries(sent)) {
    const place = `reference#/webhooks/${kind}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema(place);
    expect([kind, validate?.(JSON.parse(body)), validate?.errors]).toEqual([kind, true, null]);
    expect(validate?.({ ...JSON.parse(body), type: "other" })).toBe(false);
    const headers = written.webhooks[kind]?.post.parameters.map(({ name }) => name);
    expect(headers).toEqual(["X-Service-Event-Id", "X-Service-Event", "X-Service-Timestamp", "X-Service-Signature"]);
  }
});

test("every $ref resolves", () => {
  const links = [...JSON.stringify(written).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(links.length).toBeGreaterThan(50);
  const components: Record<string, Record<string, unknown>> = { ...written.components };
  for (const [, kind = "", name = ""] of links)
    expect([name, components[kind]?.[name] !== undefined]).toEqual([name, true]);
});

test("the examples of the message bodies are accepted as they are", async () => {
  const { apiKey } = await api.customer();
  for (const path of ["/v1/messages", "/v1/messages/batch", "/v1/messages/scheduled"]) {
    const body = reference.paths[path]?.post?.requestBody?.content["application/json"].example;
    const response = await api.send(path, body, crypto.randomUUID(), { "X-API-Key": apiKey });
    expect([path, response.status]).toEqual([path, 202]);
  }
});

describe("the reference page", () => {
  test("loads files of the service alone, and may run nothing else", async () => {
    const page = await api.fetch("/docs");
    const links = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link = ""]) => link);
    expect(links).toContain("/docs/start.js");
    const [, loaded = ""] = /script\.src = "(\/[^"]+)"/.exec(await (await api.fetch("/docs/start.js")).text()) ?? [];
    links.push(loaded);
    for (const link of links) expect([link, (await api.fetch(link)).status]).toEqual([link, 200]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});
