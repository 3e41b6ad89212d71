/** By what a further step of a one-time password goes, and what its message is then. */
import { channelPrice, channelTargetId, isChannel } from "../../domain/channel.ts";
import type { OtpStep } from "../../domain/otp-steps.ts";
import type { NewMessage } from "../../store/messages.ts";
import type { Directory } from "./directory.ts";
import { parseFile } from "./route-service.ts";

/** `channelId`: its route; null for an SMS by the sender's routes. `price`: see `channelPrice`. */
export interface Way {
  channelId: number | null;
  price: number | null;
}

export const bySms: Way = { channelId: null, price: null };

/** Null if its channel is gone, switched off or drained. */
export function wayOfStep({ channel }: OtpStep, directory: Pick<Directory, "route">): Way | null {
  if (channel === undefined) return bySms;
  const route = directory.route(channel);
  if (route === null || !route.enabled || route.drainingSince !== null) return null;
  const file = parseFile(route.options);
  return isChannel(file) ? { channelId: route.id, price: channelPrice(file) } : null;
}

/** What the way costs where an SMS would cost `price` for so many parts; null where nothing is charged. */
export function priceBy(way: Way, { price = null, partCount }: Pick<NewMessage, "price" | "partCount">): number | null {
  if (price === null || way.channelId === null) return price;
  return way.price ?? price / partCount;
}

/** What differs from the SMS: a channel's message is one part, whatever its text. */
export function termsBy(
  way: Way,
  asSms: Pick<NewMessage, "price" | "partCount">,
): Partial<Pick<NewMessage, "targetId" | "partCount" | "price">> {
  if (way.channelId === null) return {};
  return { targetId: channelTargetId(way.channelId), partCount: 1, price: priceBy(way, asSms) };
}
