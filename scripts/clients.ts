/**
 * Generates the types and operations in clients/ from openapi.json. Run `bun run clients` after changing the public
 * API.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startApi } from "../test/support/api.ts";
import { apiModelOf, type OpenApiDocument } from "./clients/api-model.ts";
import { phpFiles } from "./clients/php.ts";
import { pythonFiles } from "./clients/python.ts";
import { typescriptFiles } from "./clients/typescript.ts";

const root = join(import.meta.dir, "..");
const biome = join(root, "node_modules", ".bin", "biome");

async function document(): Promise<OpenApiDocument> {
  const api = await startApi();
  try {
    return await (await api.fetch("/v1/openapi.json")).json();
  } finally {
    await api.stop();
  }
}

function formatted(path: string, text: string): string {
  if (!path.endsWith(".ts")) return text;
  const command = [biome, "format", `--stdin-file-path=${path}`];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root, stdin: Buffer.from(text) });
  if (exitCode !== 0) throw new Error(`${path}: ${stderr}`);
  return stdout.toString();
}

/** Keyed by path in the repository. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const model = apiModelOf(await document());
  const files = { ...typescriptFiles(model), ...pythonFiles(model), ...phpFiles(model) };
  return new Map(Object.entries(files).map(([path, text]) => [path, formatted(path, text)]));
}

/** Contains generated files only. */
export const generatedFolders: readonly string[] = [];

if (import.meta.main) {
  for (const folder of generatedFolders) rmSync(join(root, folder), { recursive: true, force: true });
  for (const [path, text] of await generatedFiles()) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}
