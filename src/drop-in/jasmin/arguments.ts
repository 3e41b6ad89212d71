/**
 * Arguments of a request to Jasmin's HTTP API, from the query, a form or a JSON body; checked by its patterns in its
 * order.
 */

/** One argument: its octets, and its text if it came in JSON. */
export interface JasminArgument {
  octets: Buffer;
  /** JSON carries text, not octets, so the coding does not change what it means. */
  isText: boolean;
}

export type JasminArguments = ReadonlyMap<string, JasminArgument>;

interface Rule {
  isOptional: boolean;
  pattern?: RegExp;
}

const credential = { isOptional: false, pattern: /^.{1,128}$/ };
const optional = { isOptional: true };

/** Both in the order in which Jasmin checks them. */
const shared = {
  to: { isOptional: false, pattern: /^\+?\d+$/ },
  from: optional,
  coding: { ...optional, pattern: /^(?:[0-9]|10|13|14)$/ },
  username: credential,
  password: credential,
  priority: { ...optional, pattern: /^[0-3]$/ },
} satisfies Record<string, Rule>;
const period = { "validity-period": { ...optional, pattern: /^\d+$/ } };
const contents = {
  tags: { ...optional, pattern: /^[-a-zA-Z0-9,]*$/ },
  content: optional,
  "hex-content": optional,
};

/** For further recipients of a message. */
export const recipientRules: Readonly<Record<string, Rule>> = { to: shared.to };

export const sendRules: Readonly<Record<string, Rule>> = {
  ...shared,
  sdt: { ...optional, pattern: /^\d{15}[-+R]$/ },
  ...period,
  dlr: { ...optional, pattern: /^(?:yes|no)$/ },
  "dlr-url": { ...optional, pattern: /^https?:\/\/.*$/ },
  "dlr-level": { ...optional, pattern: /^[1-3]$/ },
  "dlr-method": { ...optional, pattern: /^(?:get|post)$/i },
  ...contents,
  custom_tlvs: optional,
};

export const rateRules: Readonly<Record<string, Rule>> = { ...shared, ...period, ...contents };

export const signInRules: Readonly<Record<string, Rule>> = { username: credential, password: credential };

/** The most that an answer quotes of a value. */
const quotedCharactersMax = 500;

/** The first problem, in Jasmin's words; null if there is none. */
export function argumentProblem(given: JasminArguments, rules: Readonly<Record<string, Rule>>): string | null {
  const names = [...given.keys()];
  const stranger = names.find((name) => !Object.hasOwn(rules, name));
  if (stranger === undefined) return fieldProblem(given, rules);
  const unknown = `Argument [${stranger.slice(0, quotedCharactersMax)}] is unknown.`;
  return stranger === names[0] ? unknown : (fieldProblem(given, rules) ?? unknown);
}

function fieldProblem(given: JasminArguments, rules: Readonly<Record<string, Rule>>): string | null {
  for (const [name, { isOptional, pattern }] of Object.entries(rules)) {
    const text = textArgument(given, name);
    if (text === null && !isOptional) return `Mandatory argument [${name}] is not found.`;
    if (text !== null && pattern !== undefined && !pattern.test(text))
      return `Argument [${name}] has an invalid value: [${text.slice(0, quotedCharactersMax)}].`;
  }
  return null;
}

/** As UTF-8; null if absent. */
export const textArgument = (given: JasminArguments, name: string): string | null =>
  given.get(name)?.octets.toString("utf8") ?? null;
