import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Reads one theme's colour tokens: the light ones from the first `:root`, the dark ones from `[data-theme="dark"]`. */
function readTheme(css: string, theme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const start =
    theme === 'light' ? css.indexOf(':root {') : css.search(/^:root\[data-theme=['"]dark['"]\] \{/m);
  const block = css.slice(start, css.indexOf('\n}', start));
  const tokens = new Map<string, string>();
  for (const [, name, value] of block.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{6})\b/g)) {
    if (name !== undefined && value !== undefined) tokens.set(name, value);
  }
  return tokens;
}

/** WCAG 2.2 relative luminance of `#rrggbb`. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2 contrast ratio of two colours. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ['surface', 'bg', 'surface-2', 'surface-3'];
const STATES = ['ready', 'busy', 'warn', 'bad', 'sleep', 'key', 'odd', 'off'];

/** The grounds a row of the table in tokens.css speaks of. */
function groundsOf(name: string): readonly string[] {
  if (STATES.includes(name)) return [...GROUNDS, `${name}-soft`];
  if (name === 'stale') return ['stale-soft', 'hatch'];
  if (/^s[1-6]$/.test(name) || name === 'axis') return ['surface', 'bg'];
  return GROUNDS;
}

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const table = [...css.matchAll(/^ {3}([a-z0-9-]+)(?: on ([a-z-]+))? +(\d+\.\d) +(\d+\.\d) +(\d\.\d)$/gm)].map(
  ([, ink = '', ground, light, dark, needed]) => ({
    ink,
    ground,
    stated: { light: Number(light), dark: Number(dark) },
    needed: Number(needed),
  }),
);

describe('the contrasts stated in tokens.css', () => {
  test('cover every colour that carries meaning', () => {
    expect(table.length).toBe(26);
  });

  for (const theme of ['light', 'dark'] as const) {
    const tokens = readTheme(css, theme);
    const valueOf = (name: string): string => {
      const value = tokens.get(name);
      if (value === undefined) throw new Error(`no token --${name} in the ${theme} theme`);
      return value;
    };
    test.each(table)(`${theme}: $ink holds its stated contrast`, (row) => {
      const grounds = row.ground === undefined ? groundsOf(row.ink) : [row.ground];
      const lowest = Math.min(...grounds.map((ground) => contrast(valueOf(row.ink), valueOf(ground))));
      expect(lowest).toBeGreaterThanOrEqual(row.needed);
      expect(Math.abs(lowest - row.stated[theme])).toBeLessThanOrEqual(0.11);
    });
  }

  test('the system dark theme and the chosen one have the same values', () => {
    const system = css.slice(css.indexOf('@media (prefers-color-scheme: dark)'));
    const systemBlock = system.slice(0, system.indexOf('\n  }'));
    for (const [name, value] of readTheme(css, 'dark')) expect(systemBlock).toContain(`--${name}: ${value};`);
  });
});
