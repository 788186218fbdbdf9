import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import type { Role } from '#shared/schemas/auth.ts';
import type { PairingCodeIssued, PairingRequest } from '#shared/schemas/pairing.ts';
import { callApi } from '../../data/call-api.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useNow } from '../../data/use-now.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { roleOptions } from '../frame/role-options.ts';
import { ROLE_MEANINGS } from './device-words.ts';
import { IssuedCode } from './issued-code.tsx';
import styles from './pair-device-panel.module.css';

/** How long a code is good for: what its ring is whole at. */
const CODE_MS = 600_000;

/** Makes a code for one more device and shows it until it was used or ran out. */
export function PairDevicePanel({ requests }: { readonly requests: readonly PairingRequest[] }) {
  const session = useSession();
  const isLive = useConnection().kind === 'live';
  const now = useNow(1000);
  const own = session.role ?? 'viewer';
  const [role, setRole] = useState<Role>('viewer');
  const [issued, setIssued] = useState<PairingCodeIssued | null>(null);
  const [said, setSaid] = useState<{ readonly words: string; readonly isBad: boolean } | null>(null);
  const [isSending, setSending] = useState(false);
  const options = roleOptions(own);
  const given = options.some(({ value }) => value === role) ? role : own;

  // A code that somebody came with opens nothing any more, and must not look as if it did.
  const used = issued === null ? undefined : usedBy(issued, requests, session.device?.label ?? null);
  if (used !== undefined) {
    setIssued(null);
    setSaid({ words: `The code was used: ${used.label} asks to be let in.`, isBad: false });
  } else if (issued !== null && issued.expiresAt <= now) {
    setIssued(null);
    setSaid({ words: 'The code ran out. Nobody used it.', isBad: false });
  }

  async function make(): Promise<void> {
    setSending(true);
    setSaid(null);
    const answer = await callApi(routes.createPairingCode, { body: { role: given } });
    setSending(false);
    if (answer.ok) setIssued(answer.value);
    else setSaid({ words: answer.message, isBad: true });
  }

  return (
    <Panel title="Pair a device">
      <PanelBody>
        <div className={styles.body}>
          {issued === null ? (
            <Segmented
              label="Role of the new device"
              wide
              value={given}
              options={options}
              onChange={setRole}
            />
          ) : (
            <IssuedCode issued={issued} leftMs={issued.expiresAt - now} wholeMs={CODE_MS} />
          )}
          <p className={styles.words}>
            {issued === null ? ROLE_MEANINGS[given] : `For ${an(given)}. Works once.`} You see its name and
            address before you let it in.
          </p>
          {said === null ? null : (
            <p className={styles.said} data-bad={said.isBad} role={said.isBad ? 'alert' : 'status'}>
              {said.words}
            </p>
          )}
          {issued === null ? (
            <Button
              wide
              look="ink"
              disabled={isSending}
              unavailable={isLive ? null : 'This needs the collector.'}
              onClick={() => void make()}
            >
              Make a code
            </Button>
          ) : (
            <Button wide onClick={() => setIssued(null)}>
              Hide the code
            </Button>
          )}
          {isLive ? null : <p className={styles.words}>This needs the collector.</p>}
        </div>
      </PanelBody>
    </Panel>
  );
}

function usedBy(
  issued: PairingCodeIssued,
  requests: readonly PairingRequest[],
  ownLabel: string | null,
): PairingRequest | undefined {
  return requests.find(({ at, madeBy }) => madeBy === ownLabel && at >= issued.expiresAt - CODE_MS);
}

function an(role: Role): string {
  return role === 'viewer' ? 'a viewer' : `an ${role}`;
}
