/** The forms on a page, as a browser would post them. */

export interface FormControl {
  name: string;
  /** The type of an input; `textarea` and `select` for those. */
  type: string;
  /** Null for an unchecked box. */
  value: string | null;
  /** The choices of a select, or the one value of a box. */
  choices: string[];
}

export interface PageForm {
  /** Path and query. */
  action: string;
  controls: FormControl[];
}

const plain = (written: string) =>
  written.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Those that are posted, in page order. */
export async function pageForms(html: string): Promise<PageForm[]> {
  const forms: (PageForm & { method: string })[] = [];
  const last = () => forms.at(-1)?.controls.at(-1);
  const put = (element: HTMLRewriterTypes.Element, type: string, value: string | null, choices: string[] = []) =>
    forms.at(-1)?.controls.push({ name: element.getAttribute("name") ?? "", type, value, choices });
  await new HTMLRewriter()
    .on("form", {
      element(element) {
        const [action = ""] = plain(element.getAttribute("action") ?? "").split("#");
        forms.push({ action, method: element.getAttribute("method") ?? "get", controls: [] });
      },
    })
    .on("form input", {
      element(element) {
        const type = element.getAttribute("type") ?? "text";
        const value = plain(element.getAttribute("value") ?? "");
        const isBox = type === "checkbox" || type === "radio";
        put(element, type, isBox && !element.hasAttribute("checked") ? null : value, isBox ? [value] : []);
      },
    })
    .on("form textarea", {
      element: (element) => void put(element, element.hasAttribute("hidden") ? "hidden" : "textarea", ""),
      text(piece) {
        const control = last();
        if (control !== undefined) control.value += plain(piece.text);
      },
    })
    .on("form select", { element: (element) => void put(element, "select", null) })
    .on("form select option", {
      element(element) {
        const value = plain(element.getAttribute("value") ?? "");
        const control = last();
        control?.choices.push(value);
        if (control !== undefined && element.hasAttribute("selected")) control.value = value;
      },
    })
    .transform(new Response(html))
    .text();
  return forms
    .filter(({ method }) => method === "post")
    .map(({ action, controls }) => ({
      action,
      // A browser omits the first line break in a textarea.
      controls: controls.map((one) =>
        one.type === "textarea" ? { ...one, value: one.value?.replace(/^\n/, "") ?? null } : one,
      ),
    }));
}
