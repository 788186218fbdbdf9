import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { callApi } from '../../data/call-api.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { Page } from '../frame/page.tsx';
import { checkCreate, refusedFields } from './host-draft.ts';
import { HostForm } from './host-form.tsx';
import styles from './hosts.module.css';
import { TestPanel } from './test-panel.tsx';
import { addAnywayWords, mayAddAnyway } from './test-view.ts';
import { useHostDraft } from './use-host-draft.ts';
import { changeBlock } from '../host-parts/change-block.ts';

const route = getRouteApi('/hosts/add');

/** A host by its address: Test says what is there, Add begins to watch it. */
export function AddHostPage() {
  const router = useRouter();
  const { url } = route.useSearch();
  const connection = useConnection();
  const { role } = useSession();
  const form = useHostDraft({
    url: url ?? '',
    label: labelFrom(url),
    keyMode: 'typed',
    key: '',
    envName: '',
  });
  const [isSending, setSending] = useState(false);
  const block = changeBlock(connection.kind === 'live', role);
  const verdict = form.run?.result.verdict ?? null;
  const isPassed = verdict === 'ok';

  async function add(): Promise<void> {
    const checked = checkCreate({
      ...form.draft,
      label: form.draft.label.trim() || labelFrom(form.draft.url),
    });
    if (!checked.ok) {
      form.setProblems(checked.problems);
      return;
    }
    setSending(true);
    const answer = await callApi(routes.createHost, { body: checked.body });
    setSending(false);
    if (answer.ok) await router.navigate({ to: '/' });
    else form.setProblems(refusedFields(answer));
  }

  const name = form.draft.label.trim();
  return (
    <Page title="Add host" back={{ to: '/', label: 'Fleet' }}>
      <div className={styles.page}>
        <div className={styles.column}>
          <HostForm
            draft={form.draft}
            onChange={form.change}
            problems={form.problems}
            onTest={() => void form.test()}
            testLabel={form.run === null ? 'Test' : 'Test again'}
            isTesting={form.isTesting}
            onSubmit={() => void (isPassed ? add() : form.test())}
            keyModes={[
              { value: 'typed', label: 'Typed' },
              { value: 'env', label: 'env:' },
            ]}
            keyTone={verdict === 'unauthorized' ? 'key' : 'plain'}
            unavailable={block}
          >
            {verdict !== null && mayAddAnyway(verdict) ? (
              <Button unavailable={block} disabled={isSending} onClick={() => void add()}>
                {addAnywayWords(verdict)}
              </Button>
            ) : (
              <Button
                look="ink"
                unavailable={block ?? (isPassed ? null : 'Test it first.')}
                disabled={isSending}
                onClick={() => void add()}
              >
                {name === '' ? 'Add' : `Add ${name}`}
              </Button>
            )}
            <LinkButton to="/" look="quiet">
              Cancel
            </LinkButton>
          </HostForm>
          <WhatAddingDoes />
        </div>
        <div className={styles.column}>
          {form.run === null ? <NotTested /> : <TestPanel run={form.run} />}
        </div>
      </div>
    </Page>
  );
}

/** A name to start from: the first part of the address. */
function labelFrom(url: string | undefined): string {
  const host = URL.parse(url ?? '')?.hostname ?? '';
  return /^[\d.[\]:]+$/.test(host) ? '' : (host.split('.')[0] ?? '');
}

/** Where the verdict will stand. */
function NotTested() {
  return (
    <Panel edge="dashed" label="Result of the test">
      <PanelBody>
        <p className={styles.quiet}>
          Test says here what answers at the address: whether it is reached, is llama-swap, accepts the key,
          and which models it has. Nothing on the host is changed by it.
        </p>
      </PanelBody>
    </Panel>
  );
}

function WhatAddingDoes() {
  return (
    <Panel title="What adding does">
      <RowList>
        {[
          'Opens one event stream and reads. It never loads a model, sends a prompt or asks /upstream.',
          'Takes over the activity the host still remembers, often its last 1,000 requests.',
          'Can be paused or removed at any time; the history stays here.',
        ].map((words) => (
          <li key={words}>
            <ListRow lead={<Glyph name="succeeded" hue="ready" />} title={words} />
          </li>
        ))}
      </RowList>
    </Panel>
  );
}
