import type { DocKind } from '#sync/doc-name.ts';
import type { HealthCheck } from '#shared/schemas/info.ts';
import type { HostedDocument } from './hosted-document.ts';

/** Bytes past which a document is too large for a phone to take at once. */
const ALARM_BYTES: Readonly<Record<DocKind, number>> = { fleet: 1024 * 1024, tail: 256 * 1024 };

const REMEDIES: Readonly<Record<DocKind, string>> = {
  fleet: 'Remove hosts that are gone, or list fewer models on the hosts with the most.',
  tail: 'This shrinks by itself within a minute; report it when it does not.',
};

/** One check per document that is over its bound; none when all are within. */
export function documentHealth(documents: Readonly<Record<DocKind, HostedDocument>>): HealthCheck[] {
  const kinds: readonly DocKind[] = ['fleet', 'tail'];
  return kinds.flatMap((kind): HealthCheck[] => {
    const bytes = documents[kind].sizeBytes();
    if (bytes <= ALARM_BYTES[kind]) return [];
    const detail = `The ${kind} document has ${Math.round(bytes / 1024)} KB; its bound is ${ALARM_BYTES[kind] / 1024} KB.`;
    return [{ name: `document-${kind}`, state: 'warn', detail, remediation: REMEDIES[kind] }];
  });
}
