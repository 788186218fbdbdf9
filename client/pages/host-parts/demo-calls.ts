import { routes } from '#shared/http/routes.ts';
import { callApi } from '../../data/call-api.ts';
import { showFailure } from '../../ui/toast.tsx';

/** Starts the emulated hosts, which takes seconds; says so and resolves to false when it did not work. */
export async function startDemo(): Promise<boolean> {
  const answer = await callApi(routes.startDemo, { timeoutMs: 60_000 });
  if (!answer.ok) showFailure({ title: 'The demo fleet did not start', detail: answer.message });
  return answer.ok;
}

/** Takes the emulated hosts away; says so when it did not work. */
export async function removeDemo(): Promise<void> {
  const answer = await callApi(routes.stopDemo);
  if (!answer.ok) showFailure({ title: 'The demo fleet is still here', detail: answer.message });
}
