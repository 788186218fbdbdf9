// First: a schema decides when it is made whether it may compile code, which the content security policy forbids.
import './data/zod-csp.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { must } from '#shared/lib/assert.ts';
import { AppProviders } from './app.tsx';
import { startData } from './data/start-data.ts';
import { takePairingCode } from './pages/pair/pairing-code.ts';
import { router } from './router.tsx';
import './styles/tokens.css';
import './styles/global.css';
import { loadPreferences } from './ui/preferences.ts';
import { mountSprite } from './ui/sprite.ts';

loadPreferences(document.documentElement);
mountSprite(document);
// Before the router sees the address: the code must not enter its history.
takePairingCode();
startData();

createRoot(must(document.getElementById('root'), '#root of index.html')).render(
  <StrictMode>
    <AppProviders>
      <RouterProvider router={router} />
    </AppProviders>
  </StrictMode>,
);
