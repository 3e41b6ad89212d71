/** What an operator does with networks: adds number ranges by CSV, and removes them again. */
import { type CsvError, parse } from "csv-parse/sync";
import { lastBegun, type OwnedRange } from "../../domain/network-ranges.ts";
import { type NumberRange, parseNumberRange, rangesOverlap, rangeText } from "../../domain/number-range.ts";
import { invalidRequest, OperatorError } from "../../domain/operator-error.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Networks } from "./networks.ts";

export interface NetworkServiceDeps {
  store: Store;
  networks: Networks;
}

export interface NetworkImport {
  added: number;
  /** Lines that say what was known before. */
  unchanged: number;
}

interface WrongLine {
  line: number;
  message: string;
}

interface RangeLine {
  line: number;
  network: string;
  range: NumberRange;
}

const header = ["network", "range"];
const nameLengthMax = 60;
/** Read, stored and taken into memory in 20 to 35 ms each, which are turns of their own. */
const rangesMax = 10_000;
/** The world has fewer. Twice as many in a file take 70 ms to store. */
const networksMax = 4_000;

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export class NetworkService {
  readonly #deps: NetworkServiceDeps;

  constructor(deps: NetworkServiceDeps) {
    this.#deps = deps;
  }

  /** Lines of `network,range` below a header; names every wrong line, and adds nothing then. */
  async import(csv: string): Promise<NetworkImport> {
    const lines = rangeLines(csv);
    await nextTurn();
    const { store, networks } = this.#deps;
    const isSame = ({ first, last, networkId }: OwnedRange, { range, network }: RangeLine) =>
      first === range.first && last === range.last && sameName(networks.nameOf(networkId), network);
    const imported = await store.write((tables) => {
      const present = tables.networks.ranges();
      const added: RangeLine[] = [];
      const problems: WrongLine[] = [];
      for (const one of lines) {
        const other = lastBegun(present, one.range.last);
        if (other === undefined || !rangesOverlap(other, one.range)) added.push(one);
        else if (!isSame(other, one)) problems.push(this.#overlapProblem(one, other));
      }
      if (problems.length > 0) throw invalidLines(problems);
      const ids = new Map<string, number>();
      for (const { network, range } of added) {
        const name = network.toLowerCase();
        const networkId = ids.get(name) ?? this.#idOf(tables, network);
        ids.set(name, networkId);
        tables.networks.insertRange({ first: range.first, last: range.last, networkId });
      }
      return { added: added.length, unchanged: lines.length - added.length };
    });
    await nextTurn();
    networks.reload(store.tables);
    return imported;
  }

  /** Removes the ranges that were added for the network; what Peyk knows of it itself stays. Says how many there were. */
  async remove(name: string): Promise<number> {
    const { store, networks } = this.#deps;
    const count = await store.write((tables) => {
      const network = networks.byName(name);
      const ranges = tables.networks.ranges().filter(({ networkId }) => networkId === network?.id);
      if (network === null || ranges.length === 0) throw new OperatorError("network_not_found");
      tables.networks.removeRanges(network.id);
      return ranges.length;
    });
    networks.reload(store.tables);
    return count;
  }

  #overlapProblem({ line, range }: RangeLine, other: OwnedRange): WrongLine {
    const owner = this.#deps.networks.nameOf(other.networkId);
    return wrongLine(line, `${rangeText(range)} overlaps ${rangeText(other)}, which ${owner} has`);
  }

  /** A network of the table, also one that this transaction has just added. */
  #idOf(tables: Tables, name: string): number {
    const known = this.#deps.networks.byName(name);
    return known?.id ?? (tables.networks.byName(name) ?? tables.networks.insert(name)).id;
  }
}

/** Options list names with commas between. */
const isName = (name: string) => name !== "" && name.length <= nameLengthMax && !/[,\p{Cc}]/u.test(name);

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const wrongLine = (line: number, message: string): WrongLine => ({ line, message });

/** Names the lines in the order of the file. */
const invalidLines = (wrong: readonly WrongLine[]): OperatorError =>
  invalidRequest(
    wrong.toSorted((a, b) => a.line - b.line).map(({ line, message }) => ({ key: `line ${line}`, message })),
  );

function rangeLines(csv: string): RangeLine[] {
  const records = recordsOf(csv);
  const [first, ...rest] = records;
  const isHeader = header.every((name, column) => first?.fields[column]?.toLowerCase() === name);
  if (!isHeader) throw invalidLines([wrongLine(1, `must be the header: ${header.join(",")}`)]);
  if (rest.length > rangesMax)
    throw invalidLines([wrongLine(rangesMax + 2, `is one of more than ${rangesMax} ranges`)]);
  const problems: WrongLine[] = [];
  const names = new Set<string>();
  const lines = rest.flatMap(({ line, fields: [network = "", text = ""] }) => {
    const range = parseNumberRange(text);
    if (names.add(network.toLowerCase()).size > networksMax)
      throw invalidLines([wrongLine(line, `names one of more than ${networksMax} networks`)]);
    if (!isName(network)) {
      problems.push(
        wrongLine(line, `the network must have a name of 1 to ${nameLengthMax} characters, without a comma`),
      );
    }
    if (network.includes("\ufffd")) problems.push(wrongLine(line, "the network's name was not UTF-8"));
    if (range !== null) return [{ line, network, range }];
    problems.push(wrongLine(line, `${text} is no range: write +98912, or +98912-+98913`));
    return [];
  });
  problems.push(...overlapsWithin(lines));
  if (problems.length > 0) throw invalidLines(problems);
  return lines;
}

/** Sorted by where they begin, a range that overlaps any before it overlaps the one that reaches farthest. */
function overlapsWithin(lines: readonly RangeLine[]): WrongLine[] {
  const problems: WrongLine[] = [];
  let farthest: RangeLine | null = null;
  for (const one of lines.toSorted((a, b) => a.range.first - b.range.first)) {
    if (farthest !== null && rangesOverlap(farthest.range, one.range)) {
      const [earlier, later] = farthest.line < one.line ? [farthest, one] : [one, farthest];
      const words = `${rangeText(later.range)} overlaps ${rangeText(earlier.range)} of line ${earlier.line}`;
      problems.push(wrongLine(later.line, words));
    }
    if (farthest === null || one.range.last > farthest.range.last) farthest = one;
  }
  return problems;
}

interface CsvRecord {
  line: number;
  fields: readonly string[];
}

function recordsOf(csv: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  try {
    parse(csv, {
      bom: true,
      delimiter: [",", ";"],
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(fields, { lines }) {
        records.push({ line: lines, fields });
        return null;
      },
    });
  } catch (reason) {
    if (!isCsvError(reason)) throw reason;
    throw invalidLines([wrongLine(Number(reason.lines ?? 1), reason.message)]);
  }
  return records;
}

const isCsvError = (reason: unknown): reason is CsvError =>
  reason instanceof Error && "code" in reason && String(reason.code).startsWith("CSV_");
