/** What keeps an open page current, and the mark by its title that says so. */
import { type ComponentChildren, createContext, h } from "preact";
import { useContext } from "preact/hooks";
import { useLocale } from "../locale.ts";

/** The address of the page's stream; `again` while that stream renders the page again; null for a page without one. */
const LiveContext = createContext<string | null>(null);

export const LiveProvider = LiveContext.Provider;
export const useLive = () => useContext(LiveContext);

/** Sent by the stream: replaces what the open page has inside this element, and leaves what did not change. */
export const Replaced = ({ id, swap = "innerMorph", children }: ReplacedProps) =>
  h("hx-partial", { "hx-target": `#${id}`, "hx-swap": swap }, children);

interface ReplacedProps {
  id: string;
  /** What is inside the element, the element itself, or in front of what is inside. */
  swap?: "innerMorph" | "outerMorph" | "afterbegin";
  children: ComponentChildren;
}

/** The script shows that the stream is open; without either, a reload shows more. */
export function LiveMark({ hasEnded = false, word }: { hasEnded?: boolean; word?: string }) {
  const { words } = useLocale();
  const { now, ended, gone } = words.live;
  return (
    <span class="live">
      <span class={hasEnded ? "live-ended" : "live-now"}>
        <span class={hasEnded ? "live-ring" : "live-dot"} aria-hidden="true" />
        {hasEnded ? ended : (word ?? now)}
      </span>
      <span class="live-gone">
        <span class="live-ring" aria-hidden="true" />
        {gone}
      </span>
    </span>
  );
}
