import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import type { Host } from '#shared/schemas/host.ts';
import { callApi } from '../../data/call-api.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useFleet, useHost } from '../../data/use-fleet.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import { Page } from '../frame/page.tsx';
import { changeBlock } from '../host-parts/change-block.ts';
import type { KeyMode } from './host-draft.ts';
import { checkPatch, refusedFields } from './host-draft.ts';
import { HostForm } from './host-form.tsx';
import styles from './hosts.module.css';
import { TestedModels, TestVerdict } from './test-panel.tsx';
import { useHostDraft } from './use-host-draft.ts';

const route = getRouteApi('/hosts/$hostId/edit');

/** Address, name and key of a host that is there. */
export function EditHostPage() {
  const { hostId } = route.useParams();
  const host = useHost(hostId);
  const { loaded } = useFleet();
  if (host === null) {
    return (
      <Page title="Edit host" back={{ to: '/', label: 'Fleet' }}>
        {loaded ? <p>There is no host of the id {hostId} in this fleet.</p> : null}
      </Page>
    );
  }
  return <EditHost key={host.id} host={host} />;
}

function EditHost({ host }: { readonly host: Host }) {
  const router = useRouter();
  const connection = useConnection();
  const { role } = useSession();
  const isRefused = host.liveness === 'unauthorized';
  const startMode: KeyMode = isRefused || host.keySource === null ? 'typed' : 'keep';
  const form = useHostDraft(
    {
      url: host.url,
      label: host.label,
      keyMode: startMode,
      key: '',
      envName: host.keySource?.startsWith('env:') === true ? host.keySource.slice(4) : '',
    },
    host.id,
  );
  const [isSending, setSending] = useState(false);
  const isBeside = useMedia(BREAKPOINTS.wide);
  const verdict = form.run === null ? null : <TestVerdict run={form.run} />;
  const block = host.demo ? 'Part of the demo fleet.' : changeBlock(connection.kind === 'live', role);

  async function save(): Promise<void> {
    const checked = checkPatch(form.draft);
    if (!checked.ok) {
      form.setProblems(checked.problems);
      return;
    }
    setSending(true);
    const answer = await callApi(routes.patchHost, { params: { hostId: host.id }, body: checked.body });
    setSending(false);
    if (answer.ok) await router.navigate({ to: '/' });
    else form.setProblems(refusedFields(answer));
  }

  if (host.managedByFile) {
    return (
      <Page title={host.label} back={{ to: '/', label: 'Fleet' }}>
        <Panel title="Set in drover.yaml" label="Set in drover.yaml">
          <PanelBody>
            <dl className={styles.facts}>
              <dt>Address</dt>
              <dd>{host.url}</dd>
              <dt>Key</dt>
              <dd>{host.keySource ?? 'none'}</dd>
            </dl>
            <p className={styles.note}>It can be changed in that file only; Drover reads it at its start.</p>
          </PanelBody>
        </Panel>
      </Page>
    );
  }
  return (
    <Page title={`Edit ${host.label}`} back={{ to: '/', label: 'Fleet' }} demo={host.demo}>
      <div className={styles.page}>
        <div className={styles.column}>
          <HostForm
            draft={form.draft}
            onChange={form.change}
            problems={form.problems}
            onTest={() => void form.test()}
            testLabel={form.run === null ? 'Test' : 'Test again'}
            isTesting={form.isTesting}
            onSubmit={() => void save()}
            keyModes={[
              ...(host.keySource === null ? [] : [{ value: 'keep', label: 'Keep' } as const]),
              { value: 'typed', label: 'Typed' },
              { value: 'env', label: 'env:' },
              ...(host.keySource === null ? [] : [{ value: 'none', label: 'None' } as const]),
            ]}
            keyTone={isRefused ? 'key' : 'plain'}
            unavailable={block}
            verdict={isBeside ? null : verdict}
          >
            <Button type="submit" look="ink" unavailable={block} disabled={isSending}>
              Save
            </Button>
            <LinkButton to="/" look="quiet">
              Cancel
            </LinkButton>
          </HostForm>
        </div>
        <div className={styles.column}>
          {isBeside ? verdict : null}
          {form.run === null ? null : <TestedModels run={form.run} />}
        </div>
      </div>
    </Page>
  );
}
