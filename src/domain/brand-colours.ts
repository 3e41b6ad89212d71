/** The colours of a brand, derived from one: for links, buttons and the marked entry of the column, on light and dark pages. */

type Colour = readonly [red: number, green: number, blue: number];

const white: Colour = [255, 255, 255];
const black: Colour = [0, 0, 0];
/** A card of a dark page. */
const darkSurface: Colour = [0x1c, 0x20, 0x24];
/** WCAG 2.2, 1.4.3: for text of this size. */
export const contrastMin = 4.5;

function parsed(text: string): Colour | null {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

const hex = (colour: Colour): string => `#${colour.map((one) => one.toString(16).padStart(2, "0")).join("")}`;

const mixed = (from: Colour, to: Colour, share: number): Colour => {
  const at = (one: number, other: number) => Math.round(one + (other - one) * share);
  return [at(from[0], to[0]), at(from[1], to[1]), at(from[2], to[2])];
};

/** WCAG 2.2, "relative luminance". */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((one) => {
    const share = one / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const tintOf = (accent: Colour): Colour => mixed(accent, white, 0.9);
/** On its own tint, the darkest background that it has. */
const lightContrast = (accent: Colour): number => contrast(accent, tintOf(accent));

const shares = Array.from({ length: 51 }, (_, index) => index / 50);

/** Of the same hue, dark enough for light pages. */
const darkened = (accent: Colour): Colour =>
  shares.map((share) => mixed(accent, black, share)).find((one) => lightContrast(one) >= contrastMin) ?? black;

/** The nearest colour of the same hue that is readable on light pages; null if it already is, or for no colour. */
export function readableInstead(text: string): string | null {
  const accent = parsed(text);
  return accent === null || lightContrast(accent) >= contrastMin ? null : hex(darkened(accent));
}

export const isColour = (text: string): boolean => parsed(text) !== null;

export interface BrandColours {
  accent: string;
  /** While a link or button is pointed at. */
  strong: string;
  /** Behind the marked entry. */
  tint: string;
  /** Words on a button. */
  onAccent: string;
}

/** `accent`: `#0a5f73`. @throws RangeError for anything else */
export function brandColours(text: string): { light: BrandColours; dark: BrandColours } {
  const accent = parsed(text);
  if (accent === null) throw new RangeError(`${text} is no colour`);
  const darkTint = mixed(darkSurface, accent, 0.25);
  const readable = (one: Colour) => Math.min(contrast(one, darkTint), contrast(one, darkSurface)) >= contrastMin;
  const bright = shares.map((share) => mixed(accent, white, share)).find(readable) ?? white;
  return {
    light: {
      accent: hex(accent),
      strong: hex(mixed(accent, black, 0.2)),
      tint: hex(tintOf(accent)),
      onAccent: hex(white),
    },
    dark: {
      accent: hex(bright),
      strong: hex(mixed(bright, white, 0.3)),
      tint: hex(darkTint),
      onAccent: hex(mixed(accent, black, 0.85)),
    },
  };
}
