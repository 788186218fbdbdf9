import glyphs from './glyphs.svg?raw';
import icons from './icons.svg?raw';

/**
 * Puts the two symbol sheets into the document once, so that `<use href="#g-ready">` needs no request: state shapes
 * must be there on the first paint of an offline start.
 */
export function mountSprite(target: Document): void {
  for (const [id, source] of [
    ['sprite-glyphs', glyphs],
    ['sprite-icons', icons],
  ] as const) {
    if (target.getElementById(id)) continue;
    const svg = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
    // A sheet that is not well-formed would leave every state without its shape.
    if (svg.nodeName !== 'svg') throw new Error(`symbol sheet ${id} cannot be read`);
    svg.id = id;
    svg.setAttribute('width', '0');
    svg.setAttribute('height', '0');
    svg.setAttribute('aria-hidden', 'true');
    svg.setAttribute('class', 'visually-hidden');
    target.body.prepend(target.importNode(svg, true));
  }
}
