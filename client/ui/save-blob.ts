/** Has the browser save a file. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download has taken the blob by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
