import type { ReactNode } from 'react';
import { MenuChip } from './chip.tsx';
import styles from './choice-menu.module.css';
import { formatCount } from './format.ts';
import { Menu, MenuCheck } from './menu.tsx';

/** See {@link ChoiceMenu}. */
export interface ChoiceMenuProps {
  /** What is chosen, in the singular: `host`. */
  readonly name: string;
  /** Shown while nothing is chosen: `All hosts`. */
  readonly all: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** How many each would show; left out: not counted. */
  readonly counts?: readonly { readonly value: string; readonly count: number }[] | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Further entries below the choices. */
  readonly children?: ReactNode;
}

/** A chip of a filter bar that opens a menu of which any may be chosen. */
export function ChoiceMenu({ name, all, options, counts, chosen, onChange, children }: ChoiceMenuProps) {
  const [first] = chosen;
  const countOf = counts && new Map(counts.map(({ value, count }) => [value, count]));
  const label = options.find(({ value }) => value === first)?.label ?? first;
  const words = label === undefined ? all : chosen.length === 1 ? label : `${chosen.length} ${name}s`;
  return (
    <Menu
      trigger={
        <MenuChip active={chosen.length > 0} aria-label={`Filter by ${name}: ${words}`}>
          <span className={styles.words}>{words}</span>
        </MenuChip>
      }
    >
      {options.length === 0 ? <p className={styles.none}>None known here.</p> : null}
      {options.map((option) => (
        <MenuCheck
          key={option.value}
          checked={chosen.includes(option.value)}
          {...(countOf && { count: formatCount(countOf.get(option.value) ?? 0) })}
          onChange={(checked) =>
            onChange(checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value))
          }
        >
          {option.label === '' ? '(empty name)' : option.label}
        </MenuCheck>
      ))}
      {children}
    </Menu>
  );
}
