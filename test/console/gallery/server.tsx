/** Serves the gallery on a port of this machine, as the console would: `/LANGUAGE/THEME/PAGE`, with its headers and assets. */

import { assetResponse, assetsPath, findAsset } from "../../../src/console/assets/assets.ts";
import { themes } from "../../../src/console/components/navigation.tsx";
import { renderDocument } from "../../../src/console/html.tsx";
import { isLanguage } from "../../../src/console/language.ts";
import { pageHeaders } from "../../../src/console/security.ts";
import { galleryPage } from "./pages.tsx";

export interface Gallery {
  url: string;
  stop(): Promise<void>;
}

function answer(request: Request): Response {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith(assetsPath)) {
    const asset = findAsset(pathname);
    if (asset !== null) return assetResponse(asset, request.headers.get("Accept-Encoding"));
  }
  const [, language = "", theme = "", name = ""] = pathname.split("/");
  const chosen = themes.find((one) => one === theme);
  const found = isLanguage(language) && chosen !== undefined ? galleryPage(name, language, chosen) : null;
  if (found === null) return new Response("", { status: 404, headers: pageHeaders });
  return new Response(renderDocument(found.locale, found.page), { headers: pageHeaders });
}

export function startGallery(): Gallery {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, development: false, fetch: answer });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
