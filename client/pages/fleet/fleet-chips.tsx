import { getRouteApi } from '@tanstack/react-router';
import { Chip } from '../../ui/chip.tsx';
import styles from './fleet-chips.module.css';

const route = getRouteApi('/');

interface FleetChipsProps {
  readonly total: number;
  readonly trouble: number;
  readonly isLaptop: boolean;
}

/** All, Trouble, Models; on a laptop only what is switched on, the strip above says the rest. */
export function FleetChips({ total, trouble, isLaptop }: FleetChipsProps) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { show: _show, ...rest } = search;
  const set = (show: 'trouble' | 'models' | null): void => {
    void navigate({ search: show === null ? rest : { ...rest, show }, replace: true });
  };
  const isAll = search.show === undefined;
  if (isLaptop && isAll && search.q === undefined) return null;
  return (
    <fieldset className={styles.chips} aria-label="Show">
      <Chip pressed={isAll} count={String(total)} onClick={() => set(null)}>
        All
      </Chip>
      <Chip pressed={search.show === 'trouble'} count={String(trouble)} onClick={() => set('trouble')}>
        Trouble
      </Chip>
      <Chip pressed={search.show === 'models'} onClick={() => set('models')}>
        Models
      </Chip>
      {search.q === undefined ? null : (
        <Chip
          pressed
          aria-label={`Clear the filter ${search.q}`}
          onClick={() => {
            const { q: _q, ...others } = search;
            void navigate({ search: others, replace: true });
          }}
        >
          “{search.q}” ×
        </Chip>
      )}
    </fieldset>
  );
}
