/** Finds what stands at a path: for trailing slashes, wrong methods and paths that nobody knows. */
import type { Operation, PathParams } from "./operation.ts";

/** What the service has at one path, by method. */
export interface PathMatch<Served> {
  byMethod: ReadonlyMap<string, Served>;
  params: PathParams;
}

interface Pattern<Served> {
  segments: readonly string[];
  byMethod: Map<string, Served>;
}

export type PathRoute = Pick<Operation, "method" | "path">;

/** A table over `/v1/messages/:trackingCode` and its like. Fixed segments win over named ones. */
export function pathTable<Served>(routes: readonly { method: string; path: string; served: Served }[]) {
  const patterns: Pattern<Served>[] = [];
  for (const { method, path, served } of routes) {
    const bare = bareOf(path);
    const segments = bare.split("/");
    const known = patterns.find((pattern) => pattern.segments.join("/") === bare);
    if (known !== undefined) known.byMethod.set(method, served);
    else patterns.push({ segments, byMethod: new Map([[method, served]]) });
  }
  const namedCount = ({ segments }: Pattern<Served>) => segments.filter((segment) => segment.startsWith(":")).length;
  patterns.sort((a, b) => namedCount(a) - namedCount(b));

  return {
    /** `pathname` as it stands in the URL, with or without one trailing slash. */
    find(pathname: string): PathMatch<Served> | null {
      const segments = bareOf(pathname).split("/");
      for (const pattern of patterns) {
        const params = paramsOf(pattern.segments, segments);
        if (params !== null) return { byMethod: pattern.byMethod, params };
      }
      return null;
    },
  };
}

/** A path and the same one with a slash at its end are one place. */
function bareOf(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): PathParams | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (!expected.startsWith(":")) {
      if (expected !== segment) return null;
    } else {
      if (segment === "") return null;
      params[expected.slice(1)] = decoded(segment);
    }
  }
  return params;
}

/** A segment with a broken escape names nothing, but it is no defect of ours either. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
