/** The client libraries as built packages in fresh projects: every operation against a real server, and servers that die. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { clientFolder, type LibraryUser, libraryUsers, output } from "../support/client-packages.ts";
import { type ClientService, startClientService } from "../support/client-service.ts";
import { eventually } from "../support/peyk-process.ts";
import { programAt } from "../support/programs.ts";
import { signatureVectors } from "../support/signature-vectors.ts";

/** 10 unless told: `bun run test:clients` asks for 100. */
const kills = Number(process.env.TEST_CLIENT_KILLS ?? 10);
const timeoutMs = 60_000 + kills * 10_000;
const texts = ["یک", "دو", "سه"];

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { content?: unknown }> }>>;
}
interface SentMessage {
  reference: string;
  trackingCode: string;
}

const absent = ["node", "npm", "python3", "pip3", "php", "composer"].filter((name) => programAt(name) === null);
const folder = clientFolder();
let service: ClientService;
let users: LibraryUser[];
let document: OpenApi;

beforeAll(async () => {
  [service, users] = await Promise.all([startClientService(), libraryUsers(folder.path)]);
  for (const text of texts) await service.receive(text);
  const arrived = async () => (await (await service.fetch("/v1/inbound-messages")).text()).includes("سه");
  await eventually(arrived);
  document = await (await service.fetch("/v1/openapi.json")).json();
}, timeoutMs);
afterAll(async () => {
  await service.stop();
  folder.remove();
});

/** Where the answers of a journey differ from the reference, by operation. */
function problemsIn(answers: Readonly<Record<string, unknown>>): string[] {
  const ajv = addFormats(new Ajv({ strict: false }));
  ajv.addSchema({ $id: "openapi", ...document });
  const problems = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, responses }]) => {
      const [status, success] = Object.entries(responses).find(([one]) => one.startsWith("2")) ?? [];
      if (success?.content === undefined) return answers[operationId] === null ? [] : [`${operationId} answered`];
      const steps = ["paths", path, method, "responses", status ?? "", "content", "application/json", "schema"];
      const pointer = steps
        .map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")))
        .join("/");
      const check = ajv.compile({ $ref: `openapi#/${pointer}` });
      return check(answers[operationId]) ? [] : [`${operationId}: ${ajv.errorsText(check.errors)}`];
    }),
  );
  const check = ajv.compile({ $ref: "openapi#/components/schemas/WebhookTestEvent" });
  return check(answers.event) ? problems : [...problems, `event: ${ajv.errorsText(check.errors)}`];
}

async function journey(user: LibraryUser, env: Readonly<Record<string, string>>) {
  const printed = await output(user.command("journey"), { cwd: user.cwd, env });
  const answers: Record<string, unknown> = JSON.parse(printed);
  expect(problemsIn(answers)).toEqual([]);
  expect(answers).toMatchObject({
    inbound: texts,
    verifyOtpChallenge: { status: "verified" },
    error: { status: 400, code: "validation_failed", correlationId: "journey" },
  });
  return answers;
}

test(
  `each library calls every operation, and the server answers as the reference says${absent.length > 0 ? ` (without ${absent})` : ""}`,
  async () => {
    for (const [index, user] of users.entries()) {
      const answers = await journey(user, { ...service.env, PEYK_DIGIT: String(index) });
      expect(answers).toMatchObject({ error: { fields: ["recipient: invalid_phone_number", "message: too_short"] } });
      const trackingCode = String(answers.trackingCode);
      expect(
        service.rows(`SELECT client_reference AS reference FROM message WHERE tracking_code = '${trackingCode}'`),
      ).toEqual([{ reference: "order-1042" }]);
    }
  },
  timeoutMs,
);

test(
  "each library calls every operation on its fake, which answers as the reference says",
  async () => {
    for (const user of users.filter(({ hasOwnFake }) => hasOwnFake)) {
      await journey(user, { PEYK_RECEIVER: "https://hooks.example.com/sms", PEYK_DIGIT: "0" });
    }
  },
  timeoutMs,
);

test(
  "the examples in the READMEs run",
  async () => {
    for (const { examples, cwd } of users) {
      expect(examples.length).toBeGreaterThanOrEqual(3);
      for (const command of examples) await output(command, { cwd, env: service.env });
    }
  },
  timeoutMs,
);

test(
  "each library retries, waits, throws and verifies as its README says",
  async () => {
    const env = { PEYK_VECTORS: JSON.stringify(signatureVectors()) };
    for (const { behaviour, cwd } of users) if (behaviour !== null) await output(behaviour, { cwd, env });
  },
  timeoutMs,
);

const consumer = `
const peyk = new Peyk({ baseUrl: "http://127.0.0.1", apiKey: "k" });
export const sent = (): Promise<string> => peyk.sendMessage({ sender: "1", recipient: "2", message: "3" }).then((r) => r.trackingCode);
// @ts-expect-error: there is no message without a recipient.
export const refused = () => peyk.sendMessage({ sender: "1", message: "3" });
console.log(typeof peyk.sendMessage);
`;

test(
  "the TypeScript library works as ESM and as CommonJS, each with its types",
  async () => {
    const { cwd = "", command } = users.find(({ name }) => name === "node" || name === "bun") ?? {};
    const tsc = join(import.meta.dir, "..", "..", "node_modules", ".bin", "tsc");
    const imports = {
      mts: 'import { Peyk } from "peyk-client";',
      cts: 'import peyk_ = require("peyk-client"); const { Peyk } = peyk_;',
    };
    for (const [ending, line] of Object.entries(imports))
      writeFileSync(join(cwd, `consumer.${ending}`), `${line}${consumer}`);
    const options = ["--strict", "--target", "es2022", "--lib", "es2023,dom", "--types", "", "--module", "nodenext"];
    await output([tsc, ...options, "consumer.mts", "consumer.cts"], { cwd });
    const [runtime = ""] = command?.("journey") ?? [];
    for (const file of ["consumer.mjs", "consumer.cjs"]) {
      expect(await output([runtime, file], { cwd })).toBe("function\n");
    }
  },
  timeoutMs,
);

describe(`${kills} kills (SIGKILL) during requests`, () => {
  const sent: Record<string, string[]> = {};

  beforeAll(async () => {
    const stop = join(folder.path, "STOP");
    const running = users.map(async (user) => {
      const env = { ...service.env, PEYK_NAME: user.name, PEYK_STOP: stop, PEYK_MESSAGES: String(kills) };
      sent[user.name] = JSON.parse(await output(user.command("sender"), { cwd: user.cwd, env }));
    });
    try {
      for (let index = 0; index < kills; index += 1) {
        const { name } = users[index % users.length] ?? { name: "" };
        // By number, so that every library sees both.
        const moment = Math.floor(index / users.length) % 2 === 0 ? "lost" : "taken";
        // No program ends before it is told to, unless it failed.
        await Promise.race([service.killOver(`"${name}-`, moment), Promise.all(running)]);
      }
    } finally {
      writeFileSync(stop, "");
      await Promise.allSettled(running);
    }
    await Promise.all(running);
  }, timeoutMs);

  test("lose no message and send none twice", () => {
    for (const { name } of users) {
      const rows = service.rows<SentMessage>(
        `SELECT client_reference AS reference, tracking_code AS trackingCode FROM message
         WHERE client_reference LIKE '${name}-%-' ORDER BY id`,
      );
      const codes = sent[name] ?? [];
      expect(codes.length).toBeGreaterThanOrEqual(kills);
      expect(rows).toEqual(codes.map((trackingCode, index) => ({ reference: `${name}-${index}-`, trackingCode })));
    }
  });
});
