import { getRouteApi, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { callApi } from '../../data/call-api.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { BREAKPOINTS, useMedia } from '../../ui/use-media.ts';
import { Page } from '../frame/page.tsx';
import { checkCreate, refusedFields } from './host-draft.ts';
import { HostForm } from './host-form.tsx';
import styles from './hosts.module.css';
import { TestedModels, TestVerdict } from './test-panel.tsx';
import { addAnywayWords, mayAddAnyway } from './test-view.ts';
import { useHostDraft } from './use-host-draft.ts';
import { changeBlock } from '../host-parts/change-block.ts';
import { DemoPanel } from '../host-parts/demo-panel.tsx';

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
  const isBeside = useMedia(BREAKPOINTS.wide);
  useTestAtOnce(block === null, form.test);

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
  const verdictShown = form.isTesting ? (
    <Testing url={form.draft.url} />
  ) : form.run === null ? null : (
    <TestVerdict run={form.run} />
  );
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
            verdict={isBeside ? null : verdictShown}
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
          <DemoPanel title="Only trying it out?" unavailable={block} />
        </div>
        <div className={styles.column}>
          {verdictShown === null ? <NotTested /> : isBeside ? verdictShown : null}
          {form.run === null ? null : <TestedModels run={form.run} />}
        </div>
      </div>
    </Page>
  );
}

/**
 * Tests what Test was pressed for elsewhere. That it was is told by the way here, not by the address of the page: a link
 * somebody else made must not send the collector anywhere by itself.
 */
function useTestAtOnce(isPossible: boolean, test: () => Promise<void>): void {
  const isAsked = useRouterState({ select: ({ location }) => location.state.testAtOnce === true });
  const wasBegun = useRef(false);
  useEffect(() => {
    if (!isAsked || !isPossible || wasBegun.current) return;
    wasBegun.current = true;
    void test();
  });
}

/** A name to start from: the first part of the address. */
function labelFrom(url: string | undefined): string {
  const host = URL.parse(url ?? '')?.hostname ?? '';
  return /^[\d.[\]:]+$/.test(host) ? '' : (host.split('.')[0] ?? '');
}

/** Where the verdict will stand, while it is waited for. */
function Testing({ url }: { readonly url: string }) {
  return (
    <Panel edge="dashed" label="Result of the test">
      <PanelBody>
        <output className={styles.quiet}>Testing {url.trim()}. This takes a few seconds at most.</output>
      </PanelBody>
    </Panel>
  );
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
