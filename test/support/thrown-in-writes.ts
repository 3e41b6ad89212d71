/**
 * Finds every `throw` that a write may reach: by the names of what is called, so that it finds too many rather than too
 * few.
 */
import { type Node, type Program, parseSync, Visitor } from "oxc-parser";
import { lastName, type SourceFile } from "./source-tree.ts";

interface FoundFunction {
  file: SourceFile;
  name: string;
  start: number;
  end: number;
  /** It is given the tables, so it may run inside a write. */
  isOfWrite: boolean;
  calls: Set<string>;
  throws: string[];
  inner: FoundFunction[];
}

/** Whoever subscribes there runs inside the writes of others. */
const listenerMethods = new Set(["onStatus", "onInbound", "write", "append"]);

/** As `file name: what is thrown`, once each. */
export function thrownInWrites(files: readonly SourceFile[]): Set<string> {
  const functions = files.flatMap(functionsOf);
  const byName = Map.groupBy(functions, ({ name }) => name);
  const importedBy = importsOf(files);
  const reached = new Set(functions.filter(({ isOfWrite }) => isOfWrite));
  // A set is iterated over what is added meanwhile, too.
  for (const { file, calls, inner } of reached) {
    for (const one of inner) reached.add(one);
    const imported = importedBy.get(file.path);
    for (const name of calls)
      for (const one of byName.get(name) ?? [])
        if (name.startsWith("#") ? one.file === file : imported?.has(one.file.path)) reached.add(one);
  }
  return new Set(
    [...reached].flatMap(({ file, name, throws }) => throws.map((what) => `${file.path} ${name}: ${what}`)),
  );
}

/** Every file with all that it imports, itself included. */
function importsOf(files: readonly SourceFile[]): Map<string, Set<string>> {
  const direct = new Map(files.map(({ path, imports }) => [path, imports]));
  return new Map(
    files.map(({ path }) => {
      const all = new Set([path]);
      for (const one of all) for (const target of direct.get(one) ?? []) if (direct.has(target)) all.add(target);
      return [path, all];
    }),
  );
}

function functionsOf(file: SourceFile): FoundFunction[] {
  const { program } = parseSync(file.path, file.text);
  const functions = declaredIn(file, program);
  const around = (start: number) =>
    functions.filter((one) => one.start <= start && start < one.end).sort((a, b) => b.start - a.start || a.end - b.end);
  for (const one of functions)
    around(one.start)
      .find((other) => other !== one && other.end >= one.end)
      ?.inner.push(one);
  const textOf = ({ start, end }: Node) => file.text.slice(start, end).replace(/\s+/g, " ");
  new Visitor({
    CallExpression({ callee, arguments: args, start }) {
      const name = lastName(callee);
      const calls = around(start)[0]?.calls;
      if (name !== null) calls?.add(name);
      for (const argument of args) {
        const handed = lastName(argument);
        if (handed !== null) calls?.add(handed);
        if (name === null || !listenerMethods.has(name)) continue;
        for (const one of functions) if (one.start === argument.start) one.isOfWrite = true;
      }
    },
    ThrowStatement: ({ argument, start }) => void around(start)[0]?.throws.push(thrown(textOf(argument))),
  }).visit(program);
  return functions;
}

/** `new OperatorError("key_revoked", …)` as `OperatorError key_revoked`. */
function thrown(text: string): string {
  const [, error = text, code = ""] = /^(?:new )?([\w.#]+)(?:\(\s*"([^"]*)")?/.exec(text) ?? [];
  return `${error} ${code}`.trim();
}

function declaredIn(file: SourceFile, program: Program): FoundFunction[] {
  const found: FoundFunction[] = [];
  const held = new Map<number, string>();
  const hold = (name: string | null, value: Node | null) => {
    if (name !== null && value !== null) held.set(value.start, name);
  };
  const add = ({ id, params, start, end }: DeclaredFunction) => {
    const isOfWrite = params.some((one) => /^tables\b|: Tables\b/.test(file.text.slice(one.start, one.end)));
    const name = id?.name ?? held.get(start) ?? "";
    found.push({ file, name, start, end, isOfWrite, calls: new Set(), throws: [], inner: [] });
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

interface DeclaredFunction {
  id?: { name: string } | null;
  params: readonly Node[];
  start: number;
  end: number;
}
