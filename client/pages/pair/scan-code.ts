import { isSecure } from '../../data/environment.ts';
import { pairingCodeOf } from './pairing-code.ts';

/** The part of the browser's own reader that is used here; not every browser has one. */
interface CodeReader {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

declare global {
  var BarcodeDetector: (new (options: { readonly formats: readonly string[] }) => CodeReader) | undefined;
}

/** A look at the picture takes some milliseconds of a phone; a hand does not move faster than this. */
const LOOK_EVERY_MS = 200;

/** True where the browser reads codes itself and gives the camera to this address. */
export function canScan(): boolean {
  return isSecure && globalThis.BarcodeDetector !== undefined && 'mediaDevices' in navigator;
}

/** The pairing code that a scanned text holds: of a pairing link, or the text itself. Null: it is something else. */
export function scannedCode(text: string): string | null {
  const trimmed = text.trim();
  if (URL.canParse(trimmed)) return pairingCodeOf(new URL(trimmed).hash);
  return /^\S{4,64}$/.test(trimmed) ? trimmed : null;
}

/** Shows the camera in `video` until a pairing code is seen (its value) or `signal` is aborted (null). */
export async function scanWithCamera(video: HTMLVideoElement, signal: AbortSignal): Promise<string | null> {
  const Reader = globalThis.BarcodeDetector;
  if (Reader === undefined) return null;
  const reader = new Reader({ formats: ['qr_code'] });
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    if (signal.aborted) return null;
    video.srcObject = stream;
    await video.play();
    while (!signal.aborted) {
      const codes = await reader.detect(video);
      const code = codes.map(({ rawValue }) => scannedCode(rawValue)).find((found) => found !== null);
      if (code != null) return code;
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_EVERY_MS);
      });
    }
    return null;
  } finally {
    video.srcObject = null;
    for (const track of stream.getTracks()) track.stop();
  }
}
