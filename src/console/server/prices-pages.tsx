/** Price lists, for operators: read, and written from a file. */
import { OperatorError } from "../../domain/operator-error.ts";
import { roleMay } from "../../domain/roles.ts";
import { Notice } from "../components/blocks.tsx";
import type { FieldErrors } from "../components/forms.tsx";
import { answered } from "../data/console-api.ts";
import { PriceListPage, PricesPage } from "../pages/prices.tsx";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "./page.ts";

/** Of a list that may have tens of thousands. */
const linesShown = 500;
const problemsShown = 5;

async function pricesPage({ api, viewer, shell }: PageCall, name = "", errors: FieldErrors = {}) {
  const lists = await answered(api.prices.get());
  const form = roleMay(viewer.role, "prices.change") ? { name, errors } : null;
  return <PricesPage shell={shell("system")} view={{ lists, form }} />;
}

async function importFile(call: PageCall): Promise<PageAnswer> {
  const { api, form, locale } = call;
  const { prices, forms } = locale.words;
  const name = form.text("name");
  const file = form.file("file");
  if (file === null) return formAgain(await pricesPage(call, name, { file: prices.noFile }));
  if (name === "") return formAgain(await pricesPage(call, name, { name: prices.nameHint }));
  try {
    const { imported } = await answered(api.prices({ list: name }).import.post({ csv: await file.text() }));
    const notice = <Notice tone="ok">{prices.imported(locale.format.count(imported))}</Notice>;
    return redirect(`/prices/${encodeURIComponent(name)}`, notice);
  } catch (reason) {
    if (!(reason instanceof OperatorError) || reason.code !== "invalid") throw reason;
    const told = reason.problems.slice(0, problemsShown).map(({ key, message }) => forms.refused(`${key}: ${message}`));
    const isName = reason.problems.some(({ key }) => key === "list");
    return formAgain(await pricesPage(call, name, isName ? { name: prices.nameHint } : { file: told.join(" ") }));
  }
}

export const pricesPages = [
  page({
    method: "GET",
    path: "/prices",
    action: "prices.read",
    answer: async (call) => document(await pricesPage(call)),
  }),
  page({ method: "POST", path: "/prices", action: "prices.change", answer: importFile }),
  page({
    method: "GET",
    path: "/prices/:list",
    action: "prices.read",
    answer: async ({ api, params: { list: name }, shell }) => {
      const { lines, ...list } = await answered(api.prices({ list: name }).get());
      const view = { list, lines: lines.slice(0, linesShown) };
      return document(<PriceListPage shell={shell("system")} view={view} />);
    },
  }),
];
