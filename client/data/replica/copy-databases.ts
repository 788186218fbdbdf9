import {
  deleteDatabase,
  deleteDatabases,
  documentDatabaseName,
  QUEUE_DATABASE,
} from './document-database.ts';

/** Current document names, as `GET /api/info` gives them. */
export interface DocumentNames {
  readonly fleet: string;
  readonly tail: string;
}

/** Name of the database of sealed segments; they do not depend on a document's generation. */
export function segmentDatabaseName(deviceId: string): string {
  return documentDatabaseName(deviceId, 'segments');
}

/** Name of the database of logs that were opened; a new generation of documents changes nothing in it. */
export function logDatabaseName(deviceId: string): string {
  return documentDatabaseName(deviceId, 'logs');
}

/** Name of the database of captures that were opened. */
export function captureDatabaseName(deviceId: string): string {
  return documentDatabaseName(deviceId, 'captures');
}

/** Databases that belong to a device's current copy. */
export function databaseNames(deviceId: string, names: DocumentNames): readonly string[] {
  return [
    documentDatabaseName(deviceId, names.fleet),
    documentDatabaseName(deviceId, names.tail),
    segmentDatabaseName(deviceId),
    logDatabaseName(deviceId),
    captureDatabaseName(deviceId),
  ];
}

/** Takes the captures off a device that may not read them any more. */
export async function deleteCaptures(deviceId: string): Promise<void> {
  await deleteDatabase(captureDatabaseName(deviceId)).catch(() => undefined);
}

/** Copies of earlier generations and devices are of no use to anybody; what was queued under them is. */
export async function deleteOtherCopies(deviceId: string, names: DocumentNames): Promise<void> {
  const keep = new Set([...databaseNames(deviceId, names), QUEUE_DATABASE]);
  await deleteDatabases((name) => keep.has(name)).catch(() => undefined);
}
