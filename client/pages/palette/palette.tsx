import { useRouter } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useState } from 'react';
import { useReadable } from '../../data/cell.ts';
import { savedViews } from '../../data/saved-views.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet, useModels } from '../../data/use-fleet.ts';
import { useIntents } from '../../data/use-intents.ts';
import { useAllInFlight } from '../../data/use-live.ts';
import { useNow } from '../../data/use-now.ts';
import { useSession } from '../../data/use-session.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PaletteDialog } from '../../ui/palette-dialog.tsx';
import { useActOn } from '../intents/act-on.tsx';
import styles from './palette.module.css';
import type { PaletteItem } from './palette-item.ts';
import { PALETTE_GROUPS } from './palette-item.ts';
import { paletteItems } from './palette-view.ts';

/** See {@link Palette}. */
export interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Everything by its name: what needs somebody, actions, hosts, models, pages. */
export function Palette({ open, onClose }: PaletteProps) {
  return (
    <PaletteDialog open={open} onClose={onClose} label="Find and act">
      <Finder onClose={onClose} />
    </PaletteDialog>
  );
}

function Finder({ onClose }: Pick<PaletteProps, 'onClose'>) {
  const router = useRouter();
  const [query, setQuery] = useState('');
  const { hosts } = useFleet();
  const models = useModels();
  const inFlight = useAllInFlight();
  const entries = useIntents();
  const views = useReadable(savedViews);
  const connection = useConnection();
  const { role } = useSession();
  const now = useNow(5000);
  const { act, unavailable } = useActOn();
  const items = paletteItems(query, {
    now,
    hosts,
    models,
    inFlight,
    entries,
    views,
    role,
    actBlock: unavailable,
    isLive: connection.kind === 'live',
    asOf: connection.dataAsOf,
  });

  async function run(item: PaletteItem): Promise<void> {
    if (item.run.do === 'go') {
      // In place of the palette's own entry, so that Back leads to the page before it.
      await router.navigate({ ...item.run.to, replace: true });
      onClose();
      return;
    }
    onClose();
    await act(item.run.draft);
  }

  return (
    <Command shouldFilter={false} label="Find and act" className={styles.finder} loop>
      <div className={styles.field}>
        <Icon name="search" />
        <Command.Input
          className={styles.input}
          value={query}
          onValueChange={setQuery}
          placeholder="unload coder, a host, a model, a page"
          maxLength={200}
        />
        <kbd className={styles.key}>Esc</kbd>
      </div>
      <Command.List className={styles.list} label="Found">
        <Command.Empty className={styles.empty}>Nothing of that name.</Command.Empty>
        {PALETTE_GROUPS.map((group) => {
          const own = items.filter((item) => item.group === group);
          return own.length === 0 ? null : (
            <Command.Group key={group} heading={group} className={styles.group}>
              {own.map((item) => (
                <Command.Item
                  key={item.key}
                  value={item.key}
                  className={styles.item}
                  disabled={item.unavailable !== null}
                  onSelect={() => void run(item)}
                >
                  <span className={styles.shape}>
                    {item.shape === null ? null : 'icon' in item.shape ? (
                      <Icon name={item.shape.icon} size="s" />
                    ) : (
                      <Glyph name={item.shape.glyph} hue={item.shape.hue} />
                    )}
                  </span>
                  <span className={styles.label}>{item.label}</span>
                  <span className={styles.detail}>{item.detail}</span>
                </Command.Item>
              ))}
            </Command.Group>
          );
        })}
      </Command.List>
    </Command>
  );
}
