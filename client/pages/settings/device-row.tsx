import { useRouter } from '@tanstack/react-router';
import { routes } from '#shared/http/routes.ts';
import type { ListedDevice, Role } from '#shared/schemas/auth.ts';
import { ROLES } from '#shared/schemas/auth.ts';
import { callApi } from '../../data/call-api.ts';
import { useNow } from '../../data/use-now.ts';
import { IconButton } from '../../ui/button.tsx';
import { MenuChip } from '../../ui/chip.tsx';
import { formatDate } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { showFailure } from '../../ui/toast.tsx';
import { ROLE_NAMES } from '../frame/role-options.ts';
import type { DeviceChange } from './device-dialog.tsx';
import styles from './device-row.module.css';
import type { DeviceBlocks } from './device-words.ts';
import { seenWords } from './device-words.ts';

interface DeviceRowProps {
  readonly device: ListedDevice;
  readonly blocks: DeviceBlocks;
  /** Asks before it is done. */
  readonly onChange: (change: DeviceChange) => void;
  /** It was done at once. */
  readonly onChanged: () => void;
}

/** A device: its name, when it was here, its role to change in place, and what else can be done to it. */
export function DeviceRow({ device, blocks, onChange, onChanged }: DeviceRowProps) {
  const router = useRouter();
  const now = useNow(5000);

  async function giveRole(role: Role): Promise<void> {
    if (role === device.role) return;
    // This page could not undo it: it is asked before.
    if (device.current) {
      onChange({ kind: 'step-down', device, role });
      return;
    }
    const answer = await callApi(routes.patchDevice, { params: { id: device.id }, body: { role } });
    if (!answer.ok) showFailure({ title: `${device.label} is still ${device.role}`, detail: answer.message });
    onChanged();
  }

  return (
    <li className={styles.row}>
      <span className={styles.shape}>
        <Icon name="phone" />
      </span>
      <span className={styles.words}>
        <span className={styles.name}>
          {device.label}
          {device.current ? <span className={styles.mark}>this device</span> : null}
        </span>
        <span className={styles.detail}>
          {seenWords(device, now)} · since {formatDate(device.createdAt, now)}
        </span>
      </span>
      <Menu
        trigger={
          <MenuChip active={false} aria-label={`Role of ${device.label}: ${device.role}`}>
            {ROLE_NAMES[device.role]}
          </MenuChip>
        }
      >
        {ROLES.map((role) => (
          <MenuItem key={role} unavailable={blocks.role(role)} onSelect={() => void giveRole(role)}>
            {ROLE_NAMES[role]}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        trigger={
          <IconButton label={`Actions for ${device.label}`}>
            <Icon name="menu" />
          </IconButton>
        }
      >
        <MenuItem unavailable={blocks.rename} onSelect={() => onChange({ kind: 'rename', device })}>
          Rename
        </MenuItem>
        {device.current ? (
          <MenuItem
            onSelect={() => void router.navigate({ to: '/settings/$section', params: { section: 'device' } })}
          >
            Sign out, under Appearance
          </MenuItem>
        ) : (
          <MenuItem danger unavailable={blocks.revoke} onSelect={() => onChange({ kind: 'revoke', device })}>
            Revoke
          </MenuItem>
        )}
      </Menu>
    </li>
  );
}
