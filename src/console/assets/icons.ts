/** The console's icons, one SVG file of symbols. From Heroicons (MIT), 16 px. */
import { readFileSync } from "node:fs";
import download from "heroicons/16/solid/arrow-down-tray.svg" with { type: "file" };
import arrowPath from "heroicons/16/solid/arrow-path.svg" with { type: "file" };
import signOut from "heroicons/16/solid/arrow-right-start-on-rectangle.svg" with { type: "file" };
import arrowUturn from "heroicons/16/solid/arrow-uturn-left.svg" with { type: "file" };
import route from "heroicons/16/solid/arrows-right-left.svg" with { type: "file" };
import banknotes from "heroicons/16/solid/banknotes.svg" with { type: "file" };
import bars from "heroicons/16/solid/bars-3.svg" with { type: "file" };
import bolt from "heroicons/16/solid/bolt.svg" with { type: "file" };
import bookOpen from "heroicons/16/solid/book-open.svg" with { type: "file" };
import building from "heroicons/16/solid/building-office-2.svg" with { type: "file" };
import calendar from "heroicons/16/solid/calendar-days.svg" with { type: "file" };
import chart from "heroicons/16/solid/chart-bar.svg" with { type: "file" };
import messages from "heroicons/16/solid/chat-bubble-left-right.svg" with { type: "file" };
import check from "heroicons/16/solid/check.svg" with { type: "file" };
import checkBadge from "heroicons/16/solid/check-badge.svg" with { type: "file" };
import checkCircle from "heroicons/16/solid/check-circle.svg" with { type: "file" };
import chevronLeft from "heroicons/16/solid/chevron-left.svg" with { type: "file" };
import chevronRight from "heroicons/16/solid/chevron-right.svg" with { type: "file" };
import clipboard from "heroicons/16/solid/clipboard-document.svg" with { type: "file" };
import clock from "heroicons/16/solid/clock.svg" with { type: "file" };
import code from "heroicons/16/solid/code-bracket.svg" with { type: "file" };
import cog from "heroicons/16/solid/cog-6-tooth.svg" with { type: "file" };
import desktop from "heroicons/16/solid/computer-desktop.svg" with { type: "file" };
import document from "heroicons/16/solid/document-text.svg" with { type: "file" };
import exclamation from "heroicons/16/solid/exclamation-circle.svg" with { type: "file" };
import warning from "heroicons/16/solid/exclamation-triangle.svg" with { type: "file" };
import funnel from "heroicons/16/solid/funnel.svg" with { type: "file" };
import home from "heroicons/16/solid/home.svg" with { type: "file" };
import inbox from "heroicons/16/solid/inbox-arrow-down.svg" with { type: "file" };
import information from "heroicons/16/solid/information-circle.svg" with { type: "file" };
import key from "heroicons/16/solid/key.svg" with { type: "file" };
import language from "heroicons/16/solid/language.svg" with { type: "file" };
import link from "heroicons/16/solid/link.svg" with { type: "file" };
import search from "heroicons/16/solid/magnifying-glass.svg" with { type: "file" };
import megaphone from "heroicons/16/solid/megaphone.svg" with { type: "file" };
import minusCircle from "heroicons/16/solid/minus-circle.svg" with { type: "file" };
import moon from "heroicons/16/solid/moon.svg" with { type: "file" };
import noSymbol from "heroicons/16/solid/no-symbol.svg" with { type: "file" };
import paperAirplane from "heroicons/16/solid/paper-airplane.svg" with { type: "file" };
import pause from "heroicons/16/solid/pause.svg" with { type: "file" };
import play from "heroicons/16/solid/play.svg" with { type: "file" };
import plus from "heroicons/16/solid/plus.svg" with { type: "file" };
import power from "heroicons/16/solid/power.svg" with { type: "file" };
import printer from "heroicons/16/solid/printer.svg" with { type: "file" };
import question from "heroicons/16/solid/question-mark-circle.svg" with { type: "file" };
import template from "heroicons/16/solid/rectangle-group.svg" with { type: "file" };
import sun from "heroicons/16/solid/sun.svg" with { type: "file" };
import users from "heroicons/16/solid/user-group.svg" with { type: "file" };
import xCircle from "heroicons/16/solid/x-circle.svg" with { type: "file" };
import xMark from "heroicons/16/solid/x-mark.svg" with { type: "file" };

const iconFiles = {
  again: arrowPath,
  back: arrowUturn,
  money: banknotes,
  menu: bars,
  callback: bolt,
  campaign: megaphone,
  book: bookOpen,
  account: building,
  calendar,
  chart,
  messages,
  check,
  approval: checkBadge,
  ok: checkCircle,
  left: chevronLeft,
  right: chevronRight,
  copy: clipboard,
  clock,
  code,
  system: cog,
  desktop,
  document,
  download,
  alert: exclamation,
  filter: funnel,
  home,
  inbox,
  info: information,
  key,
  language,
  link,
  minus: minusCircle,
  moon,
  cancelled: noSymbol,
  send: paperAirplane,
  pause,
  play,
  plus,
  off: power,
  print: printer,
  unsure: question,
  route,
  search,
  signOut,
  sun,
  pattern: template,
  group: users,
  warning,
  failed: xCircle,
  close: xMark,
} as const;

export type IconName = keyof typeof iconFiles;

/** Icons that point along the reading direction and are mirrored with it. */
const directedIcons: readonly IconName[] = ["back", "left", "right", "send", "signOut"];

export function isDirected(name: IconName): boolean {
  return directedIcons.includes(name);
}

function symbol(name: string, path: string): string {
  const [head = "", ...rest] = readFileSync(path, "utf8").split(">");
  const viewBox = /viewBox="([^"]+)"/.exec(head)?.[1];
  const drawing = rest.join(">").split("</svg>", 1)[0];
  if (viewBox === undefined || drawing === undefined) throw new Error(`The icon ${name} is no SVG drawing.`);
  return `<symbol id="${name}" viewBox="${viewBox}">${drawing
    .split("\n")
    .map((line) => line.trim())
    .join("")
    // It has no effect outside a clipping path, and took up a kilobyte of the sheet.
    .replaceAll(' clip-rule="evenodd"', "")}</symbol>`;
}

/** The file that pages refer to as `…icons.svg#name`. */
export function iconSheet(): string {
  const symbols = Object.entries(iconFiles).map(([name, path]) => symbol(name, path));
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}
