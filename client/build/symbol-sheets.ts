import { readFileSync } from 'node:fs';
import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Puts the two symbol sheets into the page itself, so that `<use href="#g-ready">` needs no request and no script: state
 * shapes must be there on the first paint of an offline start.
 */
export function symbolSheets(): Plugin {
  return {
    name: 'drover:symbol-sheets',
    transformIndexHtml: () =>
      ['glyphs', 'icons'].map((name): HtmlTagDescriptor => {
        const source = readFileSync(new URL(`../ui/${name}.svg`, import.meta.url), 'utf8');
        const symbols = source.match(/<symbol[^]*<\/symbol>/)?.[0];
        // A sheet that cannot be read would leave every state without its shape.
        if (symbols === undefined) throw new Error(`${name}.svg holds no symbols`);
        return {
          tag: 'svg',
          attrs: { width: '0', height: '0', 'aria-hidden': 'true', class: 'visually-hidden' },
          children: symbols.replaceAll('\n', ''),
          injectTo: 'body-prepend',
        };
      }),
  };
}
