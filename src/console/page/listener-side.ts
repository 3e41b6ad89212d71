/** The two listeners of the console: one for the people who run Peyk, one for customers. */
import { isCustomerRole, type Role } from "../../domain/roles.ts";

export type ListenerSide = "console" | "portal";

export const sideOf = (role: Role): ListenerSide => (isCustomerRole(role) ? "portal" : "console");

/** As recorded in the audit: `console 203.0.113.7`. */
export const originFor = (side: ListenerSide, address: string): string => `${side} ${address}`;

/** Customers sign in only at the portal, and nobody else does there. */
export const admits = (side: ListenerSide, role: Role): boolean => sideOf(role) === side;
