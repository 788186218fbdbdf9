/** What fingers and a wheel ask for. */
export interface GestureListener {
  /** A finger lies at this moment. */
  readonly onTouch: (at: number) => void;
  /** Below 1 nearer, above 1 farther, around a moment. */
  readonly onZoom: (step: { readonly factor: number; readonly at: number }) => void;
  /** Later by so much; below 0 earlier. */
  readonly onPan: (byMs: number) => void;
}

/** Where pixels of a plot lie in time. */
export interface GestureScale {
  readonly momentAt: (px: number) => number;
  readonly msPerPx: () => number;
}

const WHEEL_ZOOM = 0.01;
const MAX_WHEEL_STEP = 50;

/**
 * One finger reads values, two pinch and move; a wheel zooms with Ctrl (what a pinch on a trackpad is to a browser) and
 * moves sideways or with Shift, so that an ordinary one still scrolls the page. Returns the way to stop.
 */
export function listenToGestures(
  element: HTMLElement,
  { momentAt, msPerPx }: GestureScale,
  listener: GestureListener,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  /** Horizontal places of the fingers that lie on it. */
  const fingers = new Map<number, number>();
  let dragAt: number | null = null;
  const place = (event: PointerEvent | WheelEvent): number =>
    event.clientX - element.getBoundingClientRect().left;

  element.addEventListener(
    'wheel',
    (event) => {
      const { ctrlKey, shiftKey, deltaX, deltaY } = event;
      const sideways = shiftKey && deltaX === 0 ? deltaY : deltaX;
      if (ctrlKey) {
        const step = Math.max(-MAX_WHEEL_STEP, Math.min(MAX_WHEEL_STEP, deltaY));
        listener.onZoom({ factor: Math.exp(step * WHEEL_ZOOM), at: momentAt(place(event)) });
      } else if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) listener.onPan(sideways * msPerPx());
      else return;
      event.preventDefault();
    },
    { passive: false, signal },
  );

  element.addEventListener(
    'pointerdown',
    (event) => {
      if (event.pointerType === 'touch') {
        fingers.set(event.pointerId, place(event));
        if (fingers.size === 1) listener.onTouch(momentAt(place(event)));
      } else if (event.shiftKey && event.button === 0) {
        dragAt = place(event);
        element.setPointerCapture(event.pointerId);
      }
    },
    { signal },
  );

  element.addEventListener(
    'pointermove',
    (event) => {
      const at = place(event);
      if (dragAt !== null) {
        listener.onPan((dragAt - at) * msPerPx());
        dragAt = at;
        return;
      }
      if (!fingers.has(event.pointerId)) return;
      const before = [...fingers.values()];
      fingers.set(event.pointerId, at);
      const after = [...fingers.values()];
      if (after.length === 1) listener.onTouch(momentAt(at));
      if (after.length === 2) pinch(before, after, { momentAt, msPerPx }, listener);
    },
    { signal },
  );

  const lift = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    dragAt = null;
  };
  for (const name of ['pointerup', 'pointercancel'] as const)
    element.addEventListener(name, lift, { signal });
  return () => stop.abort();
}

function pinch(
  before: readonly number[],
  after: readonly number[],
  { momentAt, msPerPx }: GestureScale,
  listener: GestureListener,
): void {
  const [a = 0, b = 0] = before;
  const [c = 0, d = 0] = after;
  const apart = Math.max(1, Math.abs(c - d));
  const factor = Math.max(0.5, Math.min(2, Math.max(1, Math.abs(a - b)) / apart));
  listener.onPan(((a + b) / 2 - (c + d) / 2) * msPerPx());
  if (factor !== 1) listener.onZoom({ factor, at: momentAt((c + d) / 2) });
}
