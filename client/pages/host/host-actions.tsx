import type { Host } from '#shared/schemas/host.ts';
import { serverNow } from '../../data/server-clock.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Icon } from '../../ui/icon.tsx';
import { pauseDraft, resumeDraft, unloadAllDraft } from '../intents/act-drafts.ts';
import { useActOn } from '../intents/act-on.tsx';
import { PAUSES, pauseUntil } from './pause-times.ts';

/** Buttons of the host's head on a laptop: unload all, and pause or resume. */
export function HostActions({ host }: { readonly host: Host }) {
  const { act, unavailable, willQueue } = useActOn();
  const queues = (label: string): string => (willQueue ? `${label}: will queue` : label);
  return (
    <>
      <Button unavailable={unavailable} onClick={() => void act(unloadAllDraft(host.id))}>
        {queues('Unload all')}
      </Button>
      {host.paused ? (
        <Button unavailable={unavailable} onClick={() => void act(resumeDraft(host.id))}>
          {queues('Resume')}
        </Button>
      ) : (
        <Menu
          trigger={
            <Button>
              Pause
              <Icon name="down" size="s" />
            </Button>
          }
        >
          {PAUSES.map(({ key, label }) => (
            <MenuItem
              key={key}
              unavailable={unavailable}
              onSelect={() => void act(pauseDraft(host.id, pauseUntil(key, serverNow())))}
            >
              {queues(label)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
