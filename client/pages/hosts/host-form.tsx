import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { DraftProblems, HostDraft, KeyMode } from './host-draft.ts';
import styles from './host-form.module.css';

interface HostFormProps {
  readonly draft: HostDraft;
  readonly onChange: (change: Partial<HostDraft>) => void;
  readonly problems: DraftProblems;
  readonly onTest: () => void;
  readonly testLabel: string;
  readonly isTesting: boolean;
  readonly onSubmit: () => void;
  readonly keyModes: readonly { readonly value: KeyMode; readonly label: string }[];
  readonly keyTone: 'plain' | 'key';
  /** Why nothing can be sent now; null when it can. */
  readonly unavailable: string | null;
  /** What Test found, where there is no room beside the form: above the buttons, which follow from it. */
  readonly verdict: ReactNode;
  /** Buttons at the foot. */
  readonly children: ReactNode;
}

/** Address, name and key of a host. */
export function HostForm(props: HostFormProps) {
  const { draft, onChange, problems, unavailable } = props;
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (unavailable === null) props.onSubmit();
      }}
    >
      <div className={styles.fields}>
        <Field
          label="Address"
          type="url"
          inputMode="url"
          name="url"
          placeholder="http://host:8080"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={draft.url}
          onChange={(event) => onChange({ url: event.target.value })}
          error={problems.url ?? null}
          hint="As this server reaches it. Redirects to elsewhere are not followed."
          aside={
            <Button
              onClick={props.onTest}
              disabled={props.isTesting || draft.url.trim() === ''}
              unavailable={unavailable}
            >
              {props.isTesting ? 'Testing' : props.testLabel}
            </Button>
          }
        />
        <Field
          label="Name"
          name="label"
          autoComplete="off"
          maxLength={64}
          value={draft.label}
          onChange={(event) => onChange({ label: event.target.value })}
          error={problems.label ?? null}
          hint={
            draft.label.trim() === '' ? (
              'Its models will stand under this name everywhere.'
            ) : (
              <>
                Its models will stand under <strong>{draft.label.trim()}</strong> everywhere.
              </>
            )
          }
        />
        <KeyField {...props} />
      </div>
      {problems.form === undefined ? null : (
        <p className={styles.problem} role="alert">
          {problems.form}
        </p>
      )}
      {props.verdict === null ? null : <div className={styles.verdict}>{props.verdict}</div>}
      <div className={styles.actions}>{props.children}</div>
      {unavailable === null ? null : <p className={styles.why}>{unavailable}</p>}
    </form>
  );
}

function KeyField({ draft, onChange, problems, keyModes, keyTone }: HostFormProps) {
  const modes = (
    <Segmented
      label="Where the key comes from"
      value={draft.keyMode}
      options={keyModes}
      onChange={(keyMode) => onChange({ keyMode })}
    />
  );
  const label = (
    <>
      Key <small className={styles.small}>only if its config has apiKeys</small>
    </>
  );
  if (draft.keyMode === 'keep' || draft.keyMode === 'none') {
    return (
      <div>
        <p className={styles.label}>{label}</p>
        {modes}
        <p className={styles.hint}>
          {draft.keyMode === 'keep'
            ? 'The key that is there stays as it is.'
            : 'The key is removed; requests go without one.'}
        </p>
      </div>
    );
  }
  return draft.keyMode === 'typed' ? (
    <Field
      label={label}
      name="host-key"
      type="password"
      autoComplete="off"
      tone={keyTone}
      value={draft.key}
      onChange={(event) => onChange({ key: event.target.value })}
      error={problems.key ?? null}
      hint="Kept by the collector, sent only to this host, never shown again."
      aside={modes}
    />
  ) : (
    <Field
      label={label}
      name="env-name"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      placeholder="LLAMA_SWAP_KEY"
      tone={keyTone}
      value={draft.envName}
      onChange={(event) => onChange({ envName: event.target.value.replace(/^env:/, '') })}
      error={problems.key ?? null}
      hint="Name of an environment variable of the server; the key itself is stored nowhere."
      aside={modes}
    />
  );
}
