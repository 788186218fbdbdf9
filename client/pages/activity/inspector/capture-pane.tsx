import type { ActivityRequest } from '#shared/schemas/activity.ts';
import type { CaptureKey } from '#shared/schemas/capture.ts';
import type { CaptureView } from '../../../data/captures/capture-view.ts';
import { useCapture } from '../../../data/use-capture.ts';
import { useHost } from '../../../data/use-fleet.ts';
import { useSession } from '../../../data/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { Icon } from '../../../ui/icon.tsx';
import { showFailure, showToast } from '../../../ui/toast.tsx';
import styles from './capture-pane.module.css';
import { CaptureTabs } from './capture-tabs.tsx';
import { type Conversation, conversationOf, conversationText, redactedWords } from './inspector-view.ts';
import { openText } from '../open-request.ts';
import { RequestFacts } from './request-facts.tsx';

interface CapturePaneProps {
  readonly request: CaptureKey;
  /** The row as the list has it; null: it is not in the list, and comes with the capture. */
  readonly row: ActivityRequest | null;
}

/** All that is known of a request: its row, and what its host kept of it. */
export function CapturePane({ request, row }: CapturePaneProps) {
  const { view, retry } = useCapture(request);
  const shown = view.kind === 'shown' ? view.capture : null;
  const known = row ?? shown?.row ?? null;
  const conversation = shown === null ? null : conversationOf(shown);
  return (
    <div className={styles.pane}>
      <div className={styles.content}>
        {known === null ? null : <RequestFacts row={known} answer={shown?.answer ?? null} />}
        {view.kind === 'shown' ? (
          <CaptureTabs key={openText(request)} capture={view.capture} conversation={conversation} />
        ) : (
          <Without view={view} hostId={request.hostId} onRetry={retry} />
        )}
      </div>
      {view.kind === 'shown' ? <Foot view={view} conversation={conversation} request={request} /> : null}
    </div>
  );
}

interface FootProps {
  readonly view: Extract<CaptureView, { kind: 'shown' }>;
  readonly conversation: Conversation | null;
  readonly request: CaptureKey;
}

function Foot({ view, conversation, request }: FootProps) {
  const { capture, isKept } = view;
  const whole = (): string => `${JSON.stringify(capture, null, 2)}\n`;
  const copy = (): void => {
    copyText(conversation === null ? whole() : conversationText(conversation)).then(
      () => showToast({ title: conversation === null ? 'Capture copied' : 'Conversation copied' }),
      (error: unknown) => showFailure({ title: 'Not copied', detail: String(error) }),
    );
  };
  return (
    <div className={styles.foot}>
      <Button look="ink" onClick={copy}>
        <Icon name="copy" size="s" />
        Copy
      </Button>
      <Button onClick={() => saveJson(`drover-capture-${openText(request)}.json`, whole())}>
        <Icon name="download" size="s" />
        Download
      </Button>
      <p className={styles.kept}>
        {redactedWords(capture.redactions)}
        <br />
        {isKept ? 'kept on this device' : 'not kept on this device'}
      </p>
    </div>
  );
}

function Without({
  view,
  hostId,
  onRetry,
}: {
  readonly view: Exclude<CaptureView, { kind: 'shown' }>;
  readonly hostId: string;
  readonly onRetry: () => void;
}) {
  const host = useHost(hostId);
  const { role } = useSession();
  switch (view.kind) {
    case 'loading':
      return (
        <output className={styles.without}>
          Fetching what {host?.label ?? hostId} kept of this request.
        </output>
      );
    case 'not-allowed':
      return (
        <p className={styles.without}>
          <strong>Your role is {role ?? 'viewer'}.</strong> Prompts and answers are for operators and admins;
          an admin can change the role under Settings, Devices.
        </p>
      );
    case 'away':
      return (
        <p className={styles.without}>
          <strong>Not on this device.</strong> What was opened before can be read here; this request was not,
          and opening it needs the collector. It is fetched by itself once that is back.
        </p>
      );
    case 'none':
      return (
        <div className={styles.without}>
          <p>
            <strong>No capture.</strong> {view.words}
          </p>
          {view.isFinal ? null : <Button onClick={onRetry}>Try again</Button>}
        </div>
      );
  }
}

function saveJson(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download has taken the blob by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
