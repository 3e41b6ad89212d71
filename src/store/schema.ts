/**
 * Every table and column, defined once; row types and column lists derive from here. `migrations/` creates them, and a
 * test compares the two. Times are epoch milliseconds. personal-data.ts says how erasing a recipient treats each table
 * with texts or octets.
 */
export * from "./schema/accounts.ts";
export * from "./schema/approved-content.ts";
export * from "./schema/billing.ts";
export * from "./schema/credentials.ts";
export * from "./schema/inbound.ts";
export * from "./schema/messages.ts";
export * from "./schema/recipients.ts";
export * from "./schema/reports.ts";
export * from "./schema/routing.ts";
export * from "./schema/service.ts";
export * from "./schema/webhooks.ts";
