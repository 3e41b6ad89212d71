/** Parses src/: each file's imports, the names that it exports, and its functions. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Glob } from "bun";
// TypeScript 7 parses in a process of its own, over a pipe that Bun 1.4.5 lacks (`_handle.fd`).
import {
  type ArrowFunctionExpression,
  type Node,
  type Program,
  parseSync,
  Visitor,
  type VisitorObject,
} from "oxc-parser";

const root = join(import.meta.dir, "..", "..");

export interface SourceFunction {
  /** As declared, or the name of the constant or method that holds it; null for an anonymous one. */
  name: string | null;
  /** The number of parameters, including optional ones and a rest parameter. */
  parameterCount: number;
  /** The line it begins on, from 1. */
  line: number;
  /** From its first line to its last. */
  lineCount: number;
}

/** A function passed by name to a method that calls it for each entry: `texts.map(parse)`. */
export interface HandedFunction {
  method: string;
  /** Its last name: `parse` in `this.rules.parse`. */
  name: string;
  line: number;
}

export interface SourceFile {
  /** Relative to the repository's root: `src/main.ts`. */
  path: string;
  text: string;
  /** A path from the root for one of our files, otherwise the package's name; includes types and `import()`. */
  imports: readonly string[];
  /** What is declared and exported here; a re-export belongs to the file that declares it. */
  exports: readonly string[];
  /** Functions, methods and arrow functions, including nested ones. */
  functions: readonly SourceFunction[];
  handed: readonly HandedFunction[];
}

/** Every file of src/, by path. */
export function readSourceTree(): SourceFile[] {
  const paths = [...new Glob("src/**/*.{ts,tsx}").scanSync(root)].sort();
  return paths.map((path) => readSource(path, readFileSync(join(root, path), "utf8")));
}

export function readSource(path: string, text: string): SourceFile {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const specifiers = [...module.staticImports, ...exported].flatMap(({ moduleRequest }) => moduleRequest?.value ?? []);
  const loadedLater = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1));
  const declared = exported.filter(({ moduleRequest }) => moduleRequest === null);
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  return {
    path,
    text,
    imports: [...new Set([...specifiers, ...loadedLater].map((specifier) => targetOf(path, specifier)))],
    exports: [...new Set(declared.flatMap(({ exportName }) => exportName.name ?? []))],
    functions: functionsOf(program, lineAt),
    handed: handedIn(program, lineAt),
  };
}

function targetOf(path: string, specifier: string): string {
  return specifier.startsWith(".") ? relative(root, join(root, path, "..", specifier)) : specifier;
}

type DeclaredFunction = ArrowFunctionExpression | Parameters<NonNullable<VisitorObject["FunctionDeclaration"]>>[0];

function functionsOf(program: Program, lineAt: (offset: number) => number): SourceFunction[] {
  const found: SourceFunction[] = [];
  /**
   * Maps the start of an arrow or function expression to the name of what holds it, since a holder is visited first.
   */
  const held = new Map<number, string>();
  const hold = (name: string | null, value: Node | null) => {
    if (name !== null && value !== null) held.set(value.start, name);
  };
  const add = (one: DeclaredFunction) => {
    const line = lineAt(one.start);
    const name = one.id?.name ?? held.get(one.start) ?? null;
    found.push({ name, parameterCount: one.params.length, line, lineCount: lineAt(one.end) - line + 1 });
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => hold(lastName(id), init),
    Property: ({ key, value }) => hold(lastName(key), value),
    MethodDefinition: ({ key, value }) => hold(lastName(key), value),
    PropertyDefinition: ({ key, value }) => hold(lastName(key), value),
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program);
  return found;
}

/** Methods that pass more than the entry to a function: its index, and for some the whole list. */
const eachMethods =
  /^(map|flatMap|forEach|filter|some|every|find|findIndex|findLast|findLastIndex|reduce|reduceRight)$/;

function handedIn(program: Program, lineAt: (offset: number) => number): HandedFunction[] {
  const found: HandedFunction[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first, second] }) {
      const method = callee.type === "MemberExpression" ? lastName(callee) : null;
      if (method === null) return;
      const handed = method === "from" ? second : eachMethods.test(method) ? first : undefined;
      const name = handed === undefined ? null : lastName(handed);
      if (handed !== undefined && name !== null) found.push({ method, name, line: lineAt(handed.start) });
    },
  }).visit(program);
  return found;
}

/** `c` of `c`, `b.c` and `this.b.c`, `#c` of `this.#c`; null for anything else. */
export function lastName(node: Node): string | null {
  if (node.type === "Identifier") return node.name;
  if (node.type === "PrivateIdentifier") return `#${node.name}`;
  return node.type === "MemberExpression" && !node.computed ? lastName(node.property) : null;
}

export interface ImportCircle {
  folder: string;
  /** The files and folders in it that import each other in a cycle. */
  names: readonly string[];
}

/**
 * The import cycles among sibling files and folders, for every folder. Both a cycle of two files and one of two folders
 * through their files appear where their paths diverge.
 */
export function circlesBetween(files: readonly SourceFile[]): ImportCircle[] {
  const levels = new Map<string, Map<string, Set<string>>>();
  for (const { path, imports } of files) {
    for (const target of imports.filter((one) => one.startsWith("src/"))) {
      const { folder, from, to } = partingOf(path, target);
      const links = levels.get(folder) ?? new Map<string, Set<string>>();
      levels.set(folder, links.set(from, (links.get(from) ?? new Set()).add(to)));
    }
  }
  return [...levels].flatMap(([folder, links]) => {
    const names = whatIsLeft(links).sort();
    return names.length === 0 ? [] : [{ folder, names }];
  });
}

/** The folder up to which two paths agree, and the name with which each continues. */
function partingOf(one: string, other: string): { folder: string; from: string; to: string } {
  const from = one.split("/");
  const to = other.split("/");
  const depth = from.findIndex((name, index) => name !== to[index]);
  return { folder: from.slice(0, depth).join("/"), from: from[depth] ?? "", to: to[depth] ?? "" };
}

/** Repeatedly removes whatever imports nothing or is imported by nothing. */
function whatIsLeft(links: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Map(links);
  for (;;) {
    const imported = new Set([...left.values()].flatMap((targets) => [...targets]));
    const loose = [...left].filter(
      ([name, targets]) => !imported.has(name) || ![...targets].some((target) => left.has(target)),
    );
    if (loose.length === 0) return [...left.keys()];
    for (const [name] of loose) left.delete(name);
  }
}
