import { routes } from '#shared/http/routes.ts';
import { callApi } from '../../data/call-api.ts';
import { showFailure } from '../../ui/toast.tsx';

/** Stops listening to a host, or begins again; says so when it did not work. */
export async function pauseHost(hostId: string, paused: boolean): Promise<void> {
  const answer = await callApi(routes.patchHost, { params: { hostId }, body: { paused } });
  if (!answer.ok) showFailure({ title: paused ? 'Not paused' : 'Not resumed', detail: answer.message });
}

/** Takes the emulated hosts away; says so when it did not work. */
export async function removeDemo(): Promise<void> {
  const answer = await callApi(routes.stopDemo);
  if (!answer.ok) showFailure({ title: 'The demo fleet is still here', detail: answer.message });
}
