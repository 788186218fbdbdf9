import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { FoundHint } from './found-hint.tsx';
import { Field } from '../../ui/field.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
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

/** An address with Test: tests it at once, on the page that adds it. */
export function AddressForm() {
  const router = useRouter();
  const [typed, setTyped] = useState('');
  const url = typed.trim();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (url === '') void router.navigate({ to: '/hosts/add' });
        else void router.navigate({ to: '/hosts/add', search: { url }, state: { testAtOnce: true } });
      }}
    >
      <Field
        label={<span className="visually-hidden">Address</span>}
        type="url"
        inputMode="url"
        placeholder="http://host:8080"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        aside={<Button type="submit">Test</Button>}
      />
    </form>
  );
}
