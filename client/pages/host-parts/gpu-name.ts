/** What vendors put before the name by which people know a card. */
const VENDOR =
  /\b(?:NVIDIA|GeForce|Quadro|AMD|Radeon|ATI|Apple|Intel|Corporation|Graphics)\b|\((?:R|TM|C)\)/gi;

/** `RTX 3090` of `NVIDIA GeForce RTX 3090`; the whole name where nothing else stands in it. */
export function shortGpuName(name: string): string {
  const short = name.replace(VENDOR, ' ').replace(/\s+/g, ' ').trim();
  return short === '' ? name.trim() || 'GPU' : short;
}

/** Apple's cards have no memory of their own, and their hosts are too old or too new to say so. */
export function isUnifiedByName(name: string): boolean {
  return /^Apple\b/i.test(name);
}
