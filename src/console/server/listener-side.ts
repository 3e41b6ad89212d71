/** The two listeners of the console: one for who runs Peyk, one for customers. */
import type { Role } from "../../domain/roles.ts";

export type ListenerSide = "console" | "portal";

/** Customers come in at the portal alone, and nobody else does. */
export const admits = (side: ListenerSide, role: Role): boolean => (role === "customer") === (side === "portal");
