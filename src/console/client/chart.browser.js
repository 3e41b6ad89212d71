/**
 * Shows the values of the chart column under the pointer in a card beside it. Without this script the browser shows the
 * same as a plain tooltip.
 */
(() => {
  const card = document.createElement("div");
  card.className = "chart-card";
  card.hidden = true;
  document.body.append(card);
  /** @type {Element | null} */
  let pointed = null;

  /** @param {string} tag @param {string} className @param {string} text */
  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  }

  /** The browser's own tooltip would cover the card. @param {Element} column */
  function textOf(column) {
    const title = column.querySelector("title");
    if (title !== null) {
      column.setAttribute("data-told", title.textContent ?? "");
      title.remove();
    }
    return column.getAttribute("data-told") ?? "";
  }

  /** @param {string} text */
  function fill(text) {
    const [name = "", ...lines] = text.split("\n");
    const rows = lines.map((line) => {
      const row = element("div", "chart-card-row", "");
      for (const [index, piece] of line.split("\t").entries()) {
        row.append(element("span", ["chart-card-name", "chart-card-value", "chart-card-share"][index] ?? "", piece));
      }
      return row;
    });
    card.replaceChildren(element("p", "chart-card-title", name), ...rows);
  }

  /** Beside the column, on the side where there is more room. @param {Element} column */
  function place(column) {
    const box = column.getBoundingClientRect();
    const isLeft = box.left > innerWidth / 2;
    const x = isLeft ? box.left - card.offsetWidth - 8 : box.right + 8;
    card.style.left = `${Math.max(8, Math.min(x, innerWidth - card.offsetWidth - 8))}px`;
    card.style.top = `${Math.max(8, Math.min(box.top, innerHeight - card.offsetHeight - 8))}px`;
  }

  /** @param {Element | null} column */
  function point(column) {
    if (column === pointed && column?.isConnected !== false) return;
    pointed?.classList.remove("chart-pointed");
    pointed = column;
    card.hidden = column === null;
    if (column === null) return;
    column.classList.add("chart-pointed");
    fill(textOf(column));
    place(column);
  }

  document.addEventListener("pointerover", ({ target }) => {
    point(target instanceof Element ? target.closest(".chart-moment") : null);
  });
  document.addEventListener("scroll", () => point(null), { passive: true });
})();
