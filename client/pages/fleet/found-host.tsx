import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { callApi } from '../../data/call-api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { isLoopback } from './first-run-facts.ts';
import styles from './found-host.module.css';

interface FoundHostProps {
  readonly found: { readonly url: string; readonly version: string | null };
  readonly unavailable: string | null;
  readonly onDismiss: () => void;
}

/** A llama-swap that answers beside the collector: offered, never added by itself. */
export function FoundHost({ found, unavailable, onDismiss }: FoundHostProps) {
  const [label, setLabel] = useState('local');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const where = isLoopback(window.location.hostname) ? 'on this machine' : 'on the server';

  async function add(): Promise<void> {
    setSending(true);
    setProblem(null);
    const answer = await callApi(routes.createHost, { body: { label, url: found.url } });
    setSending(false);
    if (!answer.ok) setProblem(answer.details[0]?.message ?? answer.message);
  }

  return (
    <Panel label="Found">
      <PanelBody>
        <div className={styles.head}>
          <Glyph name="succeeded" hue="ready" size="header" />
          <div>
            <h2 className={styles.title}>A llama-swap answers {where}</h2>
            <p className={styles.words}>
              <code>{found.url}</code>
              {found.version === null ? '' : ` · llama-swap ${found.version}`}. It is not added until you say
              so.
            </p>
          </div>
        </div>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (unavailable === null) void add();
          }}
        >
          <Field
            label="Name"
            value={label}
            maxLength={64}
            onChange={(event) => setLabel(event.target.value)}
            error={problem}
            hint={unavailable ?? 'Its models will stand under this name everywhere.'}
          />
          <div className={styles.actions}>
            <Button
              type="submit"
              look="ink"
              unavailable={unavailable}
              disabled={isSending || label.trim() === ''}
            >
              <Icon name="plus" size="s" />
              Add this host
            </Button>
            <Button look="quiet" onClick={onDismiss}>
              Not this one
            </Button>
          </div>
        </form>
      </PanelBody>
    </Panel>
  );
}
