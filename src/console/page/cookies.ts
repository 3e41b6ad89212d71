/** A listener's cookies: the session, a saved form, and the appearance of pages before anybody has signed in. */
import { type Language, type Theme, themes } from "../../domain/console-look.ts";
import { flowMs } from "../../users/single-sign-on.ts";
import { isLanguage } from "../language.ts";
import type { ListenerSide } from "./listener-side.ts";

export interface Look {
  language: Language | null;
  theme: Theme;
}

const yearSeconds = 365 * 86_400;

/** Cookies ignore ports: both listeners may be open under one name. */
const sessionName = (side: ListenerSide) => `peyk_${side}`;
const lookName = "peyk_look";

function cookie(name: string, value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

export function sessionCookie(side: ListenerSide, token: string, maxAgeMs: number, isSecure: boolean): string {
  return cookie(sessionName(side), token, Math.floor(maxAgeMs / 1_000), isSecure);
}

export const endedSessionCookie = (side: ListenerSide, isSecure: boolean): string =>
  cookie(sessionName(side), "", 0, isSecure);

export const lookCookie = ({ language, theme }: Look, isSecure: boolean): string =>
  cookie(lookName, [language ?? "", theme].join("."), yearSeconds, isSecure);

const flowName = (side: ListenerSide) => `peyk_${side}_oidc`;

/** Of a sign-in at the provider: it must come along when the provider sends the browser back. */
export const flowCookie = (side: ListenerSide, kept: string, isSecure: boolean): string =>
  cookie(flowName(side), kept, flowMs / 1_000, isSecure).replace("SameSite=Strict", "SameSite=Lax");

export const endedFlowCookie = (side: ListenerSide, isSecure: boolean): string =>
  cookie(flowName(side), "", 0, isSecure);

export const flowIn = (request: Request, side: ListenerSide): string | null => cookieIn(request, flowName(side));

const formName = (side: ListenerSide) => `peyk_${side}_form`;

/** For the form saved for this browser. */
export const formCookie = (side: ListenerSide, ticket: string, maxAgeMs: number, isSecure: boolean): string =>
  cookie(formName(side), ticket, Math.floor(maxAgeMs / 1_000), isSecure);

export const endedFormCookie = (side: ListenerSide, isSecure: boolean): string =>
  cookie(formName(side), "", 0, isSecure);

export const formTicketIn = (request: Request, side: ListenerSide): string | null => cookieIn(request, formName(side));

export function sessionTokenIn(request: Request, side: ListenerSide): string | null {
  return cookieIn(request, sessionName(side));
}

/** Without a cookie, the first of the browser's languages that the console has. */
export function lookIn(request: Request): Look {
  const [language = "", theme] = cookieIn(request, lookName)?.split(".") ?? [];
  return {
    language: isLanguage(language) ? language : acceptedLanguage(request),
    theme: themes.find((one) => one === theme) ?? "system",
  };
}

function acceptedLanguage({ headers }: Request): Language | null {
  const wanted = headers.get("Accept-Language")?.slice(0, 200).toLowerCase().split(",") ?? [];
  return wanted.map((one) => one.trim().slice(0, 2)).find(isLanguage) ?? null;
}

/** Searched by name: splitting a header full of semicolons once per cookie took 2 ms. */
function cookieIn({ headers }: Request, name: string): string | null {
  const cookies = headers.get("Cookie") ?? "";
  const begins = `${name}=`;
  for (let at = cookies.indexOf(begins); at !== -1; at = cookies.indexOf(begins, at + 1)) {
    let before = at - 1;
    while (cookies[before] === " ") before -= 1;
    if (before >= 0 && cookies[before] !== ";") continue;
    const [value = ""] = cookies.slice(at + begins.length).split(/[;=]/, 1);
    return value.trim() === "" ? null : value.trim();
  }
  return null;
}
