/** Tabs of the pages about Peyk itself, as far as the reader's role may open them. */
import { type ConsoleAction, roleMay } from "../../domain/roles.ts";
import { useLocale } from "../locale.ts";
import type { Words } from "../words/words.ts";
import { Tabs } from "./blocks.tsx";
import { useShell } from "./navigation.tsx";

type SystemPlace = keyof Words["places"];

export const systemPlaces: readonly { href: string; action: ConsoleAction; place: SystemPlace }[] = [
  { href: "/system", action: "system.read", place: "system" },
  { href: "/system/settings", action: "system.read", place: "settingsInUse" },
  { href: "/backups", action: "system.read", place: "backups" },
  { href: "/alerts", action: "system.read", place: "alerts" },
  { href: "/suppression", action: "suppression.read", place: "suppression" },
  { href: "/prices", action: "prices.read", place: "prices" },
  { href: "/users", action: "users.read", place: "users" },
  { href: "/audit", action: "audit.read", place: "audit" },
];

export function SystemTabs({ current }: { current: string }) {
  const { words } = useLocale();
  const { role } = useShell();
  const tabs = systemPlaces
    .filter(({ action }) => roleMay(role, action))
    .map(({ href, place }) => ({ href, title: words.places[place] }));
  return <Tabs tabs={tabs} current={current} label={words.places.system} />;
}
