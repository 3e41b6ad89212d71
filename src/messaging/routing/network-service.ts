/** Operator actions on networks: adds number ranges from CSV, and removes them. */

import { Readable } from "node:stream";
import { type CsvError, type Info, parse } from "csv-parse";
import { lastBegun, type OwnedRange } from "../../domain/network-ranges.ts";
import { type NumberRange, parseNumberRange, rangesOverlap, rangeText } from "../../domain/number-range.ts";
import { invalidRequest, OperatorError } from "../../domain/operator-error.ts";
import { type OperatorProblem, problemOf } from "../../domain/operator-problem.ts";
import { nextTurn, piecesOf } from "../../platform/next-turn.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Networks } from "./networks.ts";

export interface NetworkServiceDeps {
  store: Store;
  networks: Networks;
}

export interface NetworkImport {
  added: number;
  /** Lines that matched existing ranges. */
  unchanged: number;
}

interface WrongLine {
  line: number;
  problem: OperatorProblem;
}

interface RangeLine {
  line: number;
  network: string;
  range: NumberRange;
}

const header = ["network", "range"];
const nameLengthMax = 60;
/** Reading, storing and loading take 10 to 25 ms each, in separate turns. */
const rangesMax = 10_000;
/** More than exist in the world. A file with twice as many takes 70 ms to store. */
const networksMax = 4_000;

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export class NetworkService {
  readonly #deps: NetworkServiceDeps;

  constructor(deps: NetworkServiceDeps) {
    this.#deps = deps;
  }

  /** Lines of `network,range` below a header. If any line is wrong, reports all wrong lines and adds nothing. */
  async import(csv: string): Promise<NetworkImport> {
    const records = await recordsOf(csv);
    const lines = rangeLines(records);
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
      const idOf = this.#idsOf(tables, added);
      tables.networks.insertRanges(added.map(({ network, range }) => ({ ...range, networkId: idOf(network) })));
      return { added: added.length, unchanged: lines.length - added.length };
    });
    await nextTurn();
    networks.reload(store.tables);
    return imported;
  }

  /** Removes the network's added ranges and returns their number; built-in ranges stay. */
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
    const [value, mine] = [rangeText(range), rangeText(other)];
    return wrongLine(line, (key) => problemOf(key, "range_of_other", { value, other: mine, owner }));
  }

  /** The ids of the lines' networks by name; stores those that are new. */
  #idsOf({ networks }: Tables, lines: readonly RangeLine[]): (network: string) => number {
    const known = (name: string) => this.#deps.networks.byName(name)?.id;
    const stored = () => new Map(networks.all().map(({ id, name }) => [name.toLowerCase(), id]));
    let ids = stored();
    const added = new Map(lines.map(({ network }) => [network.toLowerCase(), network]));
    for (const name of added.keys()) if (ids.has(name) || known(name) !== undefined) added.delete(name);
    if (added.size > 0) {
      networks.insert(added.values());
      ids = stored();
    }
    return (network) => {
      const id = known(network) ?? ids.get(network.toLowerCase());
      if (id === undefined) throw new Error(`The network ${network} was not stored`);
      return id;
    };
  }
}

/** Options list names separated by commas. */
const isName = (name: string) => name !== "" && name.length <= nameLengthMax && !/[,\p{Cc}]/u.test(name);

const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const wrongLine = (line: number, problemAt: (key: string) => OperatorProblem): WrongLine => ({
  line,
  problem: problemAt(`line ${line}`),
});

/** Reports the lines in file order. */
const invalidLines = (wrong: readonly WrongLine[]): OperatorError =>
  invalidRequest(wrong.toSorted((a, b) => a.line - b.line).map(({ problem }) => problem));

function rangeLines(records: readonly CsvRecord[]): RangeLine[] {
  const [first, ...rest] = records;
  const isHeader = header.every((name, column) => first?.fields[column]?.toLowerCase() === name);
  if (!isHeader) throw invalidLines([wrongLine(1, (key) => problemOf(key, "csv_header", { columns: header }))]);
  if (rest.length > rangesMax)
    throw invalidLines([wrongLine(rangesMax + 2, (key) => problemOf(key, "too_many_ranges", { max: rangesMax }))]);
  const problems: WrongLine[] = [];
  const names = new Set<string>();
  const lines = rest.flatMap(({ line, fields: [network = "", text = ""] }) => {
    const range = parseNumberRange(text);
    if (names.add(network.toLowerCase()).size > networksMax)
      throw invalidLines([wrongLine(line, (key) => problemOf(key, "too_many_networks", { max: networksMax }))]);
    if (!isName(network)) {
      problems.push(wrongLine(line, (key) => problemOf(key, "network_name", { max: nameLengthMax })));
    }
    if (network.includes("\ufffd")) problems.push(wrongLine(line, (key) => problemOf(key, "network_encoding", {})));
    if (range !== null) return [{ line, network, range }];
    problems.push(wrongLine(line, (key) => problemOf(key, "unknown_range", { value: text })));
    return [];
  });
  problems.push(...overlapsWithin(lines));
  if (problems.length > 0) throw invalidLines(problems);
  return lines;
}

/** Sorted by start, a range that overlaps any earlier one also overlaps the one that reaches farthest. */
function overlapsWithin(lines: readonly RangeLine[]): WrongLine[] {
  const problems: WrongLine[] = [];
  let farthest: RangeLine | null = null;
  for (const one of lines.toSorted((a, b) => a.range.first - b.range.first)) {
    if (farthest !== null && rangesOverlap(farthest.range, one.range)) {
      const [earlier, later] = farthest.line < one.line ? [farthest, one] : [one, farthest];
      const [value, other] = [rangeText(later.range), rangeText(earlier.range)];
      problems.push(
        wrongLine(later.line, (key) => problemOf(key, "range_of_line", { value, other, line: earlier.line })),
      );
    }
    if (farthest === null || one.range.last > farthest.range.last) farthest = one;
  }
  return problems;
}

interface CsvRecord {
  line: number;
  fields: readonly string[];
}

async function recordsOf(csv: string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  const parser = parse({
    bom: true,
    delimiter: [",", ";"],
    trim: true,
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
  });
  try {
    for await (const row of Readable.from(piecesOf(csv)).pipe(parser)) {
      const { record, info }: { record: readonly string[]; info: Info } = row;
      records.push({ line: info.lines, fields: record });
    }
  } catch (reason) {
    if (!isCsvError(reason)) throw reason;
    throw invalidLines([
      wrongLine(Number(reason.lines ?? 1), (key) => problemOf(key, "unreadable_csv", { reason: reason.message })),
    ]);
  }
  return records;
}

const isCsvError = (reason: unknown): reason is CsvError =>
  reason instanceof Error && "code" in reason && String(reason.code).startsWith("CSV_");
