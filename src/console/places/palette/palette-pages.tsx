/** The search for everything: a piece for the palette, which asks as one types, and a page that works without script. */
import { cleanInput } from "../../format/input.ts";
import { partial } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { FindPage, PaletteList } from "./palette.tsx";
import { type Addresses, paletteGroups } from "./palette-view.ts";

const { shown } = usualPages(({ accountId }) => (accountId === null ? "now" : "overview"), {
  read: "own.settings",
  change: "own.settings",
});

const soughtMax = 100;

export const palettePages = (addresses: Addresses) => [
  shown("/search", async (call) => {
    const text = cleanInput(call.query.get("q") ?? "").slice(0, soughtMax);
    const groups = await paletteGroups({ call, addresses, text, at: call.query.get("at") ?? "" });
    return call.isPiece ? partial(<PaletteList {...{ text, groups }} />) : <FindPage {...{ text, groups }} />;
  }),
];
