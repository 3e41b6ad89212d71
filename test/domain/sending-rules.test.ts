/** The rules of groups and patterns: members' names, columns of lists, values of variables, texts that carry secrets. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isHeldBack, isSuspicious, numberRange } from "../../src/domain/fraud.ts";
import { memberColumnOf } from "../../src/domain/member-columns.ts";
import { patternVariables, previewPattern, valueProblems } from "../../src/domain/pattern.ts";
import { memberValues } from "../../src/domain/personalisation.ts";
import { joinSealed, sealedPart, visibleText } from "../../src/domain/sealed-text.ts";
import { parseTemplate, renderTemplate } from "../../src/domain/template.ts";
import { codePointLength, isCleanText } from "../../src/domain/text.ts";

describe("the values of a group member", () => {
  const nobody = { recipient: "+989121234567", firstName: null, lastName: null, fullName: null };
  const nameOf = (variable: string, member: Partial<typeof nobody> | Record<string, string>) =>
    memberValues(parseTemplate(`{{${variable}}}`), { ...nobody, ...member }, () => "09121234567")[variable];

  test("take the full name from the list, else first and last name, else whichever exists", () => {
    expect(nameOf("fullName", { fullName: "Dr. Ali", firstName: "Ali", lastName: "Karimi" })).toBe("Dr. Ali");
    expect(nameOf("fullName", { firstName: "علی", lastName: "کریمی" })).toBe("علی کریمی");
    expect(nameOf("fullName", { lastName: "Karimi" })).toBe("Karimi");
    expect(nameOf("fullName", {})).toBeNull();
  });

  test("always include the mobile number, and other names only if the list has them", () => {
    expect(nameOf("mobile", {})).toBe("09121234567");
    expect(nameOf("firstName", { lastName: "Karimi" })).toBeNull();
    expect(nameOf("lastName", { lastName: "Karimi" })).toBe("Karimi");
  });

  test("are looked up only if the text uses them", () => {
    const spelled: string[] = [];
    memberValues(parseTemplate("hello {{ firstName }}"), nobody, (recipient) => {
      spelled.push(recipient);
      return recipient;
    });
    expect(spelled).toEqual([]);
  });
});

describe("list columns", () => {
  test("are recognized in English and Persian, in any case, with spaces, underscores and Arabic letters", () => {
    for (const header of [
      "mobile",
      "Mobile Number",
      "MOBILE_NUMBER",
      "\ufeffmobile",
      "موبایل",
      "شماره موبايل",
      "تلفن‌همراه",
    ]) {
      expect(memberColumnOf(header)).toBe("mobile");
    }
    for (const header of ["firstName", "First Name", "نام"]) expect(memberColumnOf(header)).toBe("firstName");
    for (const header of ["last_name", "Surname", "نام خانوادگی", "نام‌خانوادگي"]) {
      expect(memberColumnOf(header)).toBe("lastName");
    }
    for (const header of ["fullName", "Name", "نام و نام خانوادگی"]) expect(memberColumnOf(header)).toBe("fullName");
    for (const header of ["", "city", "کد ملی"]) expect(memberColumnOf(header)).toBeNull();
  });
});

describe("a pattern", () => {
  test("has its variables in order, each 30 characters long unless set otherwise", () => {
    const { variables, problems } = patternVariables("Dear {{ name }}, {{code}} {{name}}", { code: 6 });
    expect(problems).toEqual([]);
    expect(variables).toEqual([
      { name: "name", maxLength: 30 },
      { name: "code", maxLength: 6 },
    ]);
  });

  test("is refused with every reason at once", () => {
    const { problems } = patternVariables("{{first name}} {{}}\u0007", { other: 5, "first name": 0 });
    expect(problems.map(({ key }) => key)).toEqual(["text", "text", "text", "maxLengths", "maxLengths"]);
    expect(patternVariables("", {}).problems).toHaveLength(1);
    expect(patternVariables("x".repeat(2000), {}).problems).toEqual([]);
    expect(patternVariables("x".repeat(2001), {}).problems).toHaveLength(1);
  });

  test("treats a variable named like an object's property as any other", () => {
    const { variables, problems } = patternVariables("{{constructor}} {{toString}}", {});
    expect(problems).toEqual([]);
    expect(variables.map(({ maxLength }) => maxLength)).toEqual([30, 30]);
    expect(valueProblems(variables, {}).map(({ code }) => code)).toEqual(["required", "required"]);
  });

  test("reports what is wrong with every value, at both edges of its length", () => {
    const variables = [{ name: "name", maxLength: 3 }];
    const codes = (values: Record<string, unknown>) =>
      valueProblems(variables, values).map(({ field, code }) => [field, code]);
    expect(codes({ name: "abc" })).toEqual([]);
    expect(codes({ name: "😀😀😀" })).toEqual([]);
    expect(codes({ name: "abcd" })).toEqual([["variables.name", "too_long"]]);
    expect(codes({ name: "" })).toEqual([["variables.name", "too_short"]]);
    expect(codes({ name: 5 })).toEqual([["variables.name", "invalid_type"]]);
    expect(codes({ name: "a\u0000" })).toEqual([["variables.name", "invalid_format"]]);
    expect(codes({ other: "x" })).toEqual([
      ["variables.name", "required"],
      ["variables.other", "unknown"],
    ]);
  });

  test("accepts only values whose text is no longer than the preview says", () => {
    const text = "سلام {{name}}، کد {{code}}";
    const { variables } = patternVariables(text, { code: 8 });
    const { persian } = previewPattern(text, variables);
    const value = (max: number) => fc.string({ unit: "binary", minLength: 1, maxLength: max }).filter(isCleanText);
    fc.assert(
      fc.property(value(30), value(8), (name, code) => {
        fc.pre(codePointLength(name) <= 30 && codePointLength(code) <= 8);
        expect(valueProblems(variables, { name, code })).toEqual([]);
        const rendered = renderTemplate(parseTemplate(text), { name, code });
        expect(codePointLength(rendered)).toBeLessThanOrEqual(persian.characterCount);
      }),
    );
  });

  test("distinguishes Latin and Persian values in the preview", () => {
    const { latin, persian } = previewPattern("Dear {{name}}", [{ name: "name", maxLength: 80 }]);
    expect(latin).toEqual({ encoding: "Latin", characterCount: 85, partCount: 1 });
    expect(persian).toEqual({ encoding: "Persian", characterCount: 85, partCount: 2 });
  });
});

describe("a text with a sealed section", () => {
  test("shows the open section and returns the sealed bytes unchanged, whatever both are", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter(isCleanText),
        fc.uint8Array({ maxLength: 64 }),
        (visible, sealed) => {
          const stored = joinSealed(visible, sealed);
          expect(visibleText(stored)).toBe(visible);
          expect(Buffer.from(sealedPart(stored) ?? [])).toEqual(Buffer.from(sealed));
          expect(visibleText(visible)).toBe(visible);
          expect(sealedPart(visible)).toBeNull();
        },
      ),
    );
  });
});

describe("signs of fraud", () => {
  test("are counted per range of ten thousand numbers", () => {
    expect(numberRange("+989121234567")).toBe("+98912123");
    expect(numberRange("+989121239999")).toBe(numberRange("+989121230000"));
    expect(numberRange("+989121240000")).not.toBe(numberRange("+989121230000"));
  });

  test("include few verified codes out of many, but not few out of few", () => {
    expect(isSuspicious({ sends: 20, challenges: 20, verified: 3 })).toBe(true);
    expect(isSuspicious({ sends: 20, challenges: 20, verified: 4 })).toBe(false);
    expect(isSuspicious({ sends: 19, challenges: 19, verified: 0 })).toBe(false);
    // The customer's own codes are never verified here.
    expect(isSuspicious({ sends: 1000, challenges: 0, verified: 0 })).toBe(false);
  });

  test("include a range from its ceiling on, and not one send earlier", () => {
    expect(isHeldBack({ sends: 99, challenges: 0, verified: 0 }, 100)).toBe(false);
    expect(isHeldBack({ sends: 100, challenges: 0, verified: 0 }, 100)).toBe(true);
  });
});
