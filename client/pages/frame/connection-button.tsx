import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet } from '../../data/use-fleet.ts';
import { useNow } from '../../data/use-now.ts';
import { deferred } from '../../ui/deferred.tsx';
import { plural } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import styles from './connection-button.module.css';
import type { ConnectionSheetProps } from './connection-sheet.tsx';
import { connectionView } from './connection-view.ts';

const ConnectionSheet = deferred<ConnectionSheetProps>(
  async () => (await import('./connection-sheet.tsx')).ConnectionSheet,
);

/** The connection on a phone: always in the top bar; a tap tells both hops. */
export function ConnectionPill() {
  const [open, setOpen] = useState(false);
  const connection = useConnection();
  const { hosts } = useFleet();
  const view = connectionView(connection, useNow(5000));
  const onlyDemo = hosts.length > 0 && hosts.every((host) => host.demo);
  const word = view.word === 'Live' && onlyDemo ? 'Demo fleet' : view.word;
  return (
    <>
      <button type="button" className={styles.pill} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Glyph name={view.glyph} hue={view.hue} />
        <HueText hue={view.hue} strong>
          {word}
        </HueText>
      </button>
      <ConnectionSheet open={open} onClose={() => setOpen(false)} />
    </>
  );
}

/** The connection on a laptop: at the rail's foot. */
export function ConnectionFoot() {
  const [open, setOpen] = useState(false);
  const connection = useConnection();
  const { hosts, loaded } = useFleet();
  const view = connectionView(connection, useNow(5000));
  const onlyDemo = hosts.length > 0 && hosts.every((host) => host.demo);
  const watched = !loaded
    ? ''
    : hosts.length === 0
      ? 'no hosts yet'
      : onlyDemo
        ? `Demo fleet, ${plural(hosts.length, 'emulated host')}`
        : `${plural(hosts.length, 'host')} watched`;
  return (
    <>
      <button type="button" className={styles.foot} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Glyph name={view.glyph} hue={view.hue} />
        <span className={styles.words}>
          <HueText hue={view.hue} strong>
            {view.word}
          </HueText>
          <span className={styles.detail}>{view.detail === '' ? watched : view.detail}</span>
        </span>
      </button>
      <ConnectionSheet open={open} onClose={() => setOpen(false)} />
    </>
  );
}
