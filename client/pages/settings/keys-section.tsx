import type { ReactNode } from 'react';
import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import type { ApiKey } from '#shared/schemas/auth.ts';
import { callApi } from '../../data/call-api.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useNow } from '../../data/use-now.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatDate, formatStamp, plural } from '../../ui/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { HueText } from '../../ui/hue-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useAnswer } from '../frame/use-answer.ts';
import styles from './keys-section.module.css';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { Section } from './section.tsx';

const UNUSED_MS = 60 * 86_400_000;

/** Keys for scripts: made here, shown once, revoked here. */
export function KeysSection() {
  const connection = useConnection();
  const { role } = useSession();
  const answer = useAnswer(routes.listKeys, role === 'admin');
  const keys = answer.value?.keys ?? null;
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const block = connection.kind === 'live' ? null : 'This needs the collector.';

  if (role !== 'admin') {
    return (
      <Section title="API keys">
        <p>Only an admin sees the keys.</p>
      </Section>
    );
  }
  return (
    <Section
      title="API keys"
      note={keys === null ? (answer.problem ?? block ?? undefined) : `${keys.length}, for scripts`}
      action={
        <Button unavailable={block} onClick={() => setMaking(true)}>
          <Icon name="plus" size="s" />
          New key
        </Button>
      }
    >
      {keys === null ? null : <KeyTable keys={keys} block={block} onRevoke={setRevoking} />}
      <NewKeyDialog open={isMaking} onClose={() => setMaking(false)} onMade={answer.reload} />
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} onRevoked={answer.reload} />
    </Section>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly block: string | null;
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyTable({ keys, block, onRevoke }: KeyTableProps) {
  const now = useNow(5000);
  return (
    <Panel label="API keys">
      {keys.length === 0 ? <p className={styles.empty}>No keys yet.</p> : null}
      <ul>
        {keys.map((key) => (
          <li key={key.id} className={styles.row}>
            <span className={styles.name}>
              <strong>{key.label}</strong>
              <code>{key.prefix}…</code>
            </span>
            <span className={styles.role}>{key.role}</span>
            <span className={styles.used}>{usedWords(key, now)}</span>
            <span className={styles.made}>made {formatDate(key.createdAt, now)}</span>
            <Button unavailable={block} onClick={() => onRevoke(key)} aria-label={`Revoke ${key.label}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles.foot}>
        A key is shown once, when it is made; kept as a hash. A role is fixed for its life.
      </p>
    </Panel>
  );
}

function usedWords(key: ApiKey, now: number): ReactNode {
  if (key.lastUsedAt === null) return 'never used';
  const idleMs = now - key.lastUsedAt;
  if (idleMs < UNUSED_MS) return `used ${formatStamp(key.lastUsedAt, now)}`;
  return (
    <span className={styles.old}>
      <Glyph name="needs-confirmation" hue="warn" />
      <HueText hue="warn">
        {formatDate(key.lastUsedAt, now)}, {plural(Math.floor(idleMs / 86_400_000), 'day')} ago
      </HueText>
    </span>
  );
}

interface RevokeDialogProps {
  readonly apiKey: ApiKey | null;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

function RevokeDialog({ apiKey, onClose, onRevoked }: RevokeDialogProps) {
  const [problem, setProblem] = useState<string | null>(null);

  async function revoke(id: string): Promise<void> {
    const answer = await callApi(routes.revokeKey, { params: { id } });
    setProblem(answer.ok ? null : answer.message);
    if (!answer.ok) return;
    onRevoked();
    onClose();
  }

  return (
    <Dialog
      open={apiKey !== null}
      onClose={onClose}
      title={apiKey === null ? '' : `Revoke ${apiKey.label}?`}
      actions={
        apiKey === null ? undefined : (
          <>
            <Button look="danger" onClick={() => void revoke(apiKey.id)}>
              Revoke {apiKey.label}
            </Button>
            <Button look="quiet" onClick={onClose}>
              Keep it
            </Button>
          </>
        )
      }
    >
      <p>Whatever uses this key is refused from then on, and its open connections are closed.</p>
      {problem === null ? null : <p role="alert">{problem}</p>}
    </Dialog>
  );
}
