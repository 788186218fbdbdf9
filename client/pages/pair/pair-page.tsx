import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnection } from '../../data/use-connection.ts';
import { useNow } from '../../data/use-now.ts';
import type { ApiError } from '../../data/types.ts';
import { pair } from '../../data/sign-in.ts';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-line.tsx';
import { deferred } from '../../ui/deferred.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel } from '../../ui/panel.tsx';
import { defaultDeviceName } from './device-name.ts';
import styles from './pair-page.module.css';
import type { PairProblem } from './pair-words.ts';
import { pairProblem, waitWords } from './pair-words.ts';
import { takenPairingCode } from './pairing-code.ts';
import { canScan } from './scan-code.ts';
import type { ScanSheetProps } from './scan-sheet.tsx';
import { usePairingWait } from './use-pairing-wait.ts';
import { WaitingPanel } from './waiting-panel.tsx';

const ScanSheet = deferred<ScanSheetProps>(async () => (await import('./scan-sheet.tsx')).ScanSheet);

/** Lets this device in. No navigation: nothing else can be seen before. */
export function PairPage() {
  const router = useRouter();
  const connection = useConnection();
  const now = useNow(1000);
  const [code, setCode] = useState(takenPairingCode() ?? '');
  const [label, setLabel] = useState(() => defaultDeviceName(navigator.userAgent));
  const [problem, setProblem] = useState<PairProblem | null>(null);
  const [waitUntil, setWaitUntil] = useState(0);
  const [isSending, setSending] = useState(false);
  const [isScanning, setScanning] = useState(false);
  const waitMs = waitUntil - now;
  const enter = (): void => void router.navigate({ to: '/', replace: true });
  const waiting = usePairingWait(enter, refuse);

  function refuse(error: ApiError): void {
    const next = pairProblem(error);
    setProblem(next);
    setWaitUntil(next.waitMs === null ? 0 : now + next.waitMs);
  }

  async function send(): Promise<void> {
    if (code.trim() === '') {
      setProblem({ field: 'code', words: 'Type the code first.', waitMs: null });
      return;
    }
    setSending(true);
    setProblem(null);
    // As typed: capitals count. Only the white space that copying brings along is cut off.
    const answer = await pair(code.trim(), label);
    setSending(false);
    if (!answer.ok) refuse(answer);
    else if (answer.value === null) enter();
    else waiting.begin({ ...answer.value, label });
  }

  const mustWait = problem?.waitMs != null && waitMs > 0;
  return (
    <main className={styles.page}>
      <title>Pair this device · Drover</title>
      <header className={styles.head}>
        <Icon name="logo" size="l" />
        <strong className={styles.name}>Drover</strong>
        <span className={styles.address}>{window.location.host}</span>
      </header>
      {connection.kind === 'removed' ? (
        <p className={styles.removed}>
          <strong>This device was removed from the fleet.</strong> Its copy was wiped. A new code lets it in
          again.
        </p>
      ) : null}
      <h1 className={styles.title}>Pair this device</h1>
      <p className={styles.lead}>
        Type or scan the code that a signed-in device shows under Settings, Devices, or that the server
        printed at its first start.
      </p>
      {waiting.wait === null ? (
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSending && !mustWait) void send();
          }}
        >
          <Field
            label="Code"
            look="code"
            name="code"
            required
            autoComplete="one-time-code"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            error={mustWait ? waitWords(waitMs) : wordsAt(problem, 'code')}
            aside={canScan() ? <Button onClick={() => setScanning(true)}>Scan</Button> : undefined}
          />
          <Field
            label="Name of this device"
            name="label"
            required
            maxLength={64}
            value={label}
            onChange={(event) => setLabel(event.target.value)}
            error={wordsAt(problem, 'label')}
          />
          <Button type="submit" look="ink" wide disabled={isSending || mustWait}>
            {isSending ? 'Pairing' : 'Pair'}
          </Button>
          {problem?.field === 'form' ? (
            <p className={styles.problem} role="alert">
              {problem.words}
            </p>
          ) : null}
        </form>
      ) : (
        <div className={styles.form}>
          <WaitingPanel wait={waiting.wait} isSilent={waiting.isSilent} onGiveUp={waiting.end} />
        </div>
      )}
      <ScanSheet
        open={isScanning}
        onClose={() => setScanning(false)}
        onCode={(scanned) => {
          setScanning(false);
          setCode(scanned);
          setProblem(null);
        }}
      />
      <Panel label="Good to know">
        <RowList>
          <li>
            <ListRow
              lead={<Icon name="eye" />}
              title="Whoever made the code lets you in."
              detail="They see this name and your address, and choose what you may do. Each code works once. One from the server lets in at once."
            />
          </li>
          <li>
            <ListRow
              lead={<Icon name="phone" />}
              title="Paired in the browser already?"
              detail="The installed app is a device of its own and needs its own code."
            />
          </li>
        </RowList>
      </Panel>
      <p className={styles.hint}>No device signed in any more? On the server:</p>
      <CopyLine text="npx drover pair --role admin" label="Copy the command" />
    </main>
  );
}

function wordsAt(problem: PairProblem | null, field: PairProblem['field']): string | null {
  return problem !== null && problem.field === field && problem.waitMs === null ? problem.words : null;
}
