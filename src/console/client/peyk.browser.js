/**
 * What the pages do in a browser beyond links and forms: the policy for htmx, keys, copying, dialogs, the focus. Every
 * page can be read and every form works without it.
 */
(() => {
  const { htmx } = window;

  // Only HTML written by this server is accepted; scripts in it are emptied, and expressions in attributes are refused.
  const policy = window.trustedTypes?.createPolicy("htmx", { createHTML: (html) => html, createScript: () => "" });
  const refuse = () => {
    throw new Error("Peyk runs no script from attributes.");
  };
  htmx.registerExtension("peyk", {
    /** @param {ExtensionApi} api */
    init: (api) => api.initSecurity(policy, refuse, refuse),
    htmx_after_swap: () => prepare(document),
    htmx_sse_after_message: () => {
      streams("open");
      answeredAt = Date.now();
    },
    // A reader keeps open what the server sends closed.
    /** @param {Element} element @param {{ attrName: string }} detail */
    htmx_before_morph_attr: (element, { attrName }) => !(attrName === "open" && element instanceof HTMLDetailsElement),
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
      streams("gone");
      if (status === 401) show("signedOut");
      else if (status === 0 || status >= 500) show("lost");
    },
    htmx_sse_close: () => streams("gone"),
    htmx_sse_after_connection: () => {
      streams("open");
      answers();
    },
    /** @param {Element} _ @param {{ ctx?: Partial<AnswerDetail["ctx"]> }} detail */
    htmx_error: (_, { ctx }) => show(ctx?.response === undefined ? "lost" : "failed"),
  });

  /** Null if something between the browser and Peyk answered. @param {AnswerDetail["ctx"]} ctx */
  function versionOf(ctx) {
    return ctx.response.raw.headers.get("Peyk-Page-Version");
  }

  /** Whether the page is kept current. @param {"open" | "gone"} state */
  function streams(state) {
    document.documentElement.dataset.stream = state;
  }

  /** Announces a change to readers who cannot see it. @param {string} words */
  function say(words) {
    const region = document.getElementById("said");
    if (region !== null) region.textContent = words;
  }

  /** @param {"signedOut" | "upgraded" | "lost" | "failed" | "notStored"} trouble */
  function show(trouble) {
    document.querySelector(`[data-trouble="${trouble}"]`)?.removeAttribute("hidden");
    if (trouble === "lost" || trouble === "signedOut") streams("gone");
    if (trouble === "lost") grey();
  }

  /** The time of the figures on the page. */
  let answeredAt = Date.now();

  /** Shows the time of the figures that stay on the page while the server does not respond. */
  function grey() {
    const root = document.documentElement;
    const { zone: timeZone = "UTC" } = root.dataset;
    const clock = new Intl.DateTimeFormat(root.lang === "fa" ? "fa-IR" : "en-GB", {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
    });
    for (const place of document.querySelectorAll("[data-as-of]")) place.textContent = clock.format(answeredAt);
  }

  const isLost = () => document.querySelector('[data-trouble="lost"]:not([hidden])') !== null;

  /** A file that needs neither a session nor the database. */
  const reached = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
  const answerMsMax = 10_000;

  /** True if Peyk answers; the page shows the notice as long as it does not. */
  async function reach() {
    const asked = {
      method: "HEAD",
      cache: /** @type {RequestCache} */ ("no-store"),
      signal: AbortSignal.timeout(answerMsMax),
    };
    const answer = await fetch(reached, asked).catch(() => null);
    if (answer === null || answer.status >= 500) {
      show("lost");
      return false;
    }
    if (isLost()) answers();
    answeredAt = Date.now();
    return true;
  }

  /** A form that is sent so soon after an answer is not asked for first: it leaves the page at once. */
  const freshMs = 30_000;
  const isSure = () => !isLost() && Date.now() - answeredAt < freshMs;

  /** Forms that may leave the page. @type {WeakSet<HTMLFormElement>} */
  const cleared = new WeakSet();
  /** @type {WeakSet<HTMLFormElement>} */
  const waiting = new WeakSet();

  // Keeps what was typed: submitting to an unreachable server would replace the page with the browser's own error page.
  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
    const method = submitter?.getAttribute("formmethod") ?? form.getAttribute("method") ?? "get";
    if (cleared.delete(form) || method === "dialog" || isSure() || (method !== "post" && !isLost())) return;
    event.preventDefault();
    if (waiting.has(form)) return;
    waiting.add(form);
    const answered = await reach();
    waiting.delete(form);
    if (!answered) return say(document.querySelector('[data-trouble="lost"]')?.textContent ?? "");
    cleared.add(form);
    form.requestSubmit(submitter);
  });

  const lookMs = 5_000;
  /** A live page hears from its stream at least this often. */
  const silenceMsMax = 40_000;
  let isLooking = false;

  /** Notices that the network was lost without a word, and that Peyk answers again. */
  async function look() {
    const isSilent = document.querySelector("[hx-sse\\:connect]") !== null && Date.now() - answeredAt > silenceMsMax;
    if (document.hidden || isLooking || !(isLost() || isSilent)) return;
    isLooking = true;
    await reach();
    isLooking = false;
  }
  setInterval(look, lookMs);
  // A service on the same machine answers without a network.
  addEventListener("offline", reach);
  addEventListener("online", look);

  /** Removes the notice about the last request's failure. */
  function answers() {
    answeredAt = Date.now();
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
    for (const button of root.querySelectorAll("[data-copy][hidden], [data-print][hidden]"))
      button.removeAttribute("hidden");
    const wanted = root.querySelector("[data-focus]");
    // In a dialog that is not open yet nothing takes the focus.
    if (wanted instanceof HTMLElement && !wanted.dataset.focused && wanted.checkVisibility()) {
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

  /** The question's own page, or the form that a page opens, shown on top of this one. @param {HTMLAnchorElement} link */
  async function ask(link) {
    if (dialog === null) return;
    openedBy = link;
    const select = link.dataset.dialog || "h1, #confirm";
    await htmx.ajax("GET", link.href, { target: dialog, select, swap: "innerHTML ignoreTitle:true" });
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
    if (target?.closest("[data-print]")) return print();
    const closer = target?.closest("[data-close]");
    if (dialog?.open && closer && dialog.contains(closer)) {
      event.preventDefault();
      return dialog.close();
    }
    const field = target?.closest("a[data-field]");
    if (field instanceof HTMLAnchorElement && !modified) {
      const wanted = document.getElementById(field.hash.slice(1));
      wanted?.closest("details")?.setAttribute("open", "");
      event.preventDefault();
      return wanted?.focus();
    }
    const asking = target?.closest("a[data-dialog]");
    if (asking instanceof HTMLAnchorElement && !modified) {
      event.preventDefault();
      ask(asking).catch(() => location.assign(asking.href));
    }
  });

  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
    const name = target.parentElement?.querySelector(".file-name");
    if (name) name.textContent = target.files?.[0]?.name ?? "";
  });

  // Keys are identified by position: a Persian layout has other letters on them.
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
