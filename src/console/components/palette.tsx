/** Search for anything, or do something: a link to a page of its own, and a dialog above any page where scripts run. */
import { useLocale } from "../locale.ts";
import { Icon } from "./inline.tsx";

/** `isIcon`: on a phone, beside the menu. */
export function PaletteOpener({ isIcon = false }: { isIcon?: boolean }) {
  const { words } = useLocale();
  const { opener } = words.layout;
  if (isIcon) {
    return (
      <a class="button button-quiet opener-icon" href="/search" aria-label={opener} title={opener} data-palette>
        <Icon name="search" />
      </a>
    );
  }
  return (
    <a class="opener" href="/search" aria-keyshortcuts="Control+K Meta+K" data-palette>
      <Icon name="search" />
      <span>{opener}</span>
      <small aria-hidden="true">
        <kbd dir="ltr">Ctrl K</kbd>
      </small>
    </a>
  );
}

/** Closed until the script opens it. `scope`: the page beneath. */
export function Palette({ scope }: { scope: string }) {
  const { words } = useLocale();
  const { opener, results, choose, open, newTab } = words.layout;
  return (
    <dialog id="palette" class="palette" aria-label={opener}>
      <form class="palette-in" action="/search" method="get">
        <Icon name="search" />
        <input
          id="palette-text"
          name="q"
          type="text"
          class="digits"
          role="combobox"
          aria-expanded="false"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-label={opener}
          placeholder={opener}
          maxLength={100}
          autoComplete="off"
          spellcheck={false}
        />
        <span class="palette-scope">{scope}</span>
        <button type="button" class="palette-close" title={words.layout.close} data-palette-close>
          <small aria-hidden="true">
            <kbd dir="ltr">Esc</kbd>
          </small>
          <span class="unseen">{words.layout.close}</span>
        </button>
      </form>
      <div id="palette-list" class="palette-list" role="listbox" aria-label={results} />
      <p class="palette-foot">
        <span class="palette-keys" aria-hidden="true">
          <kbd dir="ltr">↑</kbd>
          <kbd dir="ltr">↓</kbd> {choose}
          <kbd dir="ltr">↵</kbd> {open}
          <kbd dir="ltr">Ctrl ↵</kbd> {newTab}
        </span>
        <span id="palette-count" role="status" />
      </p>
    </dialog>
  );
}
