import { FrameReader, type SseFrame } from '#shared/completion/read-frames.ts';
import type { CaptureBody } from '#shared/schemas/capture.ts';
import styles from './body-view.module.css';
import { bodyNote } from './inspector-view.ts';

const BLOCK_FRAMES = 50;

/** The frames of a streamed answer as they came, numbered. */
export function FramesView({ body }: { readonly body: CaptureBody }) {
  const note = bodyNote(body, 'answer');
  const frames = body.kind === 'text' ? readFrames(body.text) : [];
  const blocks = Array.from({ length: Math.ceil(frames.length / BLOCK_FRAMES) }, (_, block) => block);
  return (
    <>
      {note === null ? null : <p className={styles.note}>{note}</p>}
      <ol className={styles.frames}>
        {blocks.map((block) => (
          <li key={block} className={styles.block}>
            <ol>
              {frames.slice(block * BLOCK_FRAMES, (block + 1) * BLOCK_FRAMES).map((frame, index) => (
                <li key={index} className={styles.frame}>
                  <span className={styles.number}>{block * BLOCK_FRAMES + index + 1}</span>
                  <span className={styles.data}>
                    {frame.event === null ? null : <span className={styles.event}>{frame.event} </span>}
                    {frame.data}
                  </span>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </>
  );
}

function readFrames(text: string): readonly SseFrame[] {
  const frames: SseFrame[] = [];
  const reader = new FrameReader((frame) => frames.push(frame));
  reader.push(text);
  reader.end();
  return frames;
}
