/** Puts text into the clipboard, which browsers give to secure pages only: on plain http the promise rejects. */
export async function copyText(text: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('The browser gives the clipboard to https pages only.');
  await navigator.clipboard.writeText(text);
}
