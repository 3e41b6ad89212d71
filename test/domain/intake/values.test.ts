/** What an intake's template makes of a call, whatever the call contains. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ApiError } from "../../../src/domain/api-error.ts";
import { type ReceivedCall, readIntakeCall } from "../../../src/domain/intake/intake-body.ts";
import { parseIntakeFile } from "../../../src/domain/intake/intake-file.ts";
import { cutText } from "../../../src/domain/intake/intake-reading.ts";
import { intakeSending } from "../../../src/domain/intake/intake-sending.ts";
import type { IntakeTemplate } from "../../../src/domain/intake/intake-template.ts";
import { toldProblem } from "../../../src/domain/operator-problem.ts";

function templateOf(file: object): IntakeTemplate {
  const parsed = parseIntakeFile(file);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.options;
}

function problemsOf(file: unknown): string[] {
  const parsed = parseIntakeFile(file);
  return "problems" in parsed ? parsed.problems.map(toldProblem).map(({ key, message }) => `${key}: ${message}`) : [];
}

function sendingOf(file: object, body: unknown, more: Partial<ReceivedCall> = {}) {
  const template = templateOf(file);
  const octets = typeof body === "string" ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  const call = { query: "", isGarbled: false, contentType: "application/json", octets, header: () => null, ...more };
  return intakeSending(template, readIntakeCall(template, call));
}

/** What is wrong with it: `text: required`. */
function refusalOf(file: object, body: unknown, more: Partial<ReceivedCall> = {}): string {
  try {
    sendingOf(file, body, more);
  } catch (error) {
    if (error instanceof ApiError) return error.problems.map(({ field, code }) => `${field}: ${code}`).join();
    throw error;
  }
  throw new Error("Nothing was refused");
}

const to = ["09121234567"];
const textOf = (text: unknown, body: unknown) => {
  const sending = sendingOf({ to, text }, body);
  return sending.kind === "messages" ? sending.messages.map((message) => message.text).join("\u0000") : sending.kind;
};

test("an empty value leaves no space around a text", () => {
  const text = ["{{title|''}}\n", "{{message}} ", "{{more|''}}"];
  expect(textOf(text, { message: "سلام\n\nدنیا" })).toBe("سلام\n\nدنیا");
  expect(textOf(text, { title: "a", message: "b", more: "c" })).toBe("a\nb c");
});

describe("texts of an intake template", () => {
  test("use paths, alternatives, literals, numbers and booleans", () => {
    const body = { a: { b: ["x", { c: 7 }] }, empty: "", yes: true, none: null };
    expect(textOf("{{a.b.0}} {{a.b.1.c}} {{yes}}", body)).toBe("x 7 true");
    expect(textOf("{{ empty | none | a.b.0 }}", body)).toBe("x");
    expect(textOf("{{nothing|'a | b'}}", body)).toBe("a | b");
    expect(textOf("{{nothing|''}}!", body)).toBe("!");
    expect(refusalOf({ to, text: "{{a.nothing}}" }, body)).toBe("text: required");
    expect(refusalOf({ to, text: "{{a}}" }, body)).toBe("text: required");
  });

  test("never treat a value as a template, nor a prototype as a field", () => {
    expect(textOf("{{a}}", { a: "{{b}}", b: "secret" })).toBe("{{b}}");
    expect(textOf("{{__proto__.x|constructor.name|'none'}}", {})).toBe("none");
    expect(textOf("{{__proto__}}", '{"__proto__": "own"}')).toBe("own");
  });

  test("join lists, with each element in its own scope and the body as $", () => {
    const body = { host: "db", alerts: [{ n: "a" }, { n: "b" }, { n: "c" }], words: ["x", "y"] };
    expect(textOf({ join: "alerts", text: "{{n}}@{{$.host}}", with: "; ", max: 2 }, body)).toBe("a@db; b@db");
    expect(textOf({ join: "words" }, body)).toBe("x, y");
    expect(textOf(["[", { join: "words", with: "" }, "]"], body)).toBe("[xy]");
    expect(refusalOf({ to, text: { join: "host" } }, body)).toBe("text: required");
  });

  test("are cut between graphemes, and the limit counts code points with the ellipsis", () => {
    expect(cutText("سلام دنیا", 20)).toBe("سلام دنیا");
    expect(cutText("abcdef", 6)).toBe("abcdef");
    expect(cutText("abcdef", 5)).toBe("abcd…");
    expect(cutText("ab👨‍👩‍👧cd", 6)).toBe("ab…");
    expect(cutText("ab👨‍👩‍👧cd", 8)).toBe("ab👨‍👩‍👧…");
    expect(cutText("e\u0301e\u0301e\u0301", 4)).toBe("e\u0301…");
    expect(cutText("a", 1)).toBe("a");
    expect(cutText("ab", 1)).toBe("…");
    expect(textOf({ text: "{{a}}", cut: 5 }, { a: "x".repeat(200_000) })).toBe("xxxx…");
  });

  test("begin with the original when cut, are no longer than the limit, and stay whole if they fit", () => {
    const letters = ["a", "ش", "\u0654", "👍🏽", "👨‍👩‍👧", "\u200c", " ", "🇮🇷"];
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let round = 0; round < 2_000; round += 1) {
      const text = Array.from({ length: next(30) }, () => letters[next(letters.length)]).join("");
      const max = 1 + next(25);
      const cut = cutText(text, max);
      expect([...cut].length).toBeLessThanOrEqual(max);
      if ([...text].length <= max) expect(cut).toBe(text);
      else expect(text.startsWith(cut.slice(0, -1)) && cut.endsWith("…")).toBe(true);
    }
  });
});

describe("recipients and conditions of an intake", () => {
  test("accept a field with one number, several, or a list", () => {
    const recipients = (body: object) => {
      const sending = sendingOf({ to: "{{to|phone}}", text: "x" }, body);
      return sending.kind === "messages" ? sending.messages[0]?.recipients : [];
    };
    expect(recipients({ to: "0912 123 4567" })).toEqual(["0912 123 4567"]);
    expect(recipients({ phone: "09121234567, 09351234567;09121234567" })).toEqual(["09121234567", "09351234567"]);
    expect(recipients({ to: ["09121234567", 9351234567] })).toEqual(["09121234567", "9351234567"]);
    expect(refusalOf({ to: "{{to}}", text: "x" }, { to: [{}] })).toBe("to: invalid_type");
    expect(refusalOf({ to: "{{to}}", text: "x" }, {})).toBe("to: required");
    expect(refusalOf({ to: "{{to}}", text: "x" }, { to: "," })).toBe("to: required");
  });

  test("add the missing plus to international numbers, and leave national ones", () => {
    const recipients = (number: string) => {
      const sending = sendingOf({ to: "{{n}}", international: true, text: "x" }, { n: number });
      return sending.kind === "messages" ? sending.messages[0]?.recipients[0] : null;
    };
    expect([recipients("989121234567"), recipients("+989121234567"), recipients("09121234567")]).toEqual([
      "+989121234567",
      "+989121234567",
      "09121234567",
    ]);
  });

  test("allow 500 messages per call and refuse more", () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => `0912${1_000_000 + index}`);
    expect(sendingOf({ to: "{{n}}", text: "x" }, { n: numbers(500) }).kind).toBe("messages");
    expect(refusalOf({ to: "{{n}}", text: "x" }, { n: numbers(501) })).toBe("to: too_many");
    const each = { to: "{{n}}", each: "all", text: "x" };
    expect(refusalOf(each, { all: [{ n: numbers(250) }, { n: numbers(251) }] })).toBe("to: too_many");
    expect(refusalOf(each, { all: Array.from({ length: 501 }, () => ({ n: "09121234567" })) })).toBe("each: too_many");
    expect(refusalOf(each, { all: "none" })).toBe("each: required");
  });

  test("leave out elements that do not match, and send nothing if none is left", () => {
    const file = { to, each: "alerts", when: { value: "{{status}}", is: "firing" }, text: "{{n}}", key: "{{n}}" };
    const alerts = [{ status: "firing", n: "a" }, { status: "resolved", n: "b" }, { n: "c" }];
    expect(sendingOf(file, { alerts })).toMatchObject({ kind: "messages", messages: [{ text: "a" }], key: "a" });
    expect(sendingOf(file, { alerts: alerts.slice(1) })).toEqual({ kind: "nothing", key: null });
    expect(sendingOf({ to, text: "x", when: { value: "{{a}}", isNot: ["", "no"] } }, {}).kind).toBe("nothing");
  });

  test("join the keys of the elements, none of which may be empty", () => {
    const file = { to, each: "a", text: "x", key: "{{id|''}}" };
    expect(sendingOf(file, { a: [{ id: "1" }, { id: 2 }] }).key).toBe("1\n2");
    expect(sendingOf(file, { a: [{ id: "1" }, {}] }).key).toBeNull();
    expect(refusalOf({ ...file, key: "{{id}}" }, { a: [{}] })).toBe("key: required");
  });

  test("allow one recipient for a code", () => {
    const file = { to: "{{p}}", code: "{{c}}" };
    expect(sendingOf(file, { p: "09121234567", c: " 1234 " })).toMatchObject({ kind: "code", code: "1234" });
    expect(refusalOf(file, { p: "09121234567,09121234568", c: "1234" })).toBe("to: too_many");
  });
});

describe("bodies of intake calls", () => {
  const file = { to, text: "{{msg}}" };
  const multipart = (name: string, value: string) => ({
    contentType: 'multipart/form-data; boundary="b-1"',
    octets: Buffer.from(
      `--b-1\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\nmsg\r\n--b-1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b-1--\r\n`,
    ),
  });
  const textIn = (given: object, call: Partial<ReceivedCall>) => {
    const sending = sendingOf(given, "", call);
    return sending.kind === "messages" ? sending.messages[0]?.text : sending.kind;
  };

  test("are read as JSON, a form, multipart, a query, or JSON in a field", () => {
    const form = "application/x-www-form-urlencoded";
    expect(textIn(file, { octets: Buffer.from('{"msg":"سلام"}'), contentType: "" })).toBe("سلام");
    expect(textIn(file, { octets: Buffer.from("msg=a+b%D8%B3"), contentType: form })).toBe("a bس");
    expect(textIn(file, multipart("msg", "line 1\r\nline 2"))).toBe("line 1\r\nline 2");
    expect(textIn(file, { query: "msg=x", octets: Buffer.alloc(0), contentType: "" })).toBe("x");
    const field = { ...file, format: { field: "data" } };
    expect(textIn(field, multipart("data", '{"msg":"in a field"}'))).toBe("in a field");
    expect(textIn(field, { octets: Buffer.from(`data=${encodeURIComponent('{"msg":"y"}')}`), contentType: form })).toBe(
      "y",
    );
    expect(textIn(field, { octets: Buffer.from('{"msg":"json"}') })).toBe("json");
    expect(
      textIn(
        { to, text: "{{$query.q}} {{$header.x-id}}" },
        { query: "q=1", octets: Buffer.from("{}"), header: (name) => name },
      ),
    ).toBe("1 x-id");
  });

  test("are refused if unreadable, and nothing deep or wide is built", () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    expect(refusalOf(file, deep)).toBe("body: too_many");
    expect(refusalOf(file, `[${"1,".repeat(30_000)}1]`)).toBe("body: too_many");
    expect(refusalOf(file, "{")).toBe("body: invalid_format");
    expect(refusalOf(file, "", { octets: Buffer.from([0x7b, 0xff]) })).toBe("body: invalid_format");
    expect(refusalOf(file, "a".repeat(9), { contentType: "text/plain" })).toBe("body: invalid_format");
    expect(refusalOf(file, "&".repeat(1_000), { contentType: "application/x-www-form-urlencoded" })).toBe(
      "body: too_many",
    );
    const parts = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1_001);
    expect(refusalOf(file, `${parts}--b--`, { contentType: "multipart/form-data; boundary=b" })).toBe("body: too_many");
    expect(refusalOf(file, "no boundary", { contentType: "multipart/form-data" })).toBe("text: required");
  });

  test("any call is either refused by a key of the template or sent as the template says", () => {
    const piece = fc.constantFrom("{{a}}", "{{a.b|b}}", "{{$.a.0}}", "{{.}}", "{{c|''}}", "x", "{", "}}", "{{");
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
    const value = fc.oneof(
      text,
      fc.record({ text, cut: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ join: fc.constant("$.a"), text }),
    );
    const file = fc.record({
      to: fc.constantFrom<unknown>(to, "{{b}}"),
      text: value,
      key: value,
      each: fc.constantFrom("a", "$.b"),
    });
    const body = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(file, body, fc.boolean(), (given, sent, hasEach) => {
        const { each, ...single } = given;
        const parsed = parseIntakeFile(hasEach ? { ...single, each } : single);
        if ("problems" in parsed)
          return parsed.problems.every(({ key }) => ["text", "text.text", "key", "key.text", "to"].includes(key));
        const octets = Buffer.from(JSON.stringify(sent));
        const call = { query: "", isGarbled: false, contentType: "application/json", octets, header: () => null };
        try {
          const sending = intakeSending(parsed.options, readIntakeCall(parsed.options, call));
          return sending.kind === "nothing" || (sending.kind === "messages" && sending.messages.length > 0);
        } catch (error) {
          return error instanceof ApiError && error.code === "validation_failed" && error.problems.length === 1;
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("are processed with bounded work, whatever their size or their template's", () => {
    const long = "ش".repeat(100_000);
    const wide = { to: ["09121234567"], each: "a", text: "{{$.x}}".repeat(60) };
    expect(refusalOf(wide, { x: long, a: Array.from({ length: 500 }, () => 1) })).toBe("text: too_long");
    const joined = { to, each: "a", text: { join: "$.a", text: "{{.}}{{.}}{{.}}{{.}}", max: 100 } };
    expect(refusalOf(joined, { a: Array.from({ length: 500 }, () => 1) })).toBe("each: too_many");
  });
});

describe("intake template files", () => {
  test("report each mistake by its key", () => {
    expect(problemsOf({})).toEqual(["text: is required", "to: is required"]);
    expect(problemsOf([])).toEqual([": must be a JSON object"]);
    expect(problemsOf({ to, text: "{{a b}}" })).toEqual([
      `text: "a b" is no path of the call, such as user.phone, nor a 'text' in quotes`,
    ]);
    expect(problemsOf({ to, text: "x", tex: 1 })).toEqual(['tex: is not a known key; did you mean "text"?']);
    expect(problemsOf({ to: {}, text: "x" })).toEqual(["to.group: is required"]);
    expect(problemsOf({ to: { group: "ops" }, each: "a", text: "x" })).toEqual(["each: cannot stand beside to.group"]);
    expect(problemsOf({ to: ["1", "2"], code: "{{c}}" })).toEqual(["to: cannot stand beside code"]);
    expect(problemsOf({ to, code: "{{c}}", text: "x", each: "a" })).toEqual([
      "text: cannot stand beside code",
      "each: cannot stand beside code",
    ]);
    expect(problemsOf({ to, text: "x", pattern: "p" })).toEqual(["code: is required beside pattern"]);
    expect(problemsOf({ preset: "twilio", to, text: "x" })[0]).toStartWith('preset: must be one of "supabase"');
    expect(problemsOf({ to, text: "x", caller: { kind: "header" } })).toEqual(["caller.name: is required"]);
    expect(problemsOf({ to, text: "x", when: [{ value: "{{a}}" }] })[0]).toStartWith("when[0]: must be one of");
    expect(problemsOf({ to, text: { text: [[[[["a"]]]]] } })[0]).toContain("nested deeper");
    expect(problemsOf({ to, text: "x".repeat(2_001) })).toEqual(["text: must have 0 to 2000 characters"]);
    expect(problemsOf({ to, text: "{{a}}-".repeat(33) })).toEqual(["text: must hold at most 64 fields"]);
    expect(problemsOf({ to, text: "x", answer: { status: 204, json: {} } })).toEqual([
      "answer.json: must be empty with status 204",
    ]);
    expect(problemsOf({ to, text: "x", answer: { json: { a: "{{nobody}}" } } })).toEqual([
      "answer.json: {{nobody}} is not a placeholder here",
    ]);
    expect(problemsOf({ to, text: "x", answer: { busyStatus: 500 } })[0]).toStartWith("answer.busyStatus:");
    const signed = { kind: "standard-webhooks", toleranceSeconds: 300 };
    expect(problemsOf({ to, text: "x", caller: signed, keySeconds: 599 })[0]).toStartWith("keySeconds:");
    expect(problemsOf({ to, text: "x", caller: signed, keySeconds: 600 })).toEqual([]);
    expect(problemsOf({ to, text: "x", y: "z".repeat(33_000) })[0]).toStartWith(": must have");
  });
});

describe("octets that are not text in an intake call", () => {
  const file = { format: "auto", to: ["09121234567"], text: "{{text}}{{$query.text|''}}" };
  const form = { contentType: "application/x-www-form-urlencoded" };
  const multipart = { contentType: "multipart/form-data; boundary=x" };
  const part = (name: Buffer, value: Buffer) =>
    Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="'),
      name,
      Buffer.from('"\r\n\r\n'),
      value,
      Buffer.from("\r\n--x--\r\n"),
    ]);
  const textOf = (given: object, body: Buffer, more: Partial<ReceivedCall>) => {
    const template = templateOf(given);
    const call = { query: "", isGarbled: false, contentType: "", octets: body, header: () => null, ...more };
    const sending = intakeSending(template, readIntakeCall(template, call));
    return sending.kind === "messages" ? sending.messages[0]?.text : sending.kind;
  };
  const latin1 = (text: string) => Buffer.from(text, "latin1");
  const nothing = Buffer.alloc(0);

  test.each<[string, Buffer, Partial<ReceivedCall>]>([
    ["a query", nothing, { query: "text=%E9" }],
    ["a name in a query", nothing, { query: "text=a&%E9=1" }],
    ["a query whose octets were replaced on the way", nothing, { query: "text=%EF%BF%BD", isGarbled: true }],
    ["a query beside JSON", Buffer.from('{"text":"a"}'), { query: "text=%E9", contentType: "application/json" }],
    ["a form with escapes", latin1("text=%D8"), form],
    ["a form with raw octets", latin1("text=caf\u00e9"), form],
    ["a name in a form", latin1("text=a&\u00e9=1"), form],
    ["a form in UTF-8 with one octet too many", Buffer.concat([Buffer.from("text=سلام"), latin1("\u00d8")]), form],
    ["a multipart form", part(latin1("text"), latin1("caf\u00e9")), multipart],
    ["a name in a multipart form", part(latin1("t\u00e9"), latin1("a")), multipart],
  ])("%s is refused, never sent as replacement characters", (_, body, more) => {
    expect(() => textOf(file, body, more)).toThrow(ApiError);
  });

  test("a file beside the fields of a multipart form may hold any octets", () => {
    const head = 'Content-Disposition: form-data; name="f"; filename="a.bin"';
    const bodyText = `--x\r\n${head}\r\n\r\n\u00e9\r\n--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nok\r\n--x--\r\n`;
    expect(textOf(file, latin1(bodyText), multipart)).toBe("ok");
  });

  test("names beyond ASCII need no escapes", () => {
    expect(textOf({ ...file, text: "{{متن}}" }, Buffer.from("متن=a"), form)).toBe("a");
  });

  test("a percent sign without two hexadecimal digits stays itself, as in every form", () => {
    expect(textOf(file, latin1("text=50%25+off+100%+%zz+%4"), form)).toBe("50% off 100% %zz %4");
  });

  test("a template sets the charset of query, form and multipart", () => {
    const persian = { ...file, charset: "windows-1256" };
    const octets = Buffer.from([0xd3, 0xe1, 0xc7, 0xe3]);
    const percent = "%D3%E1%C7%E3";
    expect([
      textOf(persian, nothing, { query: `text=${percent}` }),
      textOf(persian, Buffer.concat([latin1("text="), octets]), form),
      textOf(persian, latin1(`text=${percent}`), form),
      textOf(persian, part(latin1("text"), octets), multipart),
      textOf(persian, Buffer.from('{"text":"سلام"}'), { contentType: "application/json" }),
    ]).toEqual(["سلامسلام", "سلام", "سلام", "سلام", "سلام"]);
    expect(() => textOf({ ...file, charset: "shift_jis" }, latin1("text=%81"), form)).toThrow(ApiError);
    expect(problemsOf({ ...file, charset: "farsi" })).toEqual([
      'charset: "farsi" is not the name of a charset, such as utf-8 or windows-1256',
    ]);
    expect(problemsOf({ ...file, charset: "x".repeat(41) })).toHaveLength(1);
  });

  test("a template lists the paths whose texts are percent-encoded again, in its charset", () => {
    const encoded = { to: "{{to}}", text: "{{text}} {{other}}", urldecode: ["text", "to"] };
    const json = { contentType: "application/json" };
    const body = (text: string) => Buffer.from(JSON.stringify({ to: "%2B989121234567", text, other: "100%25" }));
    expect(textOf(encoded, body("%D8%B3%D9%84%D8%A7%D9%85+%2B"), json)).toBe("سلام + 100%25");
    expect(textOf({ ...encoded, charset: "windows-1256" }, body("%D3%E1%C7%E3"), json)).toBe("سلام 100%25");
    expect(refusalOf(encoded, { to: "%2B989121234567", text: "%D8", other: "" })).toBe("urldecode: invalid_format");
    expect(sendingOf({ ...encoded, urldecode: "to", text: "x" }, { to: "%2B989121234567" })).toMatchObject({
      messages: [{ recipients: ["+989121234567"] }],
    });
    expect(problemsOf({ ...encoded, urldecode: ["text", "a b"] })).toHaveLength(1);
    expect(problemsOf({ ...encoded, urldecode: Array.from({ length: 20 }, (_, at) => `f${at}`) })).toEqual([]);
    expect(problemsOf({ ...encoded, urldecode: Array.from({ length: 21 }, (_, at) => `f${at}`) })).toHaveLength(1);
  });
});
