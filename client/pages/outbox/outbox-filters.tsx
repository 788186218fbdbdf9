import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { IntentEntry } from '../../data/intents/types.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ChoiceMenu } from '../../ui/choice-menu.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import styles from './outbox-filters.module.css';

const route = getRouteApi('/outbox');

/** Whose actions, on which hosts, of which devices and keys; in the address. */
export function OutboxFilters({ entries }: { readonly entries: readonly IntentEntry[] }) {
  const { who, host = [], device = [], ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  const { hosts } = useFleet();
  const authors = new Map(entries.map(({ author }) => [author.id, author.label]));
  const set = (next: {
    readonly who?: 'mine' | undefined;
    readonly host?: readonly string[];
    readonly device?: readonly string[];
  }): void => {
    const all = { who, host, device, ...next };
    void navigate({
      replace: true,
      search: {
        ...rest,
        ...(all.who === undefined ? {} : { who: all.who }),
        ...(all.host.length === 0 ? {} : { host: all.host }),
        ...(all.device.length === 0 ? {} : { device: all.device }),
      },
    });
  };
  return (
    <>
      <Segmented
        label="Whose actions"
        value={who ?? 'everyone'}
        options={[
          { value: 'mine', label: 'Mine' },
          { value: 'everyone', label: 'Everyone' },
        ]}
        onChange={(next) => set({ who: next === 'mine' ? 'mine' : undefined })}
      />
      <ChoiceMenu
        name="host"
        all="All hosts"
        options={hosts.map(({ id, label }) => ({ value: id, label }))}
        chosen={host}
        onChange={(next) => set({ host: next })}
      />
      <ChoiceMenu
        name="device"
        all="All devices"
        options={[...authors].map(([value, label]) => ({ value, label }))}
        chosen={device}
        onChange={(next) => set({ device: next })}
      />
    </>
  );
}

interface PhoneFiltersProps {
  readonly entries: readonly IntentEntry[];
  readonly onExport: () => void;
}

/** The same on a phone: one button in the head, the choices in a sheet. */
export function PhoneFilters({ entries, onExport }: PhoneFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const { who, host, device } = route.useSearch();
  const isFiltered = who !== undefined || host !== undefined || device !== undefined;
  return (
    <>
      <IconButton
        label={isFiltered ? 'Filter, on' : 'Filter'}
        aria-haspopup="dialog"
        aria-pressed={isFiltered}
        onClick={() => setOpen(true)}
      >
        <Icon name="filter" />
      </IconButton>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Show"
        actions={
          <>
            <Button look="ink" onClick={() => setOpen(false)}>
              Show
            </Button>
            <Button onClick={onExport}>Export what is listed</Button>
          </>
        }
      >
        <div className={styles.sheet}>
          <OutboxFilters entries={entries} />
        </div>
      </Dialog>
    </>
  );
}
