import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** Certificate chain and private key, PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads both files and proves that they belong together; throws an `Error` that says which is at fault. */
export function readTlsFiles(files: { readonly certFile: string; readonly keyFile: string }): TlsFiles {
  const cert = readPem(files.certFile, 'certificate');
  const key = readPem(files.keyFile, 'key');
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Error(`${files.certFile} and ${files.keyFile} do not belong together or are no PEM files`, {
      cause,
    });
  }
  return { cert, key };
}

function readPem(path: string, what: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the TLS ${what} cannot be read: ${why}`, { cause });
  }
}
