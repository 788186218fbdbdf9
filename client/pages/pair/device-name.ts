const DEVICES = [
  [/iPad/, 'ipad'],
  [/iPhone/, 'iphone'],
  [/Android.*Mobile/, 'android-phone'],
  [/Android/, 'android-tablet'],
  [/CrOS/, 'chromebook'],
  [/Macintosh|Mac OS X/, 'mac'],
  [/Windows/, 'windows-pc'],
  [/Linux/, 'linux-pc'],
] as const;

/** A name to start from, by what the browser says it runs on. */
export function defaultDeviceName(userAgent: string): string {
  return DEVICES.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'browser';
}
