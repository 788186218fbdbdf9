import type { LogLine } from '../../data/logs/log-board.ts';
import { showFailure, showToast } from '../../ui/toast.tsx';
import { plural } from '../../ui/format.ts';
import { linesAsText } from './log-view.ts';

/** Puts the lines into the clipboard, which exists only on https. */
export async function copyLines(lines: readonly LogLine[]): Promise<void> {
  try {
    if (!('clipboard' in navigator)) throw new Error('The browser gives the clipboard to https pages only.');
    await navigator.clipboard.writeText(linesAsText(lines));
    showToast({ title: `Copied ${plural(lines.length, 'line')}` });
  } catch (error) {
    showFailure({
      title: 'Nothing was copied',
      detail: error instanceof Error ? error.message : String(error),
    });
  }
}

/** Saves lines as a file; what has to be fetched for it may not come. */
export async function downloadLines(read: () => Promise<readonly LogLine[]>, name: string): Promise<void> {
  try {
    const url = URL.createObjectURL(new Blob([linesAsText(await read())], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `drover-${name.replaceAll(/[^\w.-]+/g, '_')}.log`;
    link.click();
    URL.revokeObjectURL(url);
  } catch (error) {
    showFailure({
      title: 'Nothing was saved',
      detail: error instanceof Error ? error.message : String(error),
    });
  }
}
