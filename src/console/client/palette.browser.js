/**
 * The palette: opened above any page by Ctrl K, asks the server once per pause in typing, and goes where an option leads.
 * Without it the link in the column leads to a page with the same search.
 */
(() => {
  const { htmx } = window;
  const seen = "peyk-seen";
  const there = document.getElementById("palette");
  // Nobody is signed in: the next one is not told where the last one was.
  if (there === null) return sessionStorage.removeItem(seen);
  const palette = /** @type {HTMLDialogElement} */ (there);
  const field = /** @type {HTMLInputElement} */ (document.getElementById("palette-text"));
  const list = /** @type {HTMLElement} */ (document.getElementById("palette-list"));
  const count = /** @type {HTMLElement} */ (document.getElementById("palette-count"));

  const pauseMs = 120;
  const seenMax = 5;
  const here = location.pathname + location.search;
  const title = document.querySelector("h1")?.textContent ?? document.title;

  /** The last places, without this one. @returns {{ href: string, title: string }[]} */
  function places() {
    return JSON.parse(sessionStorage.getItem(seen) ?? "[]").filter(
      (/** @type {{ href: string }} */ { href }) => href !== here,
    );
  }
  const before = places().slice(0, seenMax);
  sessionStorage.setItem(seen, JSON.stringify([{ href: here, title }, ...before]));

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  let isAsking = false;
  /** What the list shows. @type {string | null} */
  let shown = null;

  const options = () => [...list.querySelectorAll('[role="option"]')];
  const chosen = () => list.querySelector('[aria-selected="true"]');

  /** @param {Element | undefined} option */
  function choose(option) {
    chosen()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option === undefined) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", option.id);
  }

  /** Where one was, until something is typed. */
  function recall() {
    const groups = list.firstElementChild;
    if (!(groups instanceof HTMLElement) || before.length === 0) return;
    const group = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", list.getAttribute("aria-label") ?? "");
    for (const [index, { href, title: name }] of before.entries()) {
      const option = document.createElement("a");
      Object.assign(option, { href, id: `seen-${index}`, className: "option", tabIndex: -1 });
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const words = document.createElement("bdi");
      words.className = "option-name";
      words.textContent = name;
      option.append(words);
      group.append(option);
    }
    groups.prepend(group);
  }

  /** One request at a time, for what is typed when it begins. */
  async function ask() {
    if (isAsking || field.value === shown) return;
    isAsking = true;
    const text = field.value;
    const asked = `/search?${new URLSearchParams({ q: text, at: here })}`;
    try {
      await htmx.ajax("GET", asked, { target: list, swap: "innerHTML ignoreTitle:true" });
      shown = text;
    } finally {
      isAsking = false;
    }
    if (text.trim() === "") recall();
    field.setAttribute("aria-expanded", String(options().length > 0));
    choose(options()[0]);
    count.textContent = list.querySelector("[data-found]")?.getAttribute("data-found") ?? "";
    if (field.value !== text) await ask();
  }

  function open() {
    if (document.querySelector("dialog[open]") !== null) return;
    palette.showModal();
    field.select();
    void ask();
  }

  /** @param {Element | null} option @param {boolean} isApart */
  function go(option, isApart) {
    if (!(option instanceof HTMLAnchorElement)) return;
    if (isApart) window.open(option.href, "_blank", "noopener");
    else option.click();
    palette.close();
  }

  field.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(ask, pauseMs);
  });

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    const all = options();
    const current = chosen();
    const at = current === null ? -1 : all.indexOf(current);
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1 + (at === -1 ? all.length + 1 : 0) };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step !== undefined && all.length > 0) {
      event.preventDefault();
      choose(all.at(step % all.length));
    }
  }

  field.addEventListener("keydown", async (event) => {
    if (event.isComposing) return;
    if (event.key !== "Enter") return keyed(event);
    event.preventDefault();
    clearTimeout(pause);
    await ask();
    go(chosen(), event.ctrlKey || event.metaKey);
  });

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("[data-palette-close]") || target === palette) return palette.close();
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!target?.closest("[data-palette]") || !isPlain) return;
    event.preventDefault();
    open();
  });

  // By position: a Persian layout has other letters there.
  document.addEventListener("keydown", (event) => {
    if (event.code === "KeyK" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      if (palette.open) palette.close();
      else open();
      return;
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !palette.open) {
      const primary = document.querySelector("button[data-primary]");
      if (primary instanceof HTMLButtonElement) primary.click();
      return;
    }
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
    const isAlone = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyping);
    if (event.code !== "Slash" || !isAlone || document.body.dataset.shortcuts !== "on") return;
    if (document.getElementById("search") !== null) return;
    event.preventDefault();
    open();
  });
})();
