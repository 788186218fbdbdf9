import { useState } from 'react';
import { routes } from '#shared/http/routes.ts';
import { useConnection } from '../../data/use-connection.ts';
import { useSession } from '../../data/use-session.ts';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { useAnswer } from '../frame/use-answer.ts';
import { DemoPanel } from '../host-parts/demo-panel.tsx';
import styles from './first-run.module.css';
import { FoundHost } from './found-host.tsx';
import { AddressForm } from './own-host-card.tsx';
import { PhoneCard } from './phone-card.tsx';

/** A fleet without hosts: what was found, a host by its address, the demo, and the way to a phone. */
export function FirstRun() {
  const { role } = useSession();
  const connection = useConnection();
  const [isDismissed, setDismissed] = useState(false);
  const isAdmin = role === 'admin';
  const { value: facts } = useAnswer(routes.firstRun, isAdmin);
  const block =
    connection.kind !== 'live'
      ? 'This needs the collector.'
      : isAdmin
        ? null
        : 'Only an admin can add hosts.';
  const found = isDismissed ? null : (facts?.found ?? null);
  return (
    <div className={styles.page}>
      <div className={styles.main}>
        {found === null ? null : (
          <FoundHost found={found} unavailable={block} onDismiss={() => setDismissed(true)} />
        )}
        <div className={styles.pair}>
          <Panel label="Add a host">
            <PanelBody>
              <h2 className={styles.title}>{found === null ? 'Add a host' : 'Add another host'}</h2>
              <p className={styles.words}>
                Any machine this server reaches. There llama-swap must listen beyond localhost.
              </p>
              {block === null ? (
                <div className={styles.ways}>
                  {found === null ? (
                    <LinkButton to="/hosts/add" look="ink">
                      <Icon name="plus" size="s" />
                      Add a host
                    </LinkButton>
                  ) : null}
                  <AddressForm />
                </div>
              ) : (
                <p className={styles.words}>{block}</p>
              )}
            </PanelBody>
          </Panel>
          <DemoPanel title="No host at hand?" unavailable={block} />
        </div>
        <WhatHappens />
      </div>
      <aside className={styles.aside} aria-label="On your phone">
        <PhoneCard facts={facts} />
      </aside>
    </div>
  );
}

function WhatHappens() {
  return (
    <Panel title="What happens after Add">
      <dl className={styles.steps}>
        <div className={styles.step}>
          <dt>in 3 s</dt>
          <dd className={styles.what}>
            <Icon name="eye" />
            <span>
              <strong>Models, states and running requests</strong> are here, live, with the age of every
              value.
            </span>
          </dd>
        </div>
        <div className={styles.step}>
          <dt>from now on</dt>
          <dd className={styles.what}>
            <Icon name="activity" />
            <span>
              <strong>Every request is kept</strong> in one file on this server: tokens, speed, errors. What
              ran before comes along as far as the host remembers.
            </span>
          </dd>
        </div>
      </dl>
      <ul className={styles.promises}>
        {[
          'Watching only reads',
          'No prompt is ever sent by itself',
          'Keys and history stay on this server',
        ].map((promise) => (
          <li key={promise}>
            <svg aria-hidden="true">
              <use href="#g-succeeded" />
            </svg>
            {promise}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
