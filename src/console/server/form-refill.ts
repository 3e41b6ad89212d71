/** Fills the form on a page with values posted earlier, whatever the page filled it with. */
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { PostedForm } from "../components/post-form.tsx";

interface FoundForm {
  isPosted: boolean;
  /** The form's own fields and those of its buttons. */
  actions: string[];
  /** Fields that the reader fills in. */
  names: string[];
}

/** Files and secrets have to be entered again; a button names the action. */
const isFilledIn = (type: string) => !["file", "password", "submit", "button"].includes(type);
const isTyped = (type: string) => type !== "hidden" && isFilledIn(type);
const controls = "form input, form textarea, form select";

/** As preact serialises a text or an attribute. */
const written = (text: string) => renderToString(h("b", null, text)).slice("<b>".length, -"</b>".length);

/** Without the fragment. */
const addressOf = (path: string): string => {
  const { pathname, search } = new URL(path, "http://localhost");
  return pathname + search;
};

/**
 * `page`: as HTML. Null if it contains no form that posts to that path. Fields that were not posted stay as the page
 * has them.
 */
export function refilledForm(page: string, { path, fields }: PostedForm): string | null {
  const action = addressOf(path);
  const forms = formsIn(page);
  const typedInto = ({ names }: FoundForm) => names.filter((name) => fields.some(([one]) => one === name)).length;
  const [chosen] = forms
    .filter(({ isPosted, actions }) => isPosted && actions.includes(action))
    .toSorted((a, b) => typedInto(b) - typedInto(a));
  if (chosen === undefined) return null;
  // Among forms without fields, such as one per row, the submitted one cannot be identified.
  return typedInto(chosen) === 0 ? page : filled(page, forms.indexOf(chosen), fields);
}

function formsIn(page: string): FoundForm[] {
  const forms: FoundForm[] = [];
  const actionIn = (element: HTMLRewriterTypes.Element, name: string) => {
    const value = element.getAttribute(name);
    return value === null ? [] : [addressOf(plain(value))];
  };
  new HTMLRewriter()
    .on("form", {
      element(element) {
        const isPosted = element.getAttribute("method") === "post";
        forms.push({ isPosted, actions: actionIn(element, "action"), names: [] });
      },
    })
    .on("form button", { element: (element) => void forms.at(-1)?.actions.push(...actionIn(element, "formaction")) })
    .on(controls, {
      element(element) {
        const isHidden = element.hasAttribute("hidden") || !isTyped(typeOf(element));
        if (!isHidden) forms.at(-1)?.names.push(nameOf(element));
      },
    })
    .transform(page);
  return forms;
}

function filled(page: string, chosen: number, fields: PostedForm["fields"]): string {
  let [form, select] = [-1, ""];
  const left = Map.groupBy(fields, ([name]) => name);
  const valuesOf = (name: string) => (left.get(name) ?? []).map(([, value]) => value);
  /** Controls that share a name each get their own value. */
  const next = (name: string): string | undefined => left.get(name)?.shift()?.[1];
  const inForm = (fill: (element: HTMLRewriterTypes.Element) => void) => ({
    element(element: HTMLRewriterTypes.Element) {
      if (form === chosen) fill(element);
    },
  });
  function fillInput(element: HTMLRewriterTypes.Element): void {
    const [name, type] = [nameOf(element), typeOf(element)];
    if (!isFilledIn(type)) return;
    if (type === "checkbox" || type === "radio") {
      mark(element, "checked", valuesOf(name).includes(plain(element.getAttribute("value") ?? "on")));
      return;
    }
    const value = next(name);
    if (value !== undefined) element.setAttribute("value", written(value).replaceAll("&quot;", '"'));
  }
  return new HTMLRewriter()
    .on("form", {
      element() {
        form += 1;
      },
    })
    .on("form input", inForm(fillInput))
    .on(
      "form textarea",
      inForm((element) => {
        const value = next(nameOf(element));
        // Its first line break is not part of it.
        if (value !== undefined) element.setInnerContent(`\n${written(value)}`, { html: true });
      }),
    )
    .on(
      "form select",
      inForm((element) => {
        select = nameOf(element);
      }),
    )
    .on(
      "form select option",
      inForm((element) => {
        const values = valuesOf(select);
        if (values.length > 0) mark(element, "selected", values.includes(plain(element.getAttribute("value") ?? "")));
      }),
    )
    .transform(page);
}

function mark(element: HTMLRewriterTypes.Element, name: "checked" | "selected", isOn: boolean): void {
  if (isOn) element.setAttribute(name, "");
  else element.removeAttribute(name);
}

const nameOf = (element: HTMLRewriterTypes.Element): string => element.getAttribute("name") ?? "";
const typeOf = (element: HTMLRewriterTypes.Element): string => element.getAttribute("type") ?? "text";

/** The value of an attribute, from preact's serialisation. */
const plain = (attribute: string): string =>
  attribute.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
