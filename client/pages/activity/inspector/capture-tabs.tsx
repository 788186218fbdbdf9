import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tabs } from '@base-ui/react/tabs';
import { useState } from 'react';
import type { Capture } from '#shared/schemas/capture.ts';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { BodyView } from './body-view.tsx';
import styles from './capture-tabs.module.css';
import { ConversationView } from './conversation-view.tsx';
import { FramesView } from './frames-view.tsx';
import { HeadersView } from './headers-view.tsx';
import type { Conversation } from './inspector-view.ts';

type Tab = 'conversation' | 'request' | 'response' | 'frames' | 'headers';

interface CaptureTabsProps {
  readonly capture: Capture;
  readonly conversation: Conversation | null;
}

/** The capture from five sides; those it does not have are left out. Keys 1 to 5 choose one. */
export function CaptureTabs({ capture, conversation }: CaptureTabsProps) {
  const frameCount = capture.answer?.frameCount ?? null;
  const tabs: readonly (readonly [tab: Tab, label: string])[] = [
    ...(conversation === null ? [] : [['conversation', 'Conversation'] as const]),
    ['request', 'Request'],
    ['response', 'Response'],
    ...(frameCount === null ? [] : [['frames', `Frames ${frameCount}`] as const]),
    ['headers', 'Headers'],
  ];
  const [chosen, setChosen] = useState<Tab | null>(null);
  const shown = tabs.find(([tab]) => tab === chosen)?.[0] ?? tabs[0]?.[0] ?? 'request';
  useShortcuts(Object.fromEntries(tabs.map(([tab], index) => [String(index + 1), () => setChosen(tab)])));
  return (
    <CSPProvider disableStyleElements>
      <Tabs.Root value={shown} onValueChange={(value) => setChosen(isTab(value) ? value : null)}>
        <Tabs.List className={styles.list} aria-label="Parts of the capture" activateOnFocus>
          {tabs.map(([tab, label]) => (
            <Tabs.Tab key={tab} value={tab} className={styles.tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={shown} className={styles.panel}>
          {shown === 'conversation' && conversation !== null ? (
            <ConversationView conversation={conversation} />
          ) : shown === 'request' ? (
            <BodyView body={capture.request.body} side="request" />
          ) : shown === 'response' ? (
            <BodyView body={capture.response.body} side="answer" />
          ) : shown === 'frames' ? (
            <FramesView body={capture.response.body} />
          ) : (
            <HeadersView capture={capture} />
          )}
        </Tabs.Panel>
      </Tabs.Root>
    </CSPProvider>
  );
}

const TABS: readonly string[] = ['conversation', 'request', 'response', 'frames', 'headers'];

function isTab(value: unknown): value is Tab {
  return typeof value === 'string' && TABS.includes(value);
}
