import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-line.tsx';
import { Icon } from '../../ui/icon.tsx';
import { InlineSvg } from '../../ui/inline-svg.tsx';
import { ListRow, RowList } from '../../ui/list-row.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import { useInstall } from '../../data/use-install.ts';
import type { FirstRunFacts } from './first-run-facts.ts';
import styles from './phone-card.module.css';

const WAYS = [
  ['A proxy with a real domain', undefined],
  ['Your own certificate', undefined],
  ['Plain http in the LAN', 'live view and actions; nothing offline'],
] as const;

/** The way to a phone: the code to scan once a phone can reach Drover, else the quickest way to get there. */
export function PhoneCard({ facts }: { readonly facts: FirstRunFacts | null }) {
  const install = useInstall();
  const phone = facts?.phone ?? null;
  return (
    <Panel
      title={
        <span className={styles.title}>
          <Icon name="phone" />
          On your phone
        </span>
      }
    >
      <PanelBody>
        {phone === null ? (
          <>
            <div className={styles.notYet}>
              <i className={styles.corner} />
              <i className={styles.corner} />
              <i className={styles.corner} />
              shown here once a phone can reach Drover
            </div>
            <p className={styles.words}>
              This page came from <code>{window.location.hostname}</code>, which no phone can reach, and
              offline use needs https. Quickest, on this machine:
            </p>
            <CopyLine
              text={`tailscale serve --bg ${facts?.port ?? window.location.port}`}
              label="Copy the command"
            />
            <p className={styles.words}>
              It prints an https address. Start Drover again with <code>DROVER_PUBLIC_URL</code> set to it,
              and open it: the code to scan is then shown here, and on the phone Drover can be installed.
            </p>
          </>
        ) : (
          <>
            <div className={styles.code}>
              <InlineSvg markup={phone.qrSvg} label={`QR code of ${phone.url}`} />
            </div>
            <p className={styles.words}>
              <code>{phone.url}</code>
              {phone.secure ? '' : ': live only, because it is not encrypted.'}
            </p>
          </>
        )}
        {install.state === 'available' ? (
          <Button onClick={() => void install.install()}>Install Drover here</Button>
        ) : null}
        {install.state === 'manual' ? (
          <p className={styles.words}>Keep it here: Share, then Add to Home Screen.</p>
        ) : null}
      </PanelBody>
      <RowList>
        {WAYS.map(([title, detail]) => (
          <li key={title} className={styles.more}>
            <Link to="/settings/$section" params={{ section: 'https' }}>
              <ListRow title={title} detail={detail} value={<Icon name="right" size="s" />} />
            </Link>
          </li>
        ))}
      </RowList>
    </Panel>
  );
}
