import { routes } from '#shared/http/routes.ts';
import type { Device } from '#shared/schemas/auth.ts';
import type { PairingWait } from '#shared/schemas/pairing.ts';
import { callApi } from './call-api.ts';
import { keepStorage } from './keep-storage.ts';
import { replicaService } from './replica-instance.ts';
import type { Result } from './types.ts';

/**
 * Redeems a pairing code. Null: this device is signed in and its copy begins; else whoever made the code has to let it
 * in, see {@link pollPairing}.
 */
export async function pair(code: string, label: string): Promise<Result<PairingWait | null>> {
  return admitted(await callApi(routes.pair, { body: { code, label } }));
}

/** Asks whether this device was let in meanwhile; answers as {@link pair} does. */
export async function pollPairing(requestId: string): Promise<Result<PairingWait | null>> {
  return admitted(await callApi(routes.pollPairing, { body: { requestId } }));
}

async function admitted(
  answer: Result<PairingWait | { readonly device: Device }>,
): Promise<Result<PairingWait | null>> {
  if (!answer.ok) return answer;
  const { status, value } = answer;
  if ('requestId' in value) return { ok: true, status, value };
  await replicaService.refresh();
  void keepStorage();
  return { ok: true, status, value: null };
}

/** Ends this device's session and wipes its copy. Needs the collector: a session must not outlive its sign-out. */
export async function signOut(): Promise<Result<null>> {
  return replicaService.signOut(async () => {
    const answer = await callApi(routes.signOut);
    return answer.ok || answer.status === 401 ? { ok: true, status: 204, value: null } : answer;
  });
}
