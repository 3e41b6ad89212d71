/** A column of raw bytes in bun:sqlite's own type; drizzle's blobs are Buffers. */
import { customType } from "drizzle-orm/sqlite-core";

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "blob" });
