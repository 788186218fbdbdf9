import type { CaptureBody } from '#shared/schemas/capture.ts';
import styles from './body-view.module.css';
import { bodyNote, prettyJson } from './inspector-view.ts';
import { JsonView } from './json-view.tsx';

/** Characters of a block of raw text. */
const BLOCK_CHARS = 8_000;

interface BodyViewProps {
  readonly body: CaptureBody;
  readonly side: 'request' | 'answer';
}

/** A body as it was: JSON laid out, anything else as its text; what is not here of it is said above. */
export function BodyView({ body, side }: BodyViewProps) {
  const note = bodyNote(body, side);
  const json = body.kind === 'text' ? prettyJson(body.text) : null;
  const label = side === 'request' ? 'Request body' : 'Response body';
  return (
    <>
      {note === null ? null : <p className={styles.note}>{note}</p>}
      {body.kind !== 'text' ? null : json === null ? (
        <RawText text={body.text} label={label} />
      ) : (
        <JsonView text={json} label={label} />
      )}
    </>
  );
}

function RawText({ text, label }: { readonly text: string; readonly label: string }) {
  const blocks = Array.from({ length: Math.ceil(text.length / BLOCK_CHARS) }, (_, block) =>
    text.slice(block * BLOCK_CHARS, (block + 1) * BLOCK_CHARS),
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so a keyboard has to get there
    <pre className={styles.raw} tabIndex={0} aria-label={label}>
      {blocks.map((block, index) => (
        <code key={index}>{block}</code>
      ))}
    </pre>
  );
}
