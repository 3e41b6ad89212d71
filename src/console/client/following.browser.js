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

  /** By their ids, since a row that is brought up to date loses what was written on it. */
  let seen = new Set();
  const held = new Set();

  /** Shows the rows that came while the pointer was over the list. */
  function release() {
    held.clear();
    for (const row of place()?.querySelectorAll("tr[hidden]") ?? []) row.removeAttribute("hidden");
    find("[data-held]")?.setAttribute("hidden", "");
  }

  /**
   * @param {Element} list
   * @param {Element[]} rows
   */
  function hold(list, rows) {
    const isUnderPointer = list.matches(":hover");
    for (const row of rows) {
      if (isUnderPointer && !seen.has(row.id)) held.add(row.id);
      if (held.has(row.id) && !row.hasAttribute("hidden")) row.setAttribute("hidden", "");
    }
    seen = new Set(rows.map(({ id }) => id));
    const told = find("[data-held]");
    if (told === null) return;
    told.textContent = `+${new Intl.NumberFormat(document.documentElement.lang).format(held.size)}`;
    told.toggleAttribute("hidden", held.size === 0);
  }

  function begin() {
    const [rows, list] = [place(), find(".records")];
    if (!isFollowing() || rows === null || list === null) return;
    new MutationObserver(() => {
      for (const row of [...rows.children].slice(rowsMax)) row.remove();
      hold(list, [...rows.children]);
    }).observe(rows, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
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
