import { routes } from '#shared/http/routes.ts';
import { callApi } from './call-api.ts';
import { keepStorage } from './keep-storage.ts';
import { replicaService } from './replica-instance.ts';
import type { Result } from './types.ts';

/** Redeems a pairing code; on success this device is signed in and its copy begins. */
export async function pair(code: string, label: string): Promise<Result<null>> {
  const answer = await callApi(routes.pair, { body: { code, label } });
  if (!answer.ok) return answer;
  await replicaService.refresh();
  void keepStorage();
  return { ok: true, status: answer.status, value: null };
}

/** Ends this device's session and wipes its copy. Needs the collector: a session must not outlive its sign-out. */
export async function signOut(): Promise<Result<null>> {
  return replicaService.signOut(async () => {
    const answer = await callApi(routes.signOut);
    return answer.ok || answer.status === 401 ? { ok: true, status: 204, value: null } : answer;
  });
}
