/** Blocking the recipient of a message. */
import { roleMay } from "../../../domain/roles.ts";
import { LinkButton } from "../../components/buttons.tsx";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { BlockPage } from "./block.tsx";
import { blockWords } from "./block-words.ts";

const { form } = usualPages("messages", { read: "messages.read", change: "numbers.block" });

export const blockPages = form("/messages/:code/block", {
  async load({ api, params }) {
    const asked = await api("GET /messages/:trackingCode/block", { trackingCode: params.code });
    return { path: `/messages/${encodeURIComponent(params.code)}`, asked, texts: { list: "account", note: "" } };
  },
  View: BlockPage,
  async run({ api, params, locale, viewer }, { path, asked, texts }) {
    const list = texts.list === "all" ? "all" : "account";
    const note = texts.note === "" ? {} : { note: texts.note };
    const { number } = await api("POST /messages/:trackingCode/block", { trackingCode: params.code, list, ...note });
    const say = blockWords[locale.language];
    const lists = <LinkButton href={`/suppression?find=${encodeURIComponent(number)}`} label={say.toLists} />;
    return done(path, list === "all" ? say.stopsForAll(number) : say.stops[asked.stops](number, asked.accountName), {
      action: roleMay(viewer.role, "suppression.read") ? lists : null,
    });
  },
});
