const HIDDEN_DELAY_MS = 250;

/**
 * Returns a function that runs `task` once before the next paint, however often it is called until then. A hidden page
 * paints nothing, so there a timer runs it: the copy must go on even where nobody looks.
 */
export function frameBatch(task: () => void): () => void {
  let scheduled = false;
  return () => {
    if (scheduled) return;
    scheduled = true;
    let frame = 0;
    const run = (): void => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      scheduled = false;
      task();
    };
    const timer = setTimeout(run, HIDDEN_DELAY_MS);
    frame = requestAnimationFrame(run);
  };
}
