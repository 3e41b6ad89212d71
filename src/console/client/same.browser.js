/** Fills in the command that does the same as a page with what is typed there; `.` opens it, Escape closes it. */
(() => {
  const drawer = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.same"));
  if (drawer === null) return;

  /** A button's own form says what the button does, not what is typed. @param {HTMLFormElement | null} form */
  const isTypedIn = (form) => form?.querySelector("input:not([type=hidden]), select, textarea") !== null;

  /** @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} one */
  function isUntouched(one) {
    if (one instanceof HTMLSelectElement)
      return [...one.options].every((each) => each.selected === each.defaultSelected);
    if (one instanceof HTMLTextAreaElement || !["checkbox", "radio"].includes(one.type))
      return one.value === one.defaultValue;
    return one.checked === one.defaultChecked;
  }

  /**
   * What is typed into a control, wherever it is on the page; never a password, of a file its name.
   * @param {string} control @param {boolean} isChange
   */
  function typed(control, isChange) {
    const all = [...document.querySelectorAll(`main [name="${CSS.escape(control)}"]`)].filter(
      (one) =>
        one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement,
    );
    if (isChange && all.every(isUntouched)) return [];
    return all.flatMap((one) => {
      if (one.type === "password" || !isTypedIn(one.form)) return [];
      if (one instanceof HTMLInputElement && one.type === "file") return [...(one.files ?? [])].map(({ name }) => name);
      if (one instanceof HTMLInputElement && ["checkbox", "radio"].includes(one.type))
        return one.checked ? [one.value] : [];
      return [one.value];
    });
  }

  function fill() {
    for (const code of drawer?.querySelectorAll("[data-same]") ?? []) {
      const call = JSON.parse(code.getAttribute("data-same") ?? "{}");
      code.textContent = new SameText(call, typed).text;
      code.closest(".drawer-call")?.querySelector("[data-copy]")?.setAttribute("data-copy", code.textContent);
    }
  }

  drawer.addEventListener("toggle", fill);
  // What is typed, and what the service makes of it.
  for (const name of ["input", "change", "htmx:after:swap"])
    document.addEventListener(name, () => {
      if (drawer.open) fill();
    });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drawer.open && document.querySelector("dialog[open]") === null) {
      drawer.open = false;
      drawer.querySelector("summary")?.focus();
      return;
    }
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
    const isAlone = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyping);
    if (event.code === "Period" && isAlone && document.body.dataset.shortcuts === "on") drawer.open = !drawer.open;
  });
})();
