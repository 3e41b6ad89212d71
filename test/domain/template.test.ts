/** Templates: what is a variable, what is plain text, and the text with its values. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  MissingVariableError,
  missingVariables,
  parseTemplate,
  renderTemplate,
  unknownVariables,
} from "../../src/domain/template.ts";

const name = fc.string({ unit: fc.constantFrom(..."abcXYZ_09نام"), minLength: 1, maxLength: 12 });
const literal = fc
  .string({ unit: fc.constantFrom(..."ab سلام}\n$&\\"), maxLength: 20 })
  .map((text) => text.replaceAll("}}", ""));
const value = fc.string({ unit: fc.oneof(fc.constantFrom("{{a}}", "}}", "{{", "$&", "$1"), fc.string()) });

describe("a template", () => {
  test("lists its variables once each, with or without spaces inside the braces", () => {
    const template = parseTemplate("سلام {{firstName}}، {{ code }} {{\tfirstName }}");
    expect(template.variables).toEqual(["firstName", "code"]);
    expect(template.segments).toEqual([
      "سلام ",
      { variable: "firstName" },
      "، ",
      { variable: "code" },
      " ",
      { variable: "firstName" },
    ]);
  });

  const braces: [string, string[], string][] = [
    ["", [], ""],
    ["no variable", [], "no variable"],
    ["{a} } } {", [], "{a} } } {"],
    ["{{a", [], "{{a"],
    ["a}}", [], "a}}"],
    ["}}{{", [], "}}{{"],
    ["{{{a}}}", ["a"], "{<a>}"],
    ["{{ {{a}} }}", ["a"], "{{ <a> }}"],
    ["{{a}}{{b}}", ["a", "b"], "<a><b>"],
    ["{{}}", [""], "<>"],
    ["{{{}}", [""], "{<>"],
    ["{{first name}}", ["first name"], "<first name>"],
    ["{{a}b}}", ["a}b"], "<a}b>"],
  ];
  test.each(braces)("reads %j as its braces say", (text, variables, rendered) => {
    const template = parseTemplate(text);
    expect(template.variables).toEqual(variables);
    const values = Object.fromEntries(variables.map((variable) => [variable, `<${variable}>`]));
    expect(renderTemplate(template, values)).toBe(rendered);
  });

  test("is split into the pieces it was composed of", () => {
    const pieces = fc.array(fc.tuple(literal, name));
    fc.assert(
      fc.property(pieces, literal, value, (composed, ending, inserted) => {
        const text = composed.map(([before, variable]) => `${before}{{${variable}}}`).join("") + ending;
        const template = parseTemplate(text);
        expect(template.variables).toEqual([...new Set(composed.map(([, variable]) => variable))]);
        const values = Object.fromEntries(template.variables.map((variable) => [variable, inserted]));
        expect(renderTemplate(template, values)).toBe(composed.map(([before]) => before + inserted).join("") + ending);
      }),
    );
  });

  test("loses no character of any text", () => {
    const anything = fc.string({ unit: fc.constantFrom("{", "{{", "}", "}}", "a", " ") });
    fc.assert(
      fc.property(anything, (text) => {
        const template = parseTemplate(text);
        const spaceless = (each: string) => each.replaceAll(" ", "");
        const back = template.segments
          .map((part) => (typeof part === "string" ? part : `{{${part.variable}}}`))
          .join("");
        expect(spaceless(back)).toBe(spaceless(text));
      }),
    );
  });

  test.each(["{{", "}}", "{{}}", "}}{{", "{{{", "{{ "])("of a million characters of %j is read at once", (unit) => {
    const started = performance.now();
    parseTemplate(unit.repeat(1_000_000 / unit.length));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe("template values", () => {
  const template = parseTemplate("{{a}} {{b}} {{__proto__}} {{toString}}");

  test("count as missing if absent, null or empty", () => {
    expect(missingVariables(template, { a: null, b: "" })).toEqual(["a", "b", "__proto__", "toString"]);
    expect(missingVariables(parseTemplate("{{a}}{{b}}"), { a: "1", b: "0" })).toEqual([]);
  });

  test("stop the rendering if absent or null, and the error names the variable", () => {
    for (const values of [{}, { a: null }]) {
      expect(() => renderTemplate(template, values)).toThrow(new MissingVariableError("a"));
    }
    expect(() => renderTemplate(parseTemplate("{{toString}}"), {})).toThrow(MissingVariableError);
    expect(renderTemplate(parseTemplate("<{{a}}>"), { a: "" })).toBe("<>");
  });

  test("that nobody knows are unknown", () => {
    expect(unknownVariables(parseTemplate("{{a}} {{z}} {{}}"), ["a", "b"])).toEqual(["z", ""]);
  });
});
