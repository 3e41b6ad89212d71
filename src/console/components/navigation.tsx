/** The side column: what the user's role may open, and the user's own settings. */
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Theme, themes } from "../../domain/console-look.ts";
import { type ConsoleAction, isCustomerRole, type Role, roleMay } from "../../domain/roles.ts";
import type { IconName } from "../assets/icons.ts";
import { languageNames } from "../language.ts";
import { useLocale } from "../locale.ts";
import { BrandLogo, PoweredBy } from "./brand.tsx";
import { Icon, Name } from "./inline.tsx";
import { PaletteOpener } from "./palette.tsx";
import { PostForm } from "./post-form.tsx";

export { type Theme, themes } from "../../domain/console-look.ts";

const places = {
  now: ["/", "home"],
  overview: ["/", "home"],
  messages: ["/messages", "messages"],
  campaigns: ["/campaigns", "campaign"],
  send: ["/send", "send"],
  inbound: ["/inbound", "inbox"],
  accounts: ["/accounts", "account"],
  groups: ["/groups", "group"],
  patterns: ["/patterns", "pattern"],
  approvals: ["/approvals", "approval"],
  routes: ["/routes", "route"],
  plans: ["/plans", "filter"],
  callbacks: ["/callbacks", "callback"],
  reports: ["/reports", "chart"],
  usage: ["/usage", "chart"],
  errors: ["/errors", "alert"],
  colleagues: ["/colleagues", "group"],
  money: ["/money", "money"],
  account: ["/account", "account"],
  keys: ["/keys", "key"],
  credentials: ["/credentials", "link"],
  begin: ["/begin", "book"],
  system: ["/system", "system"],
  help: ["/help", "book"],
  settings: ["/settings", "account"],
} as const satisfies Record<string, readonly [href: string, icon: IconName]>;

export type Place = keyof typeof places;

const operatorPlaces: readonly (readonly Place[])[] = [
  ["now", "messages", "campaigns", "send", "inbound"],
  ["accounts", "credentials", "groups", "patterns", "approvals"],
  ["routes", "plans", "callbacks"],
  ["reports", "money"],
  ["system", "help"],
];
const supportPlaces: readonly (readonly Place[])[] = [
  ["now", "messages", "campaigns", "inbound"],
  ["accounts", "credentials", "groups", "patterns"],
  ["routes", "plans", "callbacks"],
  ["reports", "money", "help"],
];
const customerPlaces: readonly (readonly Place[])[] = [
  ["overview", "messages", "campaigns", "send", "inbound"],
  ["groups", "patterns"],
  ["keys", "credentials", "callbacks", "errors", "colleagues"],
  ["usage", "money", "account", "begin"],
];

const without = (groups: readonly (readonly Place[])[], ...left: readonly Place[]) =>
  groups.map((group) => group.filter((place) => !left.includes(place)));

/** The entries of a role's column, in groups. Anything the role may not open is absent. */
export const placesOf: Readonly<Record<Role, readonly (readonly Place[])[]>> = {
  owner: operatorPlaces,
  operator: operatorPlaces,
  support: supportPlaces,
  customer: customerPlaces,
  "customer-sends": without(customerPlaces, "colleagues"),
  "customer-reads": without(customerPlaces, "colleagues", "send"),
};

/** The same as links. */
export const placeLinks = (role: Role) =>
  placesOf[role].flat().map((place) => ({ place, href: places[place][0], icon: places[place][1] }));

/** What every page knows about its reader. */
export interface Shell {
  role: Role;
  user: string;
  /** Whose service or account this is: the customer's account, otherwise the installation's name. */
  owner: string;
  place: Place;
  theme: Theme;
  shortcuts: boolean;
  /** How many approvals wait; null where the role does not approve. */
  countApprovals(): number | null;
  /** Path and query of the page, to return to after a setting was changed. */
  path: string;
  /** The outcome of the last action, told once. */
  takeNotices(): ComponentChildren;
}

const ShellContext = createContext<Shell | null>(null);

export const ShellProvider = ShellContext.Provider;

/** What the page knows about its reader. */
export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === null) throw new Error("A component was rendered outside of a page's frame.");
  return shell;
}

/** Whether the page's reader may do this. */
export const useMay = (action: ConsoleAction): boolean => roleMay(useShell().role, action);

export const useIsCustomer = (): boolean => isCustomerRole(useShell().role);

export function Navigation({ shell }: { shell: Shell }) {
  const { words, brand } = useLocale();
  return (
    <header class="column">
      <div class="column-head">
        <a class="brand" href="/">
          <BrandLogo size={24} />
          <span class="brand-name">{brand?.name ?? words.brand}</span>
        </a>
        <PaletteOpener isIcon />
        <a class="button button-quiet menu-link" href="/menu">
          <Icon name="menu" />
          {words.layout.menu}
        </a>
      </div>
      <PaletteOpener />
      <Menu shell={shell} label={words.layout.navigation} />
    </header>
  );
}

/** Part of the column on a wide screen, a page of its own on a phone. */
export function Menu({ shell, label }: { shell: Shell; label: string }) {
  const { words } = useLocale();
  return (
    <div class="menu">
      <nav aria-label={label}>
        {placesOf[shell.role].map((group) => (
          <ul class="menu-group" key={group[0]}>
            {group.map((place) => (
              <PlaceLink key={place} place={place} shell={shell} />
            ))}
          </ul>
        ))}
      </nav>
      <div class="menu-foot">
        <p class="menu-user">
          <a
            class="menu-user-name"
            href="/settings"
            title={words.places.settings}
            aria-current={shell.place === "settings" ? "page" : undefined}
          >
            <Name>{shell.user}</Name>
          </a>
          <span class="muted">
            {words.roles[shell.role]} · <Name>{shell.owner}</Name>
          </span>
        </p>
        <Preferences theme={shell.theme} path={shell.path} />
        <PostForm action="/sign-out">
          <button type="submit" class="menu-item">
            <Icon name="signOut" />
            {words.layout.signOut}
          </button>
        </PostForm>
        <PoweredBy />
      </div>
    </div>
  );
}

function PlaceLink({ place, shell }: { place: Place; shell: Shell }) {
  const { words, format } = useLocale();
  const [href, icon] = places[place];
  const waiting = place === "approvals" ? shell.countApprovals() : null;
  return (
    <li>
      <a class="menu-item" href={href} aria-current={place === shell.place ? "page" : undefined}>
        <Icon name={icon} />
        <span class="menu-item-name">{words.places[place]}</span>
        {waiting === null || waiting === 0 ? null : <span class="badge">{format.number(waiting)}</span>}
      </a>
    </li>
  );
}

/** Language and theme: one form each, so that they work without JavaScript and on the sign-in page too. */
export function Preferences({ theme, path }: { theme: Theme; path: string }) {
  const { language, words } = useLocale();
  const other = language === "en" ? "fa" : "en";
  return (
    <PostForm class="preferences" action="/preferences">
      <input type="hidden" name="back" value={path} />
      <button type="submit" class="preference" name="language" value={other} lang={other}>
        <Icon name="language" />
        {languageNames[other]}
      </button>
      <fieldset class="themes">
        <legend class="unseen">{words.layout.theme}</legend>
        {themes.map((one) => (
          <button
            key={one}
            type="submit"
            class="preference"
            name="theme"
            value={one}
            aria-pressed={one === theme ? "true" : "false"}
            aria-label={words.layout.themes[one]}
            title={words.layout.themes[one]}
          >
            <Icon name={themeIcons[one]} />
          </button>
        ))}
      </fieldset>
    </PostForm>
  );
}

const themeIcons: Readonly<Record<Theme, IconName>> = { system: "desktop", light: "sun", dark: "moon" };
