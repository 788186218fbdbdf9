import { NAV_ITEMS } from '../pages/frame/nav-items.ts';

/** Name of a class of a CSS module in `pages/frame` or `ui`, by `file.class`. */
export type ClassOf = (name: string) => string;

/**
 * The app's frame without the app: navigation and an empty page, in the same classes as the components draw it, so that
 * nothing moves when they take over. It holds no data and says nothing of the connection. Its links work as links.
 */
export function frameMarkup(classOf: ClassOf): string {
  const icon = (name: string, size: 'm' | 'l'): string =>
    `<svg class="${classOf('icon.icon')}" data-size="${size}" aria-hidden="true" focusable="false"><use href="#i-${name}"/></svg>`;
  const rail = NAV_ITEMS.map(
    ({ to, label, icon: name }) =>
      `<li><a href="${to}" class="${classOf('rail.item')}">${icon(name, 'm')}<span class="${classOf('rail.word')}">${label}</span></a></li>`,
  );
  const bar = NAV_ITEMS.filter(({ to }) => to === '/' || to === '/activity' || to === '/outbox').map(
    ({ to, label, icon: name }) =>
      `<a href="${to}" class="${classOf('bottom-bar.item')}">${icon(name, 'l')}${label}</a>`,
  );
  return [
    `<div class="${classOf('frame.frame')}" id="start-frame">`,
    `<nav class="${classOf('rail.rail')}" aria-label="Pages">`,
    `<a href="/" class="${classOf('rail.brand')}" aria-label="Drover, to the fleet">${icon('logo', 'l')}<span class="${classOf('rail.word')}">Drover</span></a>`,
    `<ul class="${classOf('rail.items')}">${rail.join('')}</ul></nav>`,
    `<main class="${classOf('frame.main')}"><div class="${classOf('page.page')}">`,
    `<header class="${classOf('page.head')}"><h1 class="${classOf('page.title')}"></h1></header>`,
    `<p class="start-late">The app is not here yet. If this stays, load the page again.</p>`,
    `<noscript><p class="start-note">Drover needs JavaScript.</p></noscript></div></main>`,
    `<nav class="${classOf('bottom-bar.bar')}" aria-label="Pages, phone">${bar.join('')}`,
    `<a href="/settings" class="${classOf('bottom-bar.item')}">${icon('more', 'l')}More</a></nav></div>`,
  ].join('');
}
