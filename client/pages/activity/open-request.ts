import type { CaptureKey } from '#shared/schemas/capture.ts';

/** A request's identity as the address of the page holds it. */
export function openText({ hostId, idEpoch, id }: CaptureKey): string {
  return `${hostId}.${idEpoch}.${id}`;
}

/** Reads {@link openText}; null for anything else. */
export function readOpen(text: string | undefined): CaptureKey | null {
  const found = /^([a-z0-9][a-z0-9-]{0,31})\.(\d{1,9})\.(\d{1,15})$/.exec(text ?? '');
  return found ? { hostId: found[1] ?? '', idEpoch: Number(found[2]), id: Number(found[3]) } : null;
}
