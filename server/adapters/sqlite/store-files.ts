import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StoreFiles } from '../../domain/ports.ts';

/** The files of the database at `path`. */
export function storeFiles(path: string): StoreFiles {
  return {
    sizeBytes() {
      const database = sizeOf(path);
      // What was written last is still in the log beside the file.
      return database === null ? null : database + (sizeOf(`${path}-wal`) ?? 0);
    },
    freeBytes: () => freeBytesAt(dirname(path)),
  };
}

/** When the database or its log was written last; null when there is none. */
export function newestWriteAt(path: string): number | null {
  const times = [path, `${path}-wal`].flatMap(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? [],
  );
  return times.length === 0 ? null : Math.max(...times);
}

/** Room on the disk of a folder, for the user who asks; null where that cannot be asked. */
export function freeBytesAt(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}
