import type { Rgb } from "./colors.js";

/**
 * How a theme draws a terrain. A terrain has a form if its name or one of its tags is the name of the form. Of several
 * forms, it has the first in this list.
 */
export const FORMS = [
  "bridge",
  "road",
  "river",
  "water",
  "snow",
  "mountain",
  "hills",
  "forest",
  "swamp",
  "sand",
  "grass",
] as const;

export type Form = (typeof FORMS)[number];

/** A style of pictures. `plain` shows the colours of the terrains as they are. */
export type ThemeName = "plain" | "atlas" | "parchment" | "night";

export const THEME_NAMES = ["plain", "atlas", "parchment", "night"] as const;

/** The colours of a theme, and what it draws. */
export interface Theme {
  readonly forms: Readonly<Record<Form, Rgb>>;
  /** The colour of coasts, letters and symbols, and the colour around letters and marks. */
  readonly ink: Rgb;
  readonly paper: Rgb;
  /** The colour beside the map, which is also the default background. */
  readonly background: Rgb;
  readonly border: Rgb;
  /** The colours that slopes in shadow and in the light approach, in percent of the way. */
  readonly shadow: Rgb;
  readonly shadowPercent: number;
  readonly light: Rgb;
  readonly lightPercent: number;
  /** The colour that deep water approaches, in percent of the way. */
  readonly deep: Rgb;
  readonly deepPercent: number;
  /** How much of a terrain's own colour remains: with a form, and without. The rest is the form's, or `plain`. */
  readonly ownPercent: number;
  readonly plain: Rgb;
  readonly plainPercent: number;
  /** Whether terrain has symbols even if it has light, water has lines along its coasts, and paper has stains. */
  readonly isDrawn: boolean;
}

const rgb = (hex: number): Rgb => [hex >> 16, (hex >> 8) & 255, hex & 255];

export const THEMES: Readonly<Record<Exclude<ThemeName, "plain">, Theme>> = {
  atlas: {
    forms: {
      water: rgb(0x9cc3d9),
      river: rgb(0x4f8fbf),
      bridge: rgb(0x6b4a3a),
      road: rgb(0xb4552d),
      snow: rgb(0xfbfaf6),
      mountain: rgb(0xb08f6c),
      hills: rgb(0xd9bf85),
      forest: rgb(0x648f58),
      swamp: rgb(0x8fa99a),
      sand: rgb(0xf2e2b4),
      grass: rgb(0xc9d49b),
    },
    ink: rgb(0x3d342e),
    paper: rgb(0xfaf5e6),
    background: rgb(0xf3ecd9),
    border: rgb(0x7a2f8a),
    shadow: rgb(0x2c3350),
    shadowPercent: 58,
    light: rgb(0xfffbe8),
    lightPercent: 62,
    deep: rgb(0x4a80ab),
    deepPercent: 78,
    ownPercent: 28,
    plain: rgb(0xf6efdc),
    plainPercent: 68,
    isDrawn: false,
  },
  parchment: {
    forms: {
      water: rgb(0xc9cbac),
      river: rgb(0x6a8a8c),
      bridge: rgb(0x5a3a1e),
      road: rgb(0x8a4b24),
      snow: rgb(0xf8efd8),
      mountain: rgb(0xb1946a),
      hills: rgb(0xcfb079),
      forest: rgb(0x858a54),
      swamp: rgb(0xa9a480),
      sand: rgb(0xefdcaa),
      grass: rgb(0xdfcb96),
    },
    ink: rgb(0x4b3119),
    paper: rgb(0xf3e4c0),
    background: rgb(0xe9d7ae),
    border: rgb(0x7c2f5c),
    shadow: rgb(0x4a3014),
    shadowPercent: 34,
    light: rgb(0xfff6dc),
    lightPercent: 50,
    deep: rgb(0x9aa78f),
    deepPercent: 90,
    ownPercent: 12,
    plain: rgb(0xe9d6a6),
    plainPercent: 56,
    isDrawn: true,
  },
  night: {
    forms: {
      water: rgb(0x1c3763),
      river: rgb(0x4f86c6),
      bridge: rgb(0xe0b878),
      road: rgb(0xc99a55),
      snow: rgb(0xc3cde6),
      mountain: rgb(0x7d7a92),
      hills: rgb(0x5b5f74),
      forest: rgb(0x1f4440),
      swamp: rgb(0x3a4f5e),
      sand: rgb(0x93876f),
      grass: rgb(0x3f6156),
    },
    ink: rgb(0x070b18),
    paper: rgb(0xf4e7c1),
    background: rgb(0x090d1a),
    border: rgb(0xd78ae6),
    shadow: rgb(0x050816),
    shadowPercent: 72,
    light: rgb(0xcfdcf7),
    lightPercent: 48,
    deep: rgb(0x0a1530),
    deepPercent: 82,
    ownPercent: 14,
    plain: rgb(0x3d4a5c),
    plainPercent: 52,
    isDrawn: false,
  },
};

export function formOf({ name, tags = [] }: { readonly name: string; readonly tags?: readonly string[] | undefined }) {
  return FORMS.find((form) => name === form || tags.includes(form));
}

/** Moves a colour towards another colour. */
export function blend(from: Rgb, to: Rgb, percent: number): Rgb {
  const part = (i: 0 | 1 | 2) => Math.round((from[i] * (100 - percent) + to[i] * percent) / 100);
  return [part(0), part(1), part(2)];
}

/** Returns the colour of a terrain on level ground, in a theme. */
export function colorIn(theme: Theme, color: Rgb, form: Form | undefined): Rgb {
  if (form === undefined) return blend(theme.plain, color, theme.plainPercent);
  return blend(theme.forms[form], color, theme.ownPercent);
}
