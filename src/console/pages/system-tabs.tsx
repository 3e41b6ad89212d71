/** The pages about Peyk itself, as far as the reader's role may open them. */
import { type ConsoleAction, type Role, roleMay } from "../../domain/roles.ts";
import { Tabs } from "../components/blocks.tsx";
import { useLocale } from "../locale.ts";
import type { Words } from "../words/en.ts";

const pages: readonly { href: string; action: ConsoleAction; title: (words: Words) => string }[] = [
  { href: "/system", action: "system.read", title: (words) => words.system.title },
  { href: "/system/settings", action: "system.read", title: (words) => words.settingsInUse.title },
  { href: "/backups", action: "system.read", title: (words) => words.backups.title },
  { href: "/alerts", action: "system.read", title: (words) => words.alerts.title },
  { href: "/suppression", action: "suppression.read", title: (words) => words.suppression.title },
  { href: "/prices", action: "prices.read", title: (words) => words.prices.title },
  { href: "/users", action: "users.read", title: (words) => words.users.title },
  { href: "/audit", action: "audit.read", title: (words) => words.audit.title },
];

export function SystemTabs({ role, current }: { role: Role; current: string }) {
  const { words } = useLocale();
  const tabs = pages
    .filter(({ action }) => roleMay(role, action))
    .map(({ href, title }) => ({ href, title: title(words) }));
  return <Tabs tabs={tabs} current={current} label={words.places.system} />;
}
