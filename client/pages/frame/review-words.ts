/** `Send 2, drop 1`: what comes of pressing it. */
export function sendWords(sent: number, dropped: number): string {
  if (dropped === 0) return sent === 1 ? 'Send it' : `Send all ${sent}`;
  if (sent === 0) return dropped === 1 ? 'Drop it' : `Drop all ${dropped}`;
  return `Send ${sent}, drop ${dropped}`;
}
