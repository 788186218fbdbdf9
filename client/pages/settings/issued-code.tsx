import type { PairingCodeIssued } from '#shared/schemas/pairing.ts';
import { CopyLine } from '../../ui/copy-line.tsx';
import { ExpiryRing } from '../../ui/expiry-ring.tsx';
import { InlineSvg } from '../../ui/inline-svg.tsx';
import styles from './issued-code.module.css';

interface IssuedCodeProps {
  readonly issued: PairingCodeIssued;
  readonly leftMs: number;
  readonly wholeMs: number;
}

/** A code to scan, to read aloud and to copy, and how long it is still good. */
export function IssuedCode({ issued, leftMs, wholeMs }: IssuedCodeProps) {
  const { host, hostname } = new URL(issued.url);
  const isLoopback = /^(localhost|127\.|\[::1\])/.test(hostname);
  return (
    <>
      <div className={styles.head}>
        <p className={styles.words}>Scan this with its camera, or type the code at {host}.</p>
        <ExpiryRing leftMs={leftMs} wholeMs={wholeMs} />
      </div>
      <div className={styles.qr}>
        <InlineSvg markup={issued.qrSvg} label={`QR code of ${issued.url}`} />
      </div>
      {isLoopback ? (
        <p className={styles.words}>
          Only a browser on the same machine reaches {hostname}: see Phone and https for the ways to a phone.
        </p>
      ) : null}
      <div className={styles.code}>
        <CopyLine text={issued.code} label="Copy the code" />
      </div>
    </>
  );
}
