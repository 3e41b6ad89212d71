/**
 * A list that is followed: `t` begins and ends it, rows never move under the pointer, and it ends by itself when one
 * goes into the list or has followed for ten minutes.
 */
(() => {
  const followedMsMax = 600_000;
  const rowsMax = 200;

  /** @type {(selector: string) => HTMLElement | null} */
  const find = (selector) => document.querySelector(selector);
  const isFollowing = () => document.querySelector("[data-following]:not([data-stopped])") !== null;
  const place = () => document.getElementById("fresh-rows");

  function stop() {
    const bar = find("[data-following]");
    if (bar === null || bar.hasAttribute("data-stopped")) return;
    bar.setAttribute("data-stopped", "");
    find("[hx-sse\\:connect]")?.remove();
    document.documentElement.dataset.stream = "gone";
    for (const link of bar.querySelectorAll("[data-tail]")) link.toggleAttribute("hidden");
  }

  /** Shows the rows that came while the pointer was over the list. */
  function release() {
    for (const row of place()?.querySelectorAll("tr[hidden]") ?? []) row.removeAttribute("hidden");
    find("[data-held]")?.setAttribute("hidden", "");
  }

  /** @param {Element} list */
  function hold(list) {
    const held = find("[data-held]");
    if (held === null || !list.matches(":hover")) return;
    const fresh = [...(place()?.children ?? [])];
    const count = fresh.findIndex((row) => row.hasAttribute("data-seen"));
    for (const row of count === -1 ? fresh : fresh.slice(0, count)) row.setAttribute("hidden", "");
    const hidden = place()?.querySelectorAll("tr[hidden]").length ?? 0;
    held.textContent = `+${new Intl.NumberFormat(document.documentElement.lang).format(hidden)}`;
    held.toggleAttribute("hidden", hidden === 0);
  }

  function begin() {
    const [rows, list] = [place(), find(".records")];
    if (!isFollowing() || rows === null || list === null) return;
    new MutationObserver(() => {
      hold(list);
      for (const row of rows.children) row.setAttribute("data-seen", "");
      for (const row of [...rows.children].slice(rowsMax)) row.remove();
    }).observe(rows, { childList: true });
    list.addEventListener("pointerleave", release);
    list.addEventListener("focusin", stop);
    addEventListener("scroll", stop, { once: true, passive: true });
    setTimeout(stop, followedMsMax);
  }

  document.addEventListener("keydown", (event) => {
    if (event.code !== "KeyT" || document.body.dataset.shortcuts !== "on") return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, dialog, [contenteditable]"))
      return;
    find("a[data-tail]:not([hidden])")?.click();
  });
  document.addEventListener("DOMContentLoaded", begin);
})();
