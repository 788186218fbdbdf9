import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useReadable } from '../../data/cell.ts';
import type { SavedView } from '../../data/saved-views.ts';
import { deleteView, renameView, savedViews, saveView } from '../../data/saved-views.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-line.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { ActivitySearch } from './activity-search.ts';
import { MAX_VIEW_NAME, parseActivitySearch } from './activity-search.ts';
import styles from './saved-views-dialog.module.css';

/** See {@link SavedViewsDialog}. */
export interface SavedViewsDialogProps {
  /** `save`: names the filters of the page. `manage`: renames, shares and removes those that are kept. */
  readonly what: 'save' | 'manage' | null;
  readonly search: ActivitySearch;
  readonly onClose: () => void;
}

/** Where views are named, shared and removed. */
export function SavedViewsDialog({ what, search, onClose }: SavedViewsDialogProps) {
  const views = useReadable(savedViews);
  return (
    <Dialog
      open={what !== null}
      onClose={onClose}
      title={what === 'save' ? 'Save these filters' : 'Saved views'}
    >
      {what === 'save' ? <SaveForm search={search} onDone={onClose} /> : null}
      {what === 'manage' ? (
        <>
          {views.length === 0 ? <p>None on this device.</p> : null}
          <ul className={styles.list}>
            {views.map((view) => (
              <ViewRow key={view.name} view={view} />
            ))}
          </ul>
        </>
      ) : null}
    </Dialog>
  );
}

function SaveForm({ search, onDone }: { readonly search: ActivitySearch; readonly onDone: () => void }) {
  const views = useReadable(savedViews);
  const navigate = useNavigate();
  const [name, setName] = useState(search.view ?? '');
  const trimmed = name.trim();
  const replaces = views.some((view) => view.name === trimmed);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (trimmed === '') return;
        // A day passes; a view is for every day.
        const { day: _day, view: _view, open: _open, ...filters } = search;
        saveView({ name: trimmed, search: filters });
        // The new address takes the place of the sheet's own entry; closed before, the sheet would take it away again.
        void navigate({ to: '/activity', search: { ...filters, view: trimmed }, replace: true }).then(onDone);
      }}
    >
      <Field
        label="Name"
        value={name}
        maxLength={MAX_VIEW_NAME}
        onChange={(event) => setName(event.target.value)}
        hint={
          replaces ? 'Replaces the view of that name.' : 'Kept on this device. Its link works on any other.'
        }
      />
      <Button look="ink" type="submit" disabled={trimmed === ''}>
        Save
      </Button>
    </form>
  );
}

function ViewRow({ view }: { readonly view: SavedView }) {
  const router = useRouter();
  const navigate = useNavigate();
  const views = useReadable(savedViews);
  const [name, setName] = useState(view.name);
  const trimmed = name.trim();
  const isTaken = trimmed !== view.name && views.some((one) => one.name === trimmed);
  const search = parseActivitySearch({ ...view.search, view: view.name });
  const { href } = router.buildLocation({ to: '/activity', search });
  return (
    <li className={styles.view}>
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault();
          if (trimmed === '' || isTaken || trimmed === view.name) return;
          renameView(view.name, trimmed);
          if (router.state.location.search.view === view.name) {
            void navigate({ to: '/activity', search: { ...search, view: trimmed }, replace: true });
          }
        }}
      >
        <Field
          label="Name"
          value={name}
          maxLength={MAX_VIEW_NAME}
          error={isTaken ? 'There is a view of that name.' : null}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={trimmed === '' || isTaken || trimmed === view.name}>
          Rename
        </Button>
        <IconButton
          label={`Delete ${view.name}`}
          onClick={() => {
            const undo = deleteView(view.name);
            showToast({ title: `"${view.name}" was deleted`, action: { label: 'Undo', act: undo } });
          }}
        >
          <Icon name="close" />
        </IconButton>
      </form>
      <CopyLine label={`Copy the link of ${view.name}`} text={new URL(href, window.location.origin).href} />
    </li>
  );
}
