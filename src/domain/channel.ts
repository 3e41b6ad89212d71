/** Channels: HTTP routes that bring a code to its recipient by something else than an SMS. No sender may use them. */
import { isChannelPreset } from "./carrier-preset.ts";
import { sandboxTargetId } from "./sandbox.ts";

type RouteFile = Readonly<Record<string, unknown>>;

/** The first is assumed. */
export const httpRouteKinds = ["sms", "channel"] as const;

/** Determined by the route's file. */
export const isChannel = ({ kind, preset }: RouteFile): boolean => kind === "channel" || isChannelPreset(preset);

/** Of a message, in the currency's smallest unit; null for the account's price of one part. */
export const channelPrice = ({ price }: RouteFile): number | null => (typeof price === "number" ? price : null);

/** The routing target of a channel's messages: below the sandbox's. */
export const channelTargetId = (routeId: number): number => sandboxTargetId - routeId;

/** The route of a channel's target; null for any other target. */
export const channelOfTarget = (targetId: number): number | null =>
  targetId < sandboxTargetId ? sandboxTargetId - targetId : null;
