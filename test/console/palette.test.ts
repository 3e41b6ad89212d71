/** What the palette finds, for whom, and how much of it; its page without script. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { acts, actsOn } from "../../src/console/places/palette/acts.ts";
import { PageTable } from "../../src/console/server/page-table.ts";
import { type ConsoleProcess, FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { declaredPages } from "../support/declared-pages.ts";

let server: ConsoleProcess;
let owner: FormClient;
let support: FormClient;
let customer: FormClient;

beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  const { api } = server;
  for (const [name, sender] of [
    ["Mehr Clinics", "30001234"],
    ["Mehregan School", "30009999"],
    ["بانک آینده", "30005555"],
  ] as const) {
    const { id } = await api("POST /accounts", { name });
    await api("POST /accounts/:id/senders", { id, sender });
    await api("POST /keys", { account: id, name: `till of ${sender}` });
  }
  await api("POST /routes", { name: "operator-a", kind: "simulator" });
  owner = await signedInAs(server, "owner");
  support = await signedInAs(server, "support");
  customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

/** Links of the piece that the palette shows. */
async function found(reader: FormClient, text: string, at = "/") {
  const answer = await reader.get(`/search?${new URLSearchParams({ q: text, at })}`, { "HX-Request": "true" });
  expect(answer.status).toBe(200);
  const html = await answer.text();
  return [...html.matchAll(/role="option"[^>]* href="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
}

test("every act leads to a page that is declared", () => {
  const table = new PageTable(declaredPages());
  const hrefs = [...acts, ...Object.values(actsOn).flat()].map(({ href }) => href.split("?", 1)[0] ?? "");
  const missing = hrefs.filter((href) => {
    const page = table.find("GET", href.replaceAll(/:[a-z]+/g, "x1"));
    return page === null || page === "wrongMethod";
  });
  expect(missing).toEqual([]);
});

test("finds by name, id, number, place, setting and help, in either language and with the digits of each", async () => {
  expect((await found(owner, "mehr")).slice(0, 2)).toEqual(["/accounts/acc_1", "/accounts/acc_2"]);
  expect(await found(owner, "بانك")).toContain("/accounts/acc_3");
  expect(await found(owner, "acc_3")).toContain("/accounts/acc_3");
  for (const digits of ["30009999", "۳۰۰۰۹۹۹۹", "٣٠٠٠٩٩٩٩"])
    expect(await found(owner, digits)).toContain("/messages?sender=30009999&account=acc_2");
  for (const number of ["09121234567", "۰۹۱۲۱۲۳۴۵۶۷", "+98 912 123 4567"])
    expect((await found(owner, number))[0]).toBe("/messages?q=%2B989121234567");
  for (const place of ["backups", "نسخه‌های"]) expect(await found(owner, place)).toContain("/backups");
  expect(await found(owner, "operator-a")).toContain("/routes/operator-a");
  expect(await found(owner, "listen")).toContain("/system/settings#:~:text=listen");
  expect(await found(owner, "sizing")).toContain("/help/sizing");
});

test("what one wants to do may be typed with its name, and the page beneath is offered by itself", async () => {
  expect((await found(owner, "suspend clinics"))[0]).toBe("/accounts/acc_1/suspend");
  expect((await found(owner, "تعلیق clinics"))[0]).toBe("/accounts/acc_1/suspend");
  expect(await found(owner, "new account")).toContain("/accounts/new");
  expect(await found(owner, "", "/accounts/acc_2/keys")).toContain("/accounts/acc_2/balance");
  expect(await found(owner, "mehr clinics", "/messages?status=failed")).toContain(
    "/messages?status=failed&account=acc_1",
  );
  await server.api("POST /accounts/:id/suspend", { id: "acc_2" });
  expect(await found(owner, "suspend school")).not.toContain("/accounts/acc_2/suspend");
  await server.api("POST /accounts/:id/resume", { id: "acc_2" });
});

test("suspending asks first", async () => {
  const asked = plainText(await (await owner.get("/accounts/acc_1/suspend")).text());
  expect(asked).toContain("Suspend Mehr Clinics?");
  expect((await server.api("GET /accounts/:id", { id: "acc_1" })).status).toBe("active");
});

test("each role finds what it may open, a customer the things of its account alone", async () => {
  expect(await found(support, "suspend clinics")).not.toContain("/accounts/acc_1/suspend");
  expect(await found(support, "backups")).not.toContain("/backups");
  for (const text of ["mehr", "3000", "operator", "till", "acc_2", "backup", "suspend", "listen", "new"]) {
    const hrefs = await found(customer, text);
    for (const href of hrefs) {
      if (!href.startsWith("/messages?q="))
        expect(href).not.toMatch(/acc_[23]|\/accounts|\/routes|\/plans|\/system|\/help|\/backups|\/suppression/);
      expect((await customer.get(href)).status).toBe(200);
    }
  }
  expect(await found(customer, "3000")).toContain("/messages?sender=30001234&account=acc_1");
  expect(await found(customer, "30009999")).toEqual(["/messages?q=30009999"]);
});

test("an answer is bounded: three of a group, nine in all", async () => {
  for (const text of ["m", "new", "3", "k", "a"]) expect((await found(owner, text)).length).toBeLessThanOrEqual(10);
  const html = await (await owner.get("/search?q=m", { "HX-Request": "true" })).text();
  for (const group of html.split('role="group"').slice(1))
    expect(group.match(/role="option"/g)?.length).toBeLessThanOrEqual(3);
});

test("without script its link leads to a page with the same links", async () => {
  expect(await (await owner.get("/")).text()).toContain('href="/search"');
  const page = await (await owner.get("/search?q=mehr")).text();
  expect(page).toContain('<form class="search" method="get" action="/search">');
  expect(page).toContain('href="/accounts/acc_2"');
  expect((await new FormClient(owner.url).get("/search?q=mehr")).status).toBe(303);
});
