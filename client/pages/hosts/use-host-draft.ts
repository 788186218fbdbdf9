import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { hostTest } from '#shared/schemas/host-input.ts';
import { callApi } from '../../data/call-api.ts';
import type { DraftProblems, HostDraft } from './host-draft.ts';
import { keyFields } from './host-draft.ts';
import type { TestRun } from './test-panel.tsx';

/** The fields of a host form, what is wrong with them, and the last test. */
export interface HostDraftState {
  readonly draft: HostDraft;
  readonly change: (change: Partial<HostDraft>) => void;
  readonly problems: DraftProblems;
  readonly setProblems: (problems: DraftProblems) => void;
  /** Null until Test was pressed, and again when the address or the key changed since. */
  readonly run: TestRun | null;
  readonly isTesting: boolean;
  readonly test: () => Promise<void>;
}

/** State of a host form; `hostId` lets Test use the key that is stored. */
export function useHostDraft(initial: HostDraft, hostId?: string): HostDraftState {
  const [draft, setDraft] = useState(initial);
  const [problems, setProblems] = useState<DraftProblems>({});
  const [run, setRun] = useState<TestRun | null>(null);
  const [isTesting, setTesting] = useState(false);

  async function test(): Promise<void> {
    const url = draft.url.trim();
    const body = hostTest.safeParse({
      url,
      ...keyFields(draft),
      ...(hostId !== undefined && draft.keyMode === 'keep' ? { hostId } : {}),
    });
    if (!body.success) {
      const issue = body.error.issues[0];
      const field = issue?.path.at(-1) === 'url' ? 'url' : 'key';
      setProblems({ [field]: issue?.message ?? 'not valid' });
      return;
    }
    setProblems({});
    setTesting(true);
    const answer = await callApi(routes.testHost, { body: body.data, timeoutMs: 30_000 });
    setTesting(false);
    if (answer.ok) setRun({ url, at: Date.now(), result: answer.value });
    else setProblems({ form: answer.message });
  }

  return {
    draft,
    change: (change) => {
      setDraft({ ...draft, ...change });
      // A verdict about another address or key would lie.
      if (change.label === undefined) setRun(null);
    },
    problems,
    setProblems,
    run,
    isTesting,
    test,
  };
}
