import { useEffect, useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { roleAllows } from '#shared/schemas/auth.ts';
import type { CaptureKey } from '#shared/schemas/capture.ts';
import { callApi } from './call-api.ts';
import { type CaptureView, viewOfError } from './captures/capture-view.ts';
import { KeptCaptures } from './captures/kept-captures.ts';
import type { KeptTotals } from './captures/totals-cell.ts';
import { totalsCell } from './captures/totals-cell.ts';
import { useReadable } from './cell.ts';
import { isSecure } from './environment.ts';
import { captureDatabaseName } from './replica/copy-databases.ts';
import { useConnection } from './use-connection.ts';
import { useSession } from './use-session.ts';

/** A host may take its time: the collector gives it half a minute. */
const TIMEOUT_MS = 60_000;
const AWAY_TIMEOUT_MS = 4_000;
const LOADING: CaptureView = { kind: 'loading' };

/**
 * What its host kept of a request: from this device, else asked of the collector once, and kept here from then on.
 * `retry` asks again.
 */
export function useCapture({ hostId, idEpoch, id }: CaptureKey): {
  readonly view: CaptureView;
  readonly retry: () => void;
} {
  const { device, role } = useSession();
  const { kind } = useConnection();
  const [attempt, setAttempt] = useState(0);
  const deviceId = device?.id ?? null;
  const isLive = kind === 'live';
  const mayRead = role === null || roleAllows(role, 'operator');
  const name = JSON.stringify([hostId, idEpoch, id, attempt]);
  const [found, setFound] = useState<{ readonly name: string; readonly view: CaptureView } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    const show = (view: CaptureView): void => {
      if (abort.signal.aborted) return;
      // What is on the screen stays there when the collector goes.
      setFound((before) =>
        before?.name === name && before.view.kind === 'shown' && view.kind === 'away'
          ? before
          : { name, view },
      );
    };
    void findCapture({ hostId, idEpoch, id }, { deviceId, isLive, mayRead, signal: abort.signal }, show);
    return () => abort.abort();
  }, [name, hostId, idEpoch, id, deviceId, isLive, mayRead]);
  return {
    view: found?.name === name ? found.view : LOADING,
    retry: () => setAttempt((count) => count + 1),
  };
}

/** How much of captures this device keeps; null while that is not known. */
export function useKeptCaptures(): KeptTotals | null {
  const { device } = useSession();
  const deviceId = device?.id ?? null;
  useEffect(() => {
    if (deviceId !== null) void tellTotals(deviceId);
  }, [deviceId]);
  return useReadable(totalsCell);
}

interface Finding {
  readonly deviceId: string | null;
  readonly isLive: boolean;
  readonly mayRead: boolean;
  readonly signal: AbortSignal;
}

async function findCapture(
  key: CaptureKey,
  { deviceId, isLive, mayRead, signal }: Finding,
  show: (view: CaptureView) => void,
): Promise<void> {
  const kept = deviceId === null || !isSecure ? null : keptCaptures(deviceId);
  if (!mayRead) {
    show({ kind: 'not-allowed' });
    await kept?.clear().catch(() => undefined);
    return;
  }
  const here = (await kept?.load(key, Date.now()).catch(() => null)) ?? null;
  if (here !== null) return show({ kind: 'shown', capture: here, isKept: true });
  if (signal.aborted) return;
  // Without sockets it may answer still, or not for a long time.
  const timeoutMs = isLive ? TIMEOUT_MS : AWAY_TIMEOUT_MS;
  const answer = await callApi(routes.capture, { query: key, signal, timeoutMs });
  if (!answer.ok) return show(viewOfError(answer));
  const capture = answer.value;
  show({ kind: 'shown', capture, isKept: false });
  // Not after its page was left: the copy of a device that was removed meanwhile must not come back.
  if (kept === null || deviceId === null || signal.aborted) return;
  try {
    await kept.save(key, capture, Date.now());
    show({ kind: 'shown', capture, isKept: true });
    await tellTotals(deviceId);
  } catch {
    // It can be read now; that it is not kept is what the foot says.
  }
}

let opened: { readonly deviceId: string; readonly captures: KeptCaptures } | null = null;

function keptCaptures(deviceId: string): KeptCaptures {
  if (opened?.deviceId !== deviceId) {
    opened = { deviceId, captures: new KeptCaptures(captureDatabaseName(deviceId)) };
  }
  return opened.captures;
}

async function tellTotals(deviceId: string): Promise<void> {
  if (!isSecure) return;
  totalsCell.set(
    await keptCaptures(deviceId)
      .totals()
      .catch(() => null),
  );
}
