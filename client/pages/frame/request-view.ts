import type { PairingRequest } from '#shared/schemas/pairing.ts';
import { formatMoment } from '../../ui/format.ts';

const SYSTEMS = [
  [/iPad/, 'iPad'],
  [/iPhone/, 'iPhone'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
] as const;

/** In this order: most browsers claim to be several others too. */
const BROWSERS = [
  [/(?:Edg|EdgA|EdgiOS)\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/SamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)\S* .*Safari/, 'Safari'],
] as const;

/** System and browser by what the browser says of itself: `Android, Chrome 148`. */
export function browserWords(userAgent: string): string {
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const browser = BROWSERS.map(([pattern, name]) => {
    const version = pattern.exec(userAgent)?.[1];
    return version === undefined ? null : `${name} ${version}`;
  }).find((words) => words !== null);
  const known = [system, browser].filter((part) => part !== null && part !== undefined);
  if (known.length > 0) return known.join(', ');
  // Something else is shown as it calls itself: a script that asks to be let in must not look like a phone.
  return userAgent === '' ? 'a browser that does not name itself' : userAgent.slice(0, 60);
}

/** Where a request comes from: `with your code, 14:10, from 192.168.1.44, Android, Chrome 148`. */
export function requestWords(request: PairingRequest, ownLabel: string | null, now: number): string {
  const code = request.madeBy === ownLabel ? 'your code' : `a code of ${request.madeBy}`;
  return `with ${code}, ${formatMoment(request.at, now)}, from ${request.address}, ${browserWords(request.userAgent)}`;
}
