import { getRouteApi } from '@tanstack/react-router';
import { setPreferences } from '../../ui/preferences.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { PhoneFilter } from '../frame/phone-filter.tsx';
import { AddHostButton } from '../host-parts/add-host-button.tsx';
import { GoBackButton } from './go-back-button.tsx';

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
      <GoBackButton look="plain" />
      <AddHostButton />
    </>
  );
}

/** The text filter on a phone, behind one button in the head. */
export function FleetPhoneFilter() {
  const filter = useTextFilter();
  return <PhoneFilter label={FILTER_LABEL} {...filter} />;
}

function FleetTextFilter() {
  const filter = useTextFilter();
  return <SearchField label={FILTER_LABEL} {...filter} />;
}

const FILTER_LABEL = 'Filter hosts, models';

function useTextFilter(): { readonly value: string; readonly onChange: (text: string) => void } {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return {
    value: search.q ?? '',
    onChange: (text) => {
      const { q: _q, ...rest } = search;
      void navigate({ search: text === '' ? rest : { ...rest, q: text }, replace: true });
    },
  };
}
