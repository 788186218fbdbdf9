import { deferred } from './deferred.tsx';

interface ToastContent {
  readonly title: string;
  readonly detail?: string;
  /** One way on. */
  readonly action?: { readonly label: string; readonly act: () => void };
  /** A failure that nobody waits for must not interrupt what is read out. */
  readonly isPolite?: boolean;
}

/** A toast that was asked for. */
export interface ToastRequest extends ToastContent {
  readonly kind: 'done' | 'failed' | 'offer';
  /** The same id is shown once. */
  readonly id?: string;
}

/** Asked for before what shows them was loaded; nothing is lost. */
const waiting: ToastRequest[] = [];
let taker: ((request: ToastRequest) => void) | null = null;

/** Says in passing that something was done. Not for what the page shows anyway. */
export function showToast(content: ToastContent): void {
  ask({ ...content, kind: 'done' });
}

/** Says that something failed; stays until it is closed. */
export function showFailure(content: ToastContent): void {
  ask({ ...content, kind: 'failed' });
}

/** Offers one action, such as starting a new version; stays until closed. The same id is shown once. */
export function showOffer(
  offer: Omit<ToastContent, 'action'> & {
    readonly id: string;
    readonly action: string;
    readonly onAction: () => void;
  },
): void {
  const { action, onAction, ...content } = offer;
  ask({ ...content, kind: 'offer', action: { label: action, act: onAction } });
}

/** Takes what was asked for and what will be; the returned function ends it. */
export function takeToasts(take: (request: ToastRequest) => void): () => void {
  taker = take;
  for (const request of waiting.splice(0)) take(request);
  return () => {
    taker = null;
  };
}

/** Where toasts appear; once, beside the page. */
export const Toasts = deferred<object>(async () => (await import('./toast-host.tsx')).ToastHost, false);

function ask(request: ToastRequest): void {
  if (taker === null) waiting.push(request);
  else taker(request);
}
