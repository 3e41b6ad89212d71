/** What one route keeps on disk that asks its carrier. */
import type { RouteStorage } from "../providers/provider.ts";
import type { Store } from "../store/store.ts";

export function routeStorage(store: Store, routeId: number): RouteStorage {
  return {
    cursor: (line) => store.tables.carrierCursors.get(routeId, line),
    setCursor: (line, position) => store.write((tables) => tables.carrierCursors.set(routeId, line, position)),
  };
}
