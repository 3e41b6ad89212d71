/**
 * What the pages do in a browser beyond links and forms: the policy that htmx works under, keys, copying, dialogs, the focus.
 * Every page reads and every form works without it.
 */
(() => {
  const { htmx } = window;

  // Only HTML that this server wrote is taken in; script that stood in it is emptied, and expressions in attributes are refused.
  const policy = window.trustedTypes?.createPolicy("htmx", { createHTML: (html) => html, createScript: () => "" });
  const refuse = () => {
    throw new Error("Peyk runs no script from attributes.");
  };
  htmx.registerExtension("peyk", {
    /** @param {ExtensionApi} api */
    init: (api) => api.initSecurity(policy, refuse, refuse),
    htmx_after_swap: () => prepare(document),
    /** @param {Element} _ @param {AnswerDetail} detail */
    htmx_before_response: (_, { ctx }) => {
      const version = versionOf(ctx);
      if (version !== null && version !== document.documentElement.dataset.version) show("upgraded");
      if (ctx.response.status < 400) answers();
    },
    /** @param {Element} _ @param {AnswerDetail} detail */
    htmx_response_error: (_, { ctx }) => troubled(ctx.response.status, versionOf(ctx) !== null),
    /** @param {Element} _ @param {{ status?: number }} detail */
    htmx_sse_error: (_, { status = 0 }) => {
      if (status === 401) show("signedOut");
      else if (status === 0 || status >= 500) show("lost");
    },
    htmx_sse_after_connection: answers,
    /** @param {Element} _ @param {{ ctx?: Partial<AnswerDetail["ctx"]> }} detail */
    htmx_error: (_, { ctx }) => show(ctx?.response === undefined ? "lost" : "failed"),
  });

  /** Null where somebody between the browser and Peyk answered. @param {AnswerDetail["ctx"]} ctx */
  function versionOf(ctx) {
    return ctx.response.raw.headers.get("Peyk-Page-Version");
  }

  /** What the page says to who cannot see what changed. @param {string} words */
  function say(words) {
    const region = document.getElementById("said");
    if (region !== null) region.textContent = words;
  }

  /** @param {"signedOut" | "upgraded" | "lost" | "failed" | "notStored"} trouble */
  function show(trouble) {
    document.querySelector(`[data-trouble="${trouble}"]`)?.removeAttribute("hidden");
  }

  /** What the last request met is over. */
  function answers() {
    const passing = '[data-trouble="lost"], [data-trouble="failed"], [data-trouble="notStored"]';
    for (const trouble of document.querySelectorAll(passing)) trouble.setAttribute("hidden", "");
  }

  /** @param {number} status @param {boolean} isOurs */
  function troubled(status, isOurs) {
    if (status === 401) show("signedOut");
    else if (status === 503 && isOurs) show("notStored");
    else if (status >= 500) show("failed");
  }

  /** @param {Document | Element} root */
  function prepare(root) {
    for (const button of root.querySelectorAll("[data-copy][hidden]")) button.removeAttribute("hidden");
    const wanted = root.querySelector("[data-focus]");
    if (wanted instanceof HTMLElement && !wanted.dataset.focused) {
      wanted.dataset.focused = "yes";
      wanted.focus();
    }
  }

  /** @param {HTMLElement} button */
  async function copy(button) {
    const { copy: text = "", copyPath } = button.dataset;
    await navigator.clipboard.writeText(copyPath === undefined ? text : location.origin + copyPath);
    const copied = document.body.dataset.copied ?? "";
    const label = button.querySelector("[data-copy-label]");
    say(copied);
    if (label === null || label.textContent === copied) return;
    const before = label.textContent;
    label.textContent = copied;
    setTimeout(() => {
      label.textContent = before;
    }, 2000);
  }

  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("dialog"));
  /** @type {HTMLElement | null} */
  let openedBy = null;

  /** The question's own page, shown over this one. @param {HTMLAnchorElement} link */
  async function ask(link) {
    if (dialog === null) return;
    openedBy = link;
    await htmx.ajax("GET", link.href, { target: dialog, select: "h1, #confirm", swap: "innerHTML ignoreTitle:true" });
    if (!dialog.open) dialog.showModal();
    prepare(dialog);
  }
  dialog?.addEventListener("close", () => {
    dialog.replaceChildren();
    openedBy?.focus();
  });

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const modified = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    const button = target?.closest("[data-copy]");
    if (button instanceof HTMLElement) return void copy(button);
    const closer = target?.closest("[data-close]");
    if (dialog?.open && closer && dialog.contains(closer)) {
      event.preventDefault();
      return dialog.close();
    }
    const asking = target?.closest("a[data-dialog]");
    if (asking instanceof HTMLAnchorElement && !modified) {
      event.preventDefault();
      ask(asking).catch(() => location.assign(asking.href));
    }
  });

  // Keys are told by their place: a Persian layout has other letters on them.
  const places = {
    KeyN: "/",
    KeyM: "/messages",
    KeyS: "/send",
    KeyR: "/routes",
    KeyA: "/accounts",
    KeyC: "/callbacks",
  };
  let going = false;

  /** @param {number} step */
  function move(step) {
    const links = [...document.querySelectorAll(".row-link")];
    const at = links.findIndex((link) => link.matches(":focus"));
    const next = links[at === -1 && step < 0 ? links.length - 1 : at + step];
    if (next instanceof HTMLElement) next.focus();
  }

  /** @param {string} place */
  function go(place) {
    const link = document.querySelector(`.menu a[href="${place}"]`);
    if (link instanceof HTMLAnchorElement) location.assign(link.href);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const { code } = event;
    if (going) {
      going = false;
      const place = places[/** @type {keyof typeof places} */ (code)];
      if (place !== undefined) go(place);
      return;
    }
    if (code === "KeyG") {
      going = true;
      setTimeout(() => {
        going = false;
      }, 1500);
    } else if (code === "KeyJ") move(1);
    else if (code === "KeyK") move(-1);
    else if (code === "Slash") {
      const field = event.shiftKey ? null : document.getElementById("search");
      if (event.shiftKey) location.assign("/keyboard");
      if (field === null) return;
      event.preventDefault();
      field.focus();
    }
  }

  document.addEventListener("keydown", (event) => {
    if (document.body.dataset.shortcuts !== "on" || dialog?.open) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, [contenteditable]")) return;
    pressed(event);
  });

  document.addEventListener("DOMContentLoaded", () => prepare(document));
})();
