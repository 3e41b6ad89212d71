/** What a route that polls its carrier keeps on disk. */
import type { RouteStorage } from "../providers/provider.ts";
import type { Store } from "../store/store.ts";

export function routeStorage(store: Store, routeId: number): RouteStorage {
  return {
    cursor: (line) => store.tables.carrierCursors.get(routeId, line),
    setCursor: (line, position) => store.write((tables) => tables.carrierCursors.set(routeId, line, position)),
  };
}
