/**
 * The JSON schema of a route's file, for editors: recorded from the code that reads the file, so they cannot differ.
 */
import { JsonFileReader, type NumberBounds, type TextBounds } from "../domain/json-file.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Reads nothing, and records what each key may hold. */
export class RouteFileSchemaReader extends JsonFileReader {
  readonly #assumed: Readonly<Record<string, unknown>>;
  readonly #typed = new Map<string, JsonSchema[]>();
  /** Keys that are also read untyped: more than the typed form is allowed there. */
  readonly #raw = new Set<string>();
  readonly #required: string[] = [];
  /** Any key is allowed here. */
  #isOpen = false;

  /** `assumed`: values that decide which keys are read. */
  constructor(assumed: Readonly<Record<string, unknown>> = {}) {
    super({}, []);
    this.#assumed = assumed;
  }

  namedKeys(): string[] {
    return [...new Set([...this.#typed.keys(), ...this.#raw])];
  }

  schema(): JsonSchema {
    const required = [...Object.keys(this.#assumed), ...this.#required];
    const properties = this.namedKeys().map((key) => [key, this.#schemaOf(key)]);
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: this.#isOpen,
    };
  }

  #schemaOf(key: string): JsonSchema {
    if (Object.hasOwn(this.#assumed, key)) return { const: this.#assumed[key] };
    const forms = [...(this.#typed.get(key) ?? []), ...(this.#raw.has(key) ? [{}] : [])];
    const [only = {}] = forms;
    return forms.length === 1 ? only : { anyOf: forms };
  }

  #record(key: string, schema: JsonSchema, otherwise?: unknown): void {
    const isDefault = otherwise !== undefined && otherwise !== null && otherwise !== "";
    this.#typed.set(key, [...(this.#typed.get(key) ?? []), isDefault ? { ...schema, default: otherwise } : schema]);
  }

  override value(key: string): unknown {
    this.#raw.add(key);
    return this.#assumed[key];
  }

  override keys(): string[] {
    this.#isOpen = true;
    return [];
  }

  override problem(): void {}

  override finish(): void {}

  override text<Otherwise extends string | null>(key: string, otherwise: Otherwise, bounds: TextBounds): Otherwise {
    const { lengthMin, lengthMax, pattern } = bounds;
    const least = lengthMin === undefined ? {} : { minLength: lengthMin };
    const shape = pattern === undefined ? {} : { pattern: pattern.source };
    this.#record(key, { type: "string", ...least, maxLength: lengthMax, ...shape }, otherwise);
    return otherwise;
  }

  override requiredText(key: string, bounds: TextBounds): string {
    this.#required.push(key);
    return this.text(key, "", { lengthMin: 1, ...bounds });
  }

  override number<Otherwise extends number | null>(key: string, otherwise: Otherwise, bounds: NumberBounds): Otherwise {
    const { min, max, fractions = false } = bounds;
    this.#record(key, { type: fractions ? "number" : "integer", minimum: min, maximum: max }, otherwise);
    return otherwise;
  }

  override requiredNumber(key: string, bounds: NumberBounds): number {
    this.#required.push(key);
    this.number(key, null, bounds);
    return bounds.min;
  }

  override choice<Choice extends string>(key: string, choices: readonly Choice[], otherwise: Choice): Choice {
    this.#record(key, { enum: choices }, otherwise);
    return otherwise;
  }

  override flag(key: string, otherwise: boolean): boolean {
    this.#record(key, { type: "boolean" }, otherwise);
    return otherwise;
  }

  override numbers(key: string, { min, max, countMax }: NumberBounds & { countMax: number }): number[] {
    this.#record(key, { type: "array", maxItems: countMax, items: { type: "integer", minimum: min, maximum: max } });
    return [];
  }

  override section<Section>(key: string, read: (section: JsonFileReader) => Section): null {
    const section = new RouteFileSchemaReader();
    read(section);
    this.#record(key, section.schema());
    return null;
  }
}

/** `secretKeys`: each may be replaced by the name of its file, such as `passwordFile` for `password`. */
export function jsonSchemaOf(
  read: (reader: JsonFileReader) => unknown,
  secretKeys: readonly string[],
  assumed: Readonly<Record<string, unknown>> = {},
): JsonSchema {
  const reader = new RouteFileSchemaReader(assumed);
  read(reader);
  for (const key of secretKeys) reader.text(`${key}File`, null, { lengthMax: 4096 });
  reader.text("$schema", null, { lengthMax: 4096 });
  return reader.schema();
}
