/** Reads the values that an intake's template names from one call, within a work limit. */
import { type ApiError, type FieldCode, invalid } from "../api-error.ts";
import { valueAt } from "../json-path.ts";
import { percentDecoded } from "../percent-decoding.ts";
import { charsetText } from "../text-charset.ts";
import {
  type IntakeChoice,
  type IntakeCondition,
  type IntakeJoin,
  type IntakePath,
  type IntakeTemplate,
  type IntakeText,
  type IntakeValue,
  intakeLimits,
} from "./intake-template.ts";

/** A call with its parsed body. */
export interface IntakeCall {
  body: unknown;
  query(name: string): string | null;
  header(name: string): string | null;
}

/** Throws ApiError `validation_failed`, whose field is a key of the template. */
export const intakeProblem = (field: string, code: FieldCode, message: string): ApiError =>
  invalid([{ field, code, message }]);

const { lookupsMax, unitsMax } = intakeLimits;

type Encoding = Pick<IntakeTemplate, "charset" | "urldecode">;

/** One call and the remaining work limit. */
export class IntakeReading {
  /** A long text that many elements name is decoded once. */
  readonly #decoded = new Map<string, string>();
  #lookups = 0;
  #units = 0;

  constructor(
    private readonly call: IntakeCall,
    private readonly encoding: Encoding,
  ) {}

  /** The value at a path; undefined if there is none. */
  at(path: IntakePath, here: unknown): unknown {
    this.#lookups += 1;
    if (this.#lookups > lookupsMax)
      throw intakeProblem("each", "too_many", "The call holds more than can be read of it.");
    const found = this.#found(path, here);
    const isEncoded = this.encoding.urldecode.some((one) => one.path === path.path && one.scope === path.scope);
    return isEncoded && typeof found === "string" ? this.#decode(found, path) : found;
  }

  #decode(encoded: string, { path }: IntakePath): string {
    const { charset } = this.encoding;
    const text = this.#decoded.get(encoded) ?? charsetText(percentDecoded(Buffer.from(encoded)), charset);
    if (text === null) throw intakeProblem("urldecode", "invalid_format", `The octets of "${path}" are no ${charset}.`);
    this.#decoded.set(encoded, text);
    return text;
  }

  #found({ scope, path }: IntakePath, here: unknown): unknown {
    if (scope === "query") return this.call.query(path) ?? undefined;
    if (scope === "header") return this.call.header(path) ?? undefined;
    return valueAt(scope === "body" ? this.call.body : here, path);
  }

  /** The elements of a list. Throws if it is not one. */
  list(field: string, path: IntakePath, here: unknown, countMax: number): readonly unknown[] {
    const list = this.at(path, here);
    if (!Array.isArray(list)) throw intakeProblem(field, "required", `The call has no list at "${path.path}".`);
    if (list.length > countMax)
      throw intakeProblem(field, "too_many", `The list at "${path.path}" has more than ${countMax} elements.`);
    return list;
  }

  /** Throws if the call lacks a value without a default. */
  text(field: string, value: IntakeValue, here: unknown): string {
    const text = this.#whole(field, value, here);
    return value.cutAt === null ? text : cutText(text, value.cutAt);
  }

  holds({ value, isOneOf, words }: IntakeCondition, here: unknown): boolean {
    return words.includes(this.#textOrNothing(value, here)) === isOneOf;
  }

  #textOrNothing(value: IntakeValue, here: unknown): string {
    if (value.kind !== "text") return this.text("when", value, here);
    return value.pieces
      .map((piece) => (typeof piece === "string" ? piece : (this.#chosen(piece.choice, here) ?? "")))
      .join("");
  }

  #whole(field: string, value: IntakeValue, here: unknown): string {
    switch (value.kind) {
      case "text":
        return this.#filled(field, value, here);
      case "texts":
        return value.texts.map((text) => this.text(field, text, here)).join("");
      case "join":
        return this.#joined(field, value, here);
    }
  }

  #filled(field: string, { pieces }: IntakeText, here: unknown): string {
    let text = "";
    for (const piece of pieces) {
      const filled = typeof piece === "string" ? piece : this.#chosen(piece.choice, here);
      if (filled === null && typeof piece !== "string")
        throw intakeProblem(field, "required", `The call has no text at "${piece.written}".`);
      text += filled;
      this.#units += filled?.length ?? 0;
      if (this.#units > unitsMax) throw intakeProblem(field, "too_long", "The call's texts are too long.");
    }
    return text;
  }

  #joined(field: string, { list, text, separator, countMax }: IntakeJoin, here: unknown): string {
    const elements = this.list(field, list, here, Number.POSITIVE_INFINITY).slice(0, countMax);
    return elements.map((element) => this.text(field, text, element)).join(separator);
  }

  /**
   * The first alternative that is a string, number or boolean; an empty string counts as missing unless it is a
   * literal.
   */
  #chosen(choice: IntakeChoice, here: unknown): string | null {
    for (const one of choice) {
      if (typeof one === "string") return one;
      const found = this.at(one, here);
      if (typeof found === "string" && found !== "") return found;
      if (typeof found === "number" || typeof found === "boolean") return String(found);
    }
    return null;
  }

  /** The first alternative that is a list or a text, for recipients. */
  choose(choice: IntakeChoice, here: unknown): unknown {
    for (const one of choice) {
      const found = typeof one === "string" ? one : this.at(one, here);
      if (Array.isArray(found) || (typeof found === "string" && found !== "") || typeof found === "number")
        return found;
    }
    return undefined;
  }
}

/** Created when a text is first cut: few servers have an intake. */
let segmenter: Intl.Segmenter | null = null;

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return segmenter.segment(text);
}

const ellipsis = "…";
/** UTF-16 units examined per code point that may stay. */
const unitsPerCharacter = 2;

/** At most `charactersMax` code points, including the ellipsis if the text is cut. */
export function cutText(text: string, charactersMax: number): string {
  // One extra unit shows whether anything follows. Only this much is segmented, however long the text is.
  const head = text.slice(0, charactersMax * unitsPerCharacter + 1);
  let [kept, count] = ["", 0];
  let fitting = "";
  for (const { segment } of graphemesOf(head)) {
    const added = count + [...segment].length;
    if (added > charactersMax) return charactersMax === 1 ? ellipsis : `${fitting.trimEnd()}${ellipsis}`;
    kept += segment;
    count = added;
    if (count <= charactersMax - 1) fitting = kept;
  }
  return kept.length === text.length ? kept : `${fitting.trimEnd()}${ellipsis}`;
}
