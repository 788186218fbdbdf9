import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { setPreferences } from '../../ui/preferences.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';

const route = getRouteApi('/');

/** Controls of the fleet's head on a laptop. */
export function FleetActions({ layout }: { readonly layout: 'cards' | 'table' }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <FleetTextFilter />
      <Segmented
        label="Layout"
        value={layout}
        options={[
          { value: 'cards', label: 'Cards' },
          { value: 'table', label: 'Table' },
        ]}
        onChange={(next) => {
          setPreferences({ fleetLayout: next });
          const { layout: _layout, ...rest } = search;
          void navigate({ search: rest, replace: true });
        }}
      />
      <AddHostButton />
    </>
  );
}

/** The way to the add page; without the collector it says why it is shut. */
export function AddHostButton({
  look = 'ink',
  wide = false,
}: {
  readonly look?: 'ink' | 'plain';
  readonly wide?: boolean;
}) {
  const connection = useConnection();
  const words = (
    <>
      <Icon name="plus" size="s" />
      Add host
    </>
  );
  if (connection.kind !== 'live') {
    return (
      <Button wide={wide} unavailable="This needs the collector.">
        {words}
      </Button>
    );
  }
  return (
    <LinkButton to="/hosts/add" look={look} wide={wide}>
      {words}
    </LinkButton>
  );
}

/** The text filter on a phone, behind one button in the head. */
export function PhoneFilter() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Filter hosts, models" onClick={() => setOpen(true)}>
        <Icon name="search" />
      </IconButton>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Filter"
        actions={
          <Button look="ink" onClick={() => setOpen(false)}>
            Show
          </Button>
        }
      >
        <FleetTextFilter />
      </Dialog>
    </>
  );
}

function FleetTextFilter() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SearchField
      label="Filter hosts, models"
      value={search.q ?? ''}
      onChange={(text) => {
        const { q: _q, ...rest } = search;
        void navigate({ search: text === '' ? rest : { ...rest, q: text }, replace: true });
      }}
    />
  );
}
