import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { roleAllows } from '#shared/schemas/auth.ts';
import type { PairingDecision, PairingRequest } from '#shared/schemas/pairing.ts';
import { callApi } from '../../data/call-api.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useNow } from '../../data/use-now.ts';
import { useSession } from '../../data/use-session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useArmed } from '../../ui/use-armed.ts';
import styles from './request-card.module.css';
import { requestWords } from './request-view.ts';
import { roleOptions } from './role-options.ts';

interface RequestCardProps {
  readonly request: PairingRequest;
  /** It was answered, here or elsewhere: ask who else waits. */
  readonly onAnswered: () => void;
  /** Left out: it cannot be put aside. */
  readonly onLater?: () => void;
}

/** Somebody asks to be let in: who, from where, as what, and the two answers. */
export function RequestCard({ request, onAnswered, onLater }: RequestCardProps) {
  const session = useSession();
  const isLive = useConnection().kind === 'live';
  const now = useNow(5000);
  const own = session.role ?? 'viewer';
  const [role, setRole] = useState(roleAllows(own, request.role) ? request.role : own);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const isArmed = useArmed();
  const unavailable = isLive ? null : 'This needs the collector.';

  async function decide(decision: PairingDecision['decision']): Promise<void> {
    setSending(true);
    setProblem(null);
    const body = decision === 'allow' ? { decision, role } : { decision };
    const answer = await callApi(routes.decidePairing, { params: { id: request.id }, body });
    setSending(false);
    if (!answer.ok) setProblem(answer.message);
    else if (decision === 'allow') showToast({ title: `${request.label} is let in as ${role}` });
    if (answer.ok || answer.status !== null) onAnswered();
  }

  return (
    <section className={styles.card} aria-label={`${request.label} asks to be let in`}>
      <div className={styles.head}>
        <Glyph name="waiting" hue="warn" />
        <p className={styles.words}>
          <strong>{request.label} asks to be let in</strong>{' '}
          {requestWords(request, session.device?.label ?? null, now)}
        </p>
        {onLater === undefined ? null : (
          <IconButton label="Later: it stays under Settings, Devices" onClick={onLater}>
            <Icon name="close" />
          </IconButton>
        )}
      </div>
      <div className={styles.answer}>
        <Segmented
          label={`Role of ${request.label}`}
          wide
          value={role}
          options={roleOptions(own)}
          onChange={setRole}
        />
        <div className={styles.buttons}>
          <Button
            look="ink"
            disabled={!isArmed || isSending}
            unavailable={unavailable}
            onClick={() => void decide('allow')}
          >
            Let in
          </Button>
          <Button
            disabled={!isArmed || isSending}
            unavailable={unavailable}
            onClick={() => void decide('refuse')}
          >
            Refuse
          </Button>
        </div>
      </div>
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
