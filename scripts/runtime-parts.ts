/**
 * What the executable contains besides Peyk and its packages: Bun, and what Bun links. Taken from the LICENSE.md of Bun
 * 1.4.5; check it again with each new version of Bun. The texts are in `scripts/licences/`.
 */
export interface RuntimePart {
  name: string;
  source: string;
  /** SPDX expression. */
  licence: string;
  /** Files of `scripts/licences/`. */
  texts: readonly string[];
}

const part = (name: string, source: string, licence: string, texts = [`${name}.txt`]): RuntimePart => ({
  name,
  source,
  licence,
  texts,
});

const github = (path: string) => `https://github.com/${path}`;

export const bunSource = github(`oven-sh/bun/tree/bun-v${Bun.version}`);

export const runtimeParts: readonly RuntimePart[] = [
  part("bun", bunSource, "MIT"),
  part("JavaScriptCore and WebKit", github("oven-sh/WebKit"), "LGPL-2.0-or-later AND BSD-2-Clause", [
    "webkit.txt",
    "LGPL-2.0.txt",
  ]),
  part("tinycc", github("TinyCC/tinycc"), "LGPL-2.1-or-later", ["LGPL-2.1.txt"]),
  part("boringssl", github("google/boringssl"), "Apache-2.0 AND ISC AND OpenSSL AND MIT"),
  part("brotli", github("google/brotli"), "MIT"),
  part("c-ares", github("c-ares/c-ares"), "MIT"),
  part("esbuild", github("evanw/esbuild"), "MIT"),
  part("highway", github("google/highway"), "Apache-2.0 OR BSD-3-Clause"),
  part("icu", github("unicode-org/icu"), "Unicode-3.0"),
  part("libarchive", github("libarchive/libarchive"), "BSD-2-Clause"),
  part("libbase64", github("aklomp/base64"), "BSD-2-Clause"),
  part("libdeflate", github("ebiggers/libdeflate"), "MIT"),
  part("libjpeg-turbo", github("libjpeg-turbo/libjpeg-turbo"), "IJG AND BSD-3-Clause AND Zlib"),
  part("libspng", github("randy408/libspng"), "BSD-2-Clause"),
  part("libwebp", github("webmproject/libwebp"), "BSD-3-Clause"),
  part("llvm libc++abi", github("llvm/llvm-project"), "Apache-2.0 WITH LLVM-exception", [
    "LLVM-exception.txt",
    "Apache-2.0.txt",
  ]),
  part("lol-html", github("cloudflare/lol-html"), "BSD-3-Clause"),
  part("ls-hpack", github("litespeedtech/ls-hpack"), "MIT"),
  part("ls-qpack", github("litespeedtech/ls-qpack"), "MIT"),
  part("lsquic", github("litespeedtech/lsquic"), "MIT AND BSD-3-Clause"),
  part("mimalloc", github("microsoft/mimalloc"), "MIT"),
  part("picohttpparser", github("h2o/picohttpparser"), "MIT"),
  part("simdutf", github("simdutf/simdutf"), "MIT"),
  part("sqlite", "https://sqlite.org", "blessing", ["sqlite.txt"]),
  part("tigerbeetle (parts of its I/O)", github("tigerbeetle/tigerbeetle"), "Apache-2.0", ["Apache-2.0.txt"]),
  part("uSockets and uWebSockets", github("uNetworking/uWebSockets"), "Apache-2.0", ["Apache-2.0.txt"]),
  part("uucode", github("jacobsandlund/uucode"), "MIT"),
  part("zlib-ng", github("zlib-ng/zlib-ng"), "Zlib"),
  part("zstd", github("facebook/zstd"), "BSD-3-Clause"),
  part("Node.js modules that Bun carries", bunSource, "MIT", ["polyfills.txt"]),
];
