/** A cookie is found by its whole name, in any position. */
import { expect, test } from "bun:test";
import { lookIn, sessionTokenIn } from "../../src/console/page/cookies.ts";

const tokenIn = (cookies: string) =>
  sessionTokenIn(new Request("http://localhost/", { headers: { Cookie: cookies } }), "console");

test.each([
  ["alone", "peyk_console=abc", "abc"],
  ["first", "peyk_console=abc; peyk_look=en.dark", "abc"],
  ["last, without spaces", "peyk_look=en.dark;peyk_console=abc", "abc"],
  ["among others with similar names", "x_peyk_console=1; peyk_console_form=2; peyk_console=abc; peyk_console=3", "abc"],
  ["after its name as another cookie's value", "a=peyk_console=1; peyk_console=abc", "abc"],
  ["up to a second equals sign", "peyk_console=abc=def", "abc"],
  ["with spaces around it", "a=b ;   peyk_console= abc ; c=d", "abc"],
  ["empty", "peyk_console=; peyk_console=abc", null],
  ["of another side", "peyk_portal=abc", null],
  ["that is absent", "", null],
])("the session token is read from a cookie %s", (_, cookies, token) => {
  expect(tokenIn(cookies)).toBe(token);
});

test("the look is read from its own cookie beside the session's", () => {
  const request = new Request("http://localhost/", { headers: { Cookie: "peyk_console=abc; peyk_look=fa.dark" } });
  expect(lookIn(request)).toEqual({ language: "fa", theme: "dark" });
});
