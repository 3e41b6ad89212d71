import { expect, test } from "bun:test";
import { Elysia } from "elysia";
import Memoirist from "memoirist";
import { type OpenPage, openPage, type PageMethod } from "../../src/console/page/page.ts";
import { PageTable } from "../../src/console/server/page-table.ts";
import { declaredPages } from "../support/declared-pages.ts";

const pageAt = (method: PageMethod, path: string): OpenPage =>
  openPage({ method, path, answer: () => ({ kind: "written", html: "" }) });

const table = new PageTable([
  pageAt("GET", "/"),
  pageAt("GET", "/groups/:id"),
  pageAt("GET", "/groups/new"),
  pageAt("POST", "/groups/new"),
  pageAt("POST", "/groups/:id/numbers/:number/remove"),
  pageAt("GET", "/groups/:id/numbers"),
]);

/** The page's path and what its parameters are; otherwise what the table says. */
function found(method: string, path: string) {
  const answer = table.find(method, path);
  return answer === null || answer === "wrongMethod" ? answer : [answer.page.path, { ...answer.params }];
}

test("a page is found by its method and path, with its parameters", () => {
  expect(found("GET", "/")).toEqual(["/", {}]);
  expect(found("GET", "/groups/7")).toEqual(["/groups/:id", { id: "7" }]);
  expect(found("POST", "/groups/7/numbers/98912/remove")).toEqual([
    "/groups/:id/numbers/:number/remove",
    { id: "7", number: "98912" },
  ]);
});

test("a literal segment wins over a parameter, a longer one does not match it", () => {
  expect(found("GET", "/groups/new")).toEqual(["/groups/new", {}]);
  expect(found("GET", "/groups/newest")).toEqual(["/groups/:id", { id: "newest" }]);
  expect(found("GET", "/groups/new/numbers")).toEqual(["/groups/:id/numbers", { id: "new" }]);
});

test("a HEAD finds the page that a GET finds, and no page that only takes a POST", () => {
  expect(found("HEAD", "/groups/7")).toEqual(["/groups/:id", { id: "7" }]);
  expect(found("HEAD", "/groups/7/numbers/1/remove")).toBe("wrongMethod");
});

test("a known path asked by another method is told from an unknown path", () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "get", "constructor", "ALL", "WS", ""]) {
    expect([method, found(method, "/groups/7")]).toEqual([method, "wrongMethod"]);
    expect([method, found(method, "/group")]).toEqual([method, null]);
  }
});

test("slashes that are repeated or at the end of a path do not matter, a missing segment does", () => {
  for (const path of ["/groups/7/", "//groups//7", "/groups/7//"]) {
    expect([path, found("GET", path)]).toEqual([path, ["/groups/:id", { id: "7" }]]);
  }
  for (const path of ["", "//"]) expect(found("GET", path)).toEqual(["/", {}]);
  for (const path of ["/groups", "/groups//", "/groups/7/8", "/Groups/7"]) {
    expect([path, found("GET", path)]).toEqual([path, null]);
  }
});

test("a parameter is percent-decoded once, a literal segment is not", () => {
  expect(found("GET", "/groups/%D8%A7%2F%2541")).toEqual(["/groups/:id", { id: "ا/%41" }]);
  expect(found("GET", "/group%73/7")).toBeNull();
  expect(found("GET", "/groups/n%65w")).toEqual(["/groups/:id", { id: "new" }]);
});

test("a path with malformed percent-encoding is unknown, whatever the method", () => {
  for (const segment of ["%", "%E0%A4%A", "%zz"]) {
    for (const method of ["GET", "HEAD", "POST", "PUT"]) {
      expect([segment, method, found(method, `/groups/${segment}`)]).toEqual([segment, method, null]);
    }
    expect([segment, found("POST", `/groups/7/numbers/${segment}/remove`)]).toEqual([segment, null]);
  }
});

test("two pages for one method and path are refused at start", () => {
  const twice = pageAt("GET", "/groups/:id");
  for (const pages of [
    [pageAt("GET", "/groups"), pageAt("GET", "/groups")],
    [twice, twice],
    [twice, pageAt("GET", "/groups/:name")],
  ]) {
    expect(() => new PageTable(pages)).toThrow();
  }
  expect(() => new PageTable([twice, pageAt("POST", "/groups/:id")])).not.toThrow();
});

test("every declared page is found at its own address, by GET and HEAD or by POST", () => {
  const pages = declaredPages();
  const all = new PageTable(pages);
  for (const page of pages) {
    const path = page.path.replaceAll(/:\w+/g, "aB3");
    for (const method of page.method === "GET" ? ["GET", "HEAD"] : ["POST"]) {
      expect([path, all.find(method, path)]).toMatchObject([path, { page: { method: page.method, path: page.path } }]);
    }
    expect([path, all.find("PUT", path)]).toEqual([path, "wrongMethod"]);
  }
});

test("the router of the pages is the one by which Elysia routes, in the same version", () => {
  expect(new Elysia().router.http).toBeInstanceOf(Memoirist);
});
