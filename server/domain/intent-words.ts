/** `2 requests were running`, with what is not known said as such. */
export function requestsWereRunning(count: number | null): string {
  if (count === null) return 'how many requests were running is not known';
  return count === 1 ? '1 request was running' : `${count} requests were running`;
}

/** `2 requests run there`: the same of now. */
export function requestsRunning(count: number | null): string {
  if (count === null) return 'how many requests run there is not known';
  return count === 1 ? '1 request runs there' : `${count} requests run there`;
}

/** A span as people say it: `280 ms`, `4 s`, `12 min`, `3 h`, `2 days`. */
export function spanWords(durationMs: number): string {
  if (durationMs > 0 && durationMs < 1000) return `${Math.ceil(durationMs)} ms`;
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** `a`, `a and b`, `a, b and 3 more`. */
export function listWords(names: readonly string[], max = 3): string {
  const shown = names.slice(0, max);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  const last = shown.at(-1) ?? 'nothing';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** A detail of the host's as the end of a sentence: one line, no full stop, bounded. */
export function clipDetail(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.\s]+$/, '');
  return line.length > 200 ? `${line.slice(0, 199).toWellFormed()}…` : line;
}
