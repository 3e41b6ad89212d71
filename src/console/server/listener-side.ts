/** The two listeners of the console: one for who runs Peyk, one for customers. */
import type { Role } from "../../domain/roles.ts";

export type ListenerSide = "console" | "portal";

export const sideOf = (role: Role): ListenerSide => (role === "customer" ? "portal" : "console");

/** As the audit tells it: `console 203.0.113.7`. */
export const originFor = (side: ListenerSide, address: string): string => `${side} ${address}`;

/** Customers come in at the portal alone, and nobody else does. */
export const admits = (side: ListenerSide, role: Role): boolean => sideOf(role) === side;
