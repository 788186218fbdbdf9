import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { useSession } from '../../data/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { useAnswer } from '../frame/use-answer.ts';
import styles from './own-host-card.module.css';

/** Beside the demo: the way to a host of one's own. */
export function OwnHostCard() {
  return (
    <Panel edge="dashed" label="Your own host">
      <PanelBody>
        <h2 className={styles.title}>Your own host</h2>
        <p className={styles.words}>It appears beside the demo; removing the demo leaves it alone.</p>
        <FoundHint />
        <AddressForm />
      </PanelBody>
    </Panel>
  );
}

/** A llama-swap that answers beside the collector, while only the demo is watched. */
function FoundHint() {
  const { role } = useSession();
  const { value } = useAnswer(routes.firstRun, role === 'admin');
  const found = value?.found ?? null;
  if (found === null) return null;
  return (
    <p className={styles.found}>
      <Glyph name="succeeded" hue="ready" />
      <span>
        A real llama-swap answers at <code>{found.url}</code>
        {found.version === null ? '' : `, ${found.version}`}; not added.
      </span>
      <LinkButton to="/hosts/add" search={{ url: found.url }}>
        Add it
      </LinkButton>
    </p>
  );
}

/** An address with Test: goes on to the page that adds it. */
export function AddressForm() {
  const router = useRouter();
  const [url, setUrl] = useState('');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void router.navigate({ to: '/hosts/add', search: url.trim() === '' ? {} : { url: url.trim() } });
      }}
    >
      <Field
        label={<span className="visually-hidden">Address</span>}
        type="url"
        inputMode="url"
        placeholder="http://host:8080"
        autoComplete="off"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        aside={<Button type="submit">Test</Button>}
      />
    </form>
  );
}
