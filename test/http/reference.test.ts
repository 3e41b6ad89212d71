/** The reference: complete, in agreement with what is enforced, and readable offline. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { apiErrors } from "../../src/domain/api-error.ts";
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
  summary: string;
  description: string;
  security: unknown;
  parameters: { name: string; in: string; required: boolean; description: string; example: unknown }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; headers: Record<string, unknown>; content?: Content }>;
}
interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
}

let api: Api;
let reference: OpenApi;
beforeAll(async () => {
  api = await startApi();
  reference = await (await api.fetch("/v1/openapi.json")).json();
});
afterAll(() => api.stop());

const operations = () =>
  Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );

test("it is version 1.0.0-rc.3 and holds every operation that is served, and no other", () => {
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

test("it is a valid OpenAPI document", async () => {
  const { valid, errors } = await new Validator().validate({ ...reference });
  expect([valid, errors]).toEqual([true, undefined]);
});

test("every path is spelled as the contract spells it, the slash at the end of the webhooks included", () => {
  expect(Object.keys(reference.paths)).toContain("/v1/webhooks/");
  expect(Object.keys(reference.paths).filter((path) => path.endsWith("/"))).toEqual(["/v1/webhooks/"]);
});

test("the plugin's own page is not served, and no page loads anything from elsewhere", async () => {
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

test("the error schema holds every code of the registry", () => {
  const codes = reference.components.schemas.Error?.properties?.code?.enum;
  expect(codes).toEqual(Object.keys(apiErrors));
});

test("every $ref is resolved", () => {
  const links = [...JSON.stringify(reference).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(links.length).toBeGreaterThan(50);
  const components: Record<string, Record<string, unknown>> = { ...reference.components };
  for (const [, kind = "", name = ""] of links)
    expect([name, components[kind]?.[name] !== undefined]).toEqual([name, true]);
});

test("the examples of the message bodies are accepted as they stand", async () => {
  const { apiKey } = await api.customer();
  for (const path of ["/v1/messages", "/v1/messages/batch", "/v1/messages/scheduled"]) {
    const body = reference.paths[path]?.post?.requestBody?.content["application/json"].example;
    const response = await api.send(path, body, crypto.randomUUID(), { "X-API-Key": apiKey });
    expect([path, response.status]).toEqual([path, 202]);
  }
});

describe("the page", () => {
  test("loads files of the service alone, and may run nothing else", async () => {
    const page = await api.fetch("/docs");
    const links = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link = ""]) => link);
    expect(links).toContain("/docs/swagger-ui-bundle.js");
    for (const link of links) expect([link, (await api.fetch(link)).status]).toEqual([link, 200]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("offers no button that sends a request", async () => {
    expect(await (await api.fetch("/docs/start.js")).text()).toContain("supportedSubmitMethods: []");
  });
});
