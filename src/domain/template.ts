/** Parses and renders texts with `{{name}}` variables, for groups, patterns and one-time passwords. */

export interface TemplateVariable {
  /** The name between the braces, without surrounding spaces. */
  variable: string;
}

export interface Template {
  text: string;
  /** Literal texts and variables in order; a string is literal. */
  segments: readonly (string | TemplateVariable)[];
  /** The distinct names of the variables, in order of first use. */
  variables: readonly string[];
}

/** Values by variable name. An absent or null value counts as missing. */
export type TemplateValues = Readonly<Record<string, string | null | undefined>>;

/** A template was rendered without a value for one of its variables. */
export class MissingVariableError extends Error {
  override readonly name = "MissingVariableError";
  constructor(readonly variable: string) {
    super(`there is no value for the variable "${variable.slice(0, 60)}"`);
  }
}

/**
 * Parses a text in one pass. Whatever is between `{{` and the next `}}` is a variable, even an empty name or one with
 * spaces: a misspelt variable must be reported as unknown, not sent to people. Of several opening braces the innermost
 * count, and unclosed braces are literal.
 */
export function parseTemplate(text: string): Template {
  const segments: (string | TemplateVariable)[] = [];
  const variables = new Set<string>();
  let position = 0;
  for (;;) {
    const firstOpen = text.indexOf("{{", position);
    const close = firstOpen === -1 ? -1 : text.indexOf("}}", firstOpen + 2);
    if (close === -1) break;
    const open = text.lastIndexOf("{{", close - 2);
    if (open > position) segments.push(text.slice(position, open));
    const variable = text.slice(open + 2, close).trim();
    segments.push({ variable });
    variables.add(variable);
    position = close + 2;
  }
  if (position < text.length) segments.push(text.slice(position));
  return { text, segments, variables: [...variables] };
}

function givenValue(values: TemplateValues, variable: string): string | null {
  return Object.hasOwn(values, variable) ? (values[variable] ?? null) : null;
}

/** The text with its values filled in. A value is never parsed as a template. @throws MissingVariableError */
export function renderTemplate(template: Template, values: TemplateValues): string {
  let text = "";
  for (const segment of template.segments) {
    if (typeof segment === "string") {
      text += segment;
      continue;
    }
    const value = givenValue(values, segment.variable);
    if (value === null) throw new MissingVariableError(segment.variable);
    text += value;
  }
  return text;
}

/** The template's variables without a value, or with an empty one. */
export function missingVariables(template: Template, values: TemplateValues): string[] {
  return template.variables.filter((variable) => (givenValue(values, variable) ?? "") === "");
}

/** The template's variables that are not among the known ones. */
export function unknownVariables(template: Template, known: readonly string[]): string[] {
  return template.variables.filter((variable) => !known.includes(variable));
}
