import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { useNews } from '../../data/live-news.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import { Panel } from '../../ui/panel.tsx';
import { RequestCard } from '../frame/request-card.tsx';
import { useAnswer } from '../frame/use-answer.ts';
import { usePairingRequests } from '../frame/use-pairing-requests.ts';
import type { DeviceChange } from './device-dialog.tsx';
import { DeviceDialog } from './device-dialog.tsx';
import { DeviceRow } from './device-row.tsx';
import { deviceBlocks } from './device-words.ts';
import styles from './devices-section.module.css';
import { PairDevicePanel } from './pair-device-panel.tsx';
import { Section } from './section.tsx';

/** Who is let in and as what, who asks to be, and a code for one more. */
export function DevicesSection() {
  const session = useSession();
  const isLive = useConnection().kind === 'live';
  const answer = useAnswer(routes.listDevices, true, {}, useNews('devices') + useNews('session'));
  const { requests, reload } = usePairingRequests();
  const [change, setChange] = useState<DeviceChange | null>(null);
  const isAdmin = session.role === 'admin';
  const devices = answer.value?.devices ?? [];
  return (
    <Section title="Devices" note={isAdmin ? undefined : 'your own; only an admin sees the others'}>
      <div className={styles.page}>
        {requests.length === 0 ? null : (
          <div className={styles.requests}>
            {requests.map((request) => (
              <RequestCard key={request.id} request={request} onAnswered={reload} />
            ))}
          </div>
        )}
        <div className={styles.pair}>
          <PairDevicePanel requests={requests} />
        </div>
        <div className={styles.list}>
          <Panel title="Devices" note={answer.value === null ? undefined : String(devices.length)}>
            {answer.value === null ? (
              <p className={styles.empty}>
                {isLive ? (answer.problem ?? 'Asking the collector.') : 'The list needs the collector.'}
              </p>
            ) : null}
            <ul>
              {devices.map((device) => (
                <DeviceRow
                  key={device.id}
                  device={device}
                  blocks={deviceBlocks(device, devices, { role: session.role, isLive })}
                  onChange={setChange}
                  onChanged={answer.reload}
                />
              ))}
            </ul>
          </Panel>
          <p className={styles.foot}>
            Revoking cuts the connection at once, wipes the copy on that device and refuses what it still has
            queued. What the collector has already claimed goes on.
          </p>
        </div>
      </div>
      <DeviceDialog change={change} onClose={() => setChange(null)} onChanged={answer.reload} />
    </Section>
  );
}
