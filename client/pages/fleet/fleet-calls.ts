import { routes } from '#shared/http/routes.ts';
import { callApi } from '../../data/call-api.ts';
import { showFailure } from '../../ui/toast.tsx';

/** Takes the emulated hosts away; says so when it did not work. */
export async function removeDemo(): Promise<void> {
  const answer = await callApi(routes.stopDemo);
  if (!answer.ok) showFailure({ title: 'The demo fleet is still here', detail: answer.message });
}
