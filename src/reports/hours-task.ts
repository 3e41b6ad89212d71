/** Counts the messages of each account or route, hour by hour. */
import type { Reader } from "../store/reader.ts";
import type { HoursRequest, HoursRow, ReadTask } from "./protocol.ts";

const hourMs = 3_600_000;

export class HoursTask implements ReadTask<HoursRow[]> {
  readonly #rows = new Map<number, HoursRow>();
  #hour = 0;

  constructor(
    private readonly reader: Reader,
    private readonly request: HoursRequest,
  ) {}

  step(): HoursRow[] | null {
    const { by, from, hours } = this.request;
    if (this.#hour >= hours) return [...this.#rows.values()];
    const at = from + this.#hour * hourMs;
    for (const { id, messages, failed } of this.reader.rollups.totals(by, at, at + hourMs)) {
      const row = this.#rowOf(id);
      row.messages[this.#hour] = messages;
      row.failed[this.#hour] = failed;
    }
    this.#hour += 1;
    return null;
  }

  #rowOf(id: number): HoursRow {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const zeros = Array.from({ length: this.request.hours }, () => 0);
    const row = { id, messages: zeros, failed: [...zeros] };
    this.#rows.set(id, row);
    return row;
  }
}
