import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useReadable } from '../../data/cell.ts';
import { savedViews } from '../../data/saved-views.ts';
import { MenuChip } from '../../ui/chip.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import type { ActivitySearch } from './activity-search.ts';
import { isFiltered, parseActivitySearch } from './activity-search.ts';
import styles from './filter-bar.module.css';
import type { SavedViewsDialogProps } from './saved-views-dialog.tsx';

const SavedViewsDialog = deferred<SavedViewsDialogProps>(
  async () => (await import('./saved-views-dialog.tsx')).SavedViewsDialog,
);

/** Named sets of filters of this device: one tap each; and the way to keep, name and remove them. */
export function SavedViewsMenu({ search }: { readonly search: ActivitySearch }) {
  const views = useReadable(savedViews);
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'save' | 'manage' | null>(null);
  const name = search.view;
  return (
    <>
      <Menu
        trigger={
          <MenuChip
            active={name !== undefined}
            aria-label={`Saved views${name === undefined ? '' : `: ${name}`}`}
          >
            <span className={styles.words}>{name ?? 'Saved views'}</span>
          </MenuChip>
        }
      >
        {views.length === 0 ? <p className={styles.none}>None on this device yet.</p> : null}
        {views.map((view) => (
          <MenuItem
            key={view.name}
            checked={view.name === name}
            onSelect={() =>
              void navigate({
                to: '/activity',
                search: parseActivitySearch({ ...view.search, view: view.name }),
              })
            }
          >
            {view.name}
          </MenuItem>
        ))}
        <MenuItem
          unavailable={isFiltered(search) || search.all === true ? null : 'Filter something first.'}
          onSelect={() => setOpened('save')}
        >
          Save these filters
        </MenuItem>
        {views.length === 0 ? null : <MenuItem onSelect={() => setOpened('manage')}>Edit views</MenuItem>}
      </Menu>
      <SavedViewsDialog what={opened} search={search} onClose={() => setOpened(null)} />
    </>
  );
}
