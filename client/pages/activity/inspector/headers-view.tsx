import { REDACTED } from '#shared/lib/redact.ts';
import type { Capture, CaptureMessage } from '#shared/schemas/capture.ts';
import styles from './body-view.module.css';

/** The headers of both sides. */
export function HeadersView({ capture }: { readonly capture: Capture }) {
  return (
    <>
      <Headers title="Request" headers={capture.request.headers} />
      <Headers title="Response" headers={capture.response.headers} />
    </>
  );
}

function Headers({
  title,
  headers,
}: {
  readonly title: string;
  readonly headers: CaptureMessage['headers'];
}) {
  return (
    <>
      <h3 className={styles.title}>{title}</h3>
      {headers === null || headers.length === 0 ? (
        <p className={styles.note}>The host kept none.</p>
      ) : (
        <dl className={styles.headers}>
          {headers.map(({ name, value }, index) => (
            <div key={index} className={styles.header}>
              <dt>{name}</dt>
              <dd data-redacted={value === REDACTED}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
