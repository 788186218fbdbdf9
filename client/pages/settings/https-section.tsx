import { isSecure } from '../../data/environment.ts';
import { CopyLine } from '../../ui/copy-line.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Panel, PanelBody } from '../../ui/panel.tsx';
import styles from './https-section.module.css';
import { Section } from './section.tsx';

/** The three ways to an encrypted address: without one a phone keeps nothing offline. */
export function HttpsSection() {
  const port = window.location.port === '' ? '9503' : window.location.port;
  return (
    <Section title="Phone and https">
      <Panel label="This address">
        <PanelBody>
          <p className={styles.state}>
            <Glyph name={isSecure ? 'succeeded' : 'needs-confirmation'} hue={isSecure ? 'ready' : 'warn'} />
            <span>
              <code>{window.location.origin}</code>{' '}
              {isSecure
                ? 'counts as secure: this device can open Drover without a network and install it.'
                : 'is not encrypted: live view and actions work, offline use and installing do not.'}
            </span>
          </p>
          <p className={styles.note}>
            A phone needs https. Browsers allow a copy on the device, the installed app and push messages only
            from an encrypted address; 127.0.0.1 on the server itself is the one exception.
          </p>
        </PanelBody>
      </Panel>
      <Panel title="1. Tailscale, quickest">
        <PanelBody>
          <p className={styles.note}>On the server, with the phone in the same tailnet:</p>
          <CopyLine text={`tailscale serve --bg ${port}`} label="Copy the command" />
          <p className={styles.note}>
            It prints an https address with a real certificate. Tell Drover its name, so that its origin is
            accepted:
          </p>
          <CopyLine
            text="DROVER_PUBLIC_URL=https://box.tailnet.ts.net npm start"
            label="Copy the start command"
          />
        </PanelBody>
      </Panel>
      <Panel title="2. A proxy with a real domain">
        <PanelBody>
          <p className={styles.note}>With Caddy, which gets and renews the certificate by itself:</p>
          <CopyLine
            text={`drover.example.org { reverse_proxy 127.0.0.1:${port} }`}
            label="Copy the Caddyfile"
          />
          <p className={styles.note}>
            Start Drover with <code>DROVER_PUBLIC_URL=https://drover.example.org</code> and{' '}
            <code>DROVER_TRUST_PROXY=true</code>. The proxy must pass WebSockets on; Caddy does.
          </p>
        </PanelBody>
      </Panel>
      <Panel title="3. Your own certificate">
        <PanelBody>
          <p className={styles.note}>A certificate the phone trusts, for the name it opens:</p>
          <CopyLine
            text="DROVER_HOST=0.0.0.0 DROVER_TLS_CERT=cert.pem DROVER_TLS_KEY=key.pem npm start"
            label="Copy the start command"
          />
          <p className={styles.note}>
            One that the phone has to be told to trust must be installed on it first.
          </p>
        </PanelBody>
      </Panel>
    </Section>
  );
}
