// First: a schema decides when it is made whether it may compile code, which the content security policy forbids.
import './data/zod-csp.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { must } from '#shared/lib/assert.ts';
import { startData } from './data/start-data.ts';
import { takePairingCode } from './pages/pair/pairing-code.ts';
import { router } from './router.tsx';
import './styles/tokens.css';
import './styles/global.css';
import { loadDeferred } from './ui/deferred.tsx';
import { loadPreferences } from './ui/preferences.ts';
import { retryStylesheets } from './ui/retry-stylesheets.ts';
import { Toasts } from './ui/toast.tsx';
import { nextPaint, whenIdle } from './ui/when-idle.ts';

loadPreferences(document.documentElement);
retryStylesheets(document);
// Before the router sees the address: the code must not enter its history.
takePairingCode();
let tellDrawn = (): void => undefined;
const { copyRead, shown } = startData(
  new Promise((resolve) => {
    tellDrawn = resolve;
  }),
);

void draw();

/** The frame that `index.html` brought is on screen. The page and the copy come together, and are drawn once, not in turn. */
async function draw(): Promise<void> {
  await Promise.allSettled([router.load(), copyRead]);
  createRoot(must(document.getElementById('root'), '#root of index.html')).render(
    <StrictMode>
      <RouterProvider router={router} />
      <Toasts />
      <Drawn />
    </StrictMode>,
  );
  await shown;
  // What the first paint does not need; offline it comes from the service worker all the same.
  whenIdle(loadDeferred);
}

/** Tells that the first render is on screen. */
function Drawn() {
  useEffect(() => {
    void nextPaint().then(tellDrawn);
  }, []);
  return null;
}
