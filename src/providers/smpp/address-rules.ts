/** Rewrites addresses by the rules of a route's file: the first matching rule applies. */
import { type JsonFileReader, required } from "../../domain/json-file.ts";
import type { AddressTypes } from "../../smpp/address.ts";

/** `match`: the whole address, or its prefix, in which case `to` replaces only the prefix. */
export interface AddressRule extends AddressTypes {
  match: { equals: string } | { prefix: string };
  to: string;
}

const rulesMax = 100;
const octet = { min: 0, max: 255 };
const ascii = { lengthMax: 20, pattern: /^[\x20-\x7e]*$/, shape: "printable_ascii" as const };

/** Reads `[{"prefix": "+98", "to": "0", "ton": 2, "npi": 1}, {"equals": "BANK", "to": "30001234"}]`. */
export function readAddressRules(reader: JsonFileReader, key: string): readonly AddressRule[] {
  const value = reader.value(key);
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > rulesMax) {
    reader.problem(key, { code: "address_rules", values: { max: rulesMax } });
    return [];
  }
  return value.flatMap((rule: unknown, index) => reader.object(`${key}[${index}]`, rule, readRule) ?? []);
}

function readRule(rule: JsonFileReader): AddressRule {
  const equals = rule.text("equals", null, { ...ascii, lengthMin: 1 });
  const prefix = rule.text("prefix", null, ascii);
  const isClear = (rule.value("equals") === undefined) !== (rule.value("prefix") === undefined);
  if (!isClear) rule.problem("", { code: "equals_or_prefix", values: {} });
  if (rule.value("to") === undefined) rule.problem("to", required);
  return {
    match: equals === null ? { prefix: prefix ?? "" } : { equals },
    to: rule.text("to", "", ascii),
    ton: rule.number("ton", null, octet),
    npi: rule.number("npi", null, octet),
  };
}

/** The address as the carrier wants it; a rule's types take precedence over the route's. */
export function rewriteAddress(
  address: string,
  rules: readonly AddressRule[],
  set: AddressTypes,
): { address: string; types: AddressTypes } {
  for (const { match, to, ton, npi } of rules) {
    const types = { ton: ton ?? set.ton, npi: npi ?? set.npi };
    if ("equals" in match) {
      if (match.equals === address) return { address: to, types };
    } else if (address.startsWith(match.prefix)) {
      return { address: to + address.slice(match.prefix.length), types };
    }
  }
  return { address, types: set };
}
