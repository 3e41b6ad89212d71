/** Fills in the command that does the same as a page with what is typed there; `.` opens it, Escape closes it. */
(() => {
  const drawer = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details.same"));
  if (drawer === null) return;

  /** @param {string} word */
  const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

  /** What is typed into a control, wherever it is on the page; never a password. @param {string} control */
  function typed(control) {
    const all = [...document.querySelectorAll(`main [name="${CSS.escape(control)}"]`)];
    const values = all.flatMap((one) => {
      if (one instanceof HTMLInputElement && (one.type === "password" || one.type === "file")) return [];
      if (one instanceof HTMLInputElement && ["checkbox", "radio"].includes(one.type))
        return one.checked ? [one.value] : [];
      const is =
        one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement;
      return is ? [one.value] : [];
    });
    return values.filter((value) => value.trim() !== "");
  }

  /** @param {string} flag @param {string} value */
  function flagText(flag, value) {
    const bare = flag.replace(/[!*]/g, "");
    const [first = "", second] = bare.split("/");
    if (second !== undefined) {
      const at = value.indexOf("/");
      const account = at === -1 ? "ACCOUNT" : value.slice(0, at);
      return `${first} ${quoted(account)} ${second} ${quoted(value.slice(at + 1))}`;
    }
    const chosen = bare.includes("|") ? bare.split("|")[/^[+\d\s]{4,}$/.test(value) ? 0 : 1] : bare;
    return chosen === "" ? quoted(value) : `${chosen} ${quoted(value)}`;
  }

  /** @param {string} control @param {string} flag */
  function given(control, flag) {
    const values = typed(control);
    const all = flag.includes("*") ? values.flatMap((value) => value.split(/[\s,;،؛]+/).filter(Boolean)) : values;
    return all.length === 0 && flag.includes("!") ? [control.toUpperCase()] : all;
  }

  function fill() {
    const lines = [...(drawer?.querySelectorAll("[data-same]") ?? [])].map((code) => {
      const { begin, flags, fields } = JSON.parse(code.getAttribute("data-same") ?? "{}");
      if (fields !== undefined) {
        const entries = Object.entries(fields).flatMap(([control, field]) => {
          const [value] = given(control, field);
          const bare = field.replace("!", "");
          // A customer's sender comes with its account.
          return value === undefined ? [] : [[bare, bare === "sender" ? value.replace(/^acc_\d+\//, "") : value]];
        });
        code.textContent =
          entries.length === 0
            ? begin
            : `${begin} \\\n  -d ${quoted(JSON.stringify(Object.fromEntries(entries), null, 2))}`;
      } else {
        const words = Object.entries(flags).flatMap(([control, flag]) =>
          given(control, flag).map((value) => flagText(flag, value)),
        );
        const line = [begin, ...words].join(" ");
        code.textContent = line.length > 60 ? [begin, ...words].join(" \\\n  ") : line;
      }
      return code.textContent;
    });
    drawer?.querySelector("[data-copy]")?.setAttribute("data-copy", lines.join("\n"));
  }

  drawer.addEventListener("toggle", fill);
  document.addEventListener("input", () => {
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
