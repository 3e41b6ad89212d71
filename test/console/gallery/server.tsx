/** Serves the gallery on a port of this machine, as the console would: `/LANGUAGE/THEME/PAGE`, with its headers and assets. */

import { assetResponse, assetsPath, findAsset } from "../../../src/console/assets/assets.ts";
import { type Theme, themes } from "../../../src/console/components/navigation.tsx";
import { renderDocument, renderPartial } from "../../../src/console/html.tsx";
import { isLanguage, type Language } from "../../../src/console/language.ts";
import { createLocale } from "../../../src/console/locale.ts";
import { TextCounts } from "../../../src/console/pages/send.tsx";
import { pageHeaders } from "../../../src/console/security.ts";
import { systemRandom } from "../../../src/platform/random.ts";
import { now, zone } from "./data.ts";
import { galleryPage } from "./pages.tsx";

export interface Gallery {
  url: string;
  stop(): Promise<void>;
}

const english = createLocale({ language: "en", zone, now });
const later: readonly Typed[] = [
  { path: /^\/send\/count$/, answer: async (request) => html(renderPartial(english, await counted(request))) },
  { path: /^\/now\/live$/, answer: () => new Response(stream(), { headers: { "Content-Type": "text/event-stream" } }) },
  { path: /^\/messages\/\w+\/resend$/, answer: () => page("en", "light", "confirm") },
];

interface Typed {
  path: RegExp;
  answer(request: Request): Response | Promise<Response>;
}

const html = (body: string) => new Response(body, { headers: pageHeaders() });

function page(language: Language, theme: Theme, name: string): Response {
  const found = galleryPage(name, language, theme);
  return found === null
    ? new Response("", { status: 404 })
    : html(renderDocument(found.locale, found.page, () => systemRandom.uuid()));
}

async function counted(request: Request) {
  const text = String((await request.formData()).get("text"));
  const refused = refusedTexts[text];
  if (refused !== undefined) throw new TextRefused(refused);
  return (
    <TextCounts count={{ characters: text.length, encoding: "Latin", parts: 1, left: 160 - text.length }} cost={null} />
  );
}

/** Texts that are answered by a status alone: our own, or a proxy's. */
const refusedTexts: Readonly<Record<string, () => Response>> = {
  "signed out": () => new Response("", { status: 401, headers: pageHeaders() }),
  "disk full": () => new Response("", { status: 503, headers: pageHeaders() }),
  "proxy without Peyk": () => new Response("", { status: 503 }),
};

class TextRefused extends Error {
  constructor(readonly response: () => Response) {
    super();
  }
}

/** One moment for the chart, and one piece for the page. */
function stream(): ReadableStream {
  const piece = renderPartial(english, <p id="fresh">{"<b>fresh</b>"}</p>);
  const partial = `<hx-partial hx-target="#notices" hx-swap="innerHTML">${piece}</hx-partial>`;
  const moment = JSON.stringify({ at: now + 60_000, values: [4321, 1, 2] });
  const text = `id: 1\ndata: ${partial}\n\nevent: outcomes\ndata: ${moment}\n\n`;
  return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) });
}

async function answer(request: Request, live: boolean): Promise<Response> {
  const { pathname } = new URL(request.url);
  const known = later.find(({ path }) => path.test(pathname));
  if (pathname === "/now/live" && !live) return new Response(null, { status: 204 });
  if (known !== undefined) {
    try {
      return await known.answer(request);
    } catch (reason) {
      if (reason instanceof TextRefused) return reason.response();
      throw reason;
    }
  }
  if (pathname.startsWith(assetsPath)) {
    const asset = findAsset(pathname);
    if (asset !== null) return assetResponse(asset, request.headers.get("Accept-Encoding"));
  }
  const [, language = "", theme = "", name = ""] = pathname.split("/");
  const chosen = themes.find((one) => one === theme);
  if (isLanguage(language) && chosen !== undefined) return page(language, chosen, name);
  return new Response("", { status: 404 });
}

/** `live`: its pages are followed by a stream, as the console's are. */
export function startGallery({ live = false } = {}): Gallery {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    // Bun cuts a stream that says nothing for ten seconds: on a busy machine a page takes as long.
    idleTimeout: 0,
    fetch: (request) => answer(request, live),
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
