// Runs before anything is painted, while the app's own scripts are still on their way; the build makes one small script of
// it, without imports. A mistake here must not keep the app from starting: everything it does is done again there.
import { NAV_ITEMS } from '../pages/frame/nav-items.ts';
import { loadPreferences } from '../ui/preferences.ts';
import type { EarlyFiles } from './early-files.ts';
import { earlyFilesFor } from './early-files.ts';

const root = document.documentElement;
const path = window.location.pathname;
const script = document.currentScript;

// A chosen theme, before the first paint: no flash of the other one.
loadPreferences(root);
// The pairing page has no navigation.
root.toggleAttribute('data-start-bare', path === '/pair');
preload();
requestAnimationFrame(markPage);

/** Has the browser fetch the page of this address beside the app. */
function preload(): void {
  const text = script?.dataset['early'];
  if (text === undefined) return;
  // Written by the build.
  const files: EarlyFiles = JSON.parse(text);
  for (const file of earlyFilesFor(path, files)) {
    const link = document.createElement('link');
    if (file.endsWith('.css')) {
      // Not a style sheet yet: whoever imports the page waits until it is one, and would not wait for this.
      link.rel = 'preload';
      link.as = 'style';
    } else link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = `/assets/${file}`;
    document.head.append(link);
  }
}

/** Title and navigation say which page comes; the app may have taken the frame's place already. */
function markPage(): void {
  const frame = document.getElementById('start-frame');
  if (frame === null && document.readyState === 'loading') requestAnimationFrame(markPage);
  const item = NAV_ITEMS.find(({ to }) => (to === '/' ? path === to : path.startsWith(to)));
  if (frame === null || item === undefined) return;
  const title = frame.querySelector('h1');
  if (title !== null && (item.to !== '/settings' || path === item.to)) title.textContent = item.label;
  for (const link of frame.querySelectorAll(`nav a[href="${item.to}"]`)) {
    if (!link.hasAttribute('aria-label')) link.setAttribute('aria-current', 'page');
  }
}
