/** A column of raw bytes, in the type that bun:sqlite gives: drizzle's own blobs are Buffers. */
import { customType } from "drizzle-orm/sqlite-core";

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "blob" });
