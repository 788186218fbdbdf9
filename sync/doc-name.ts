/** Documents that the collector writes; the notes come with notes. */
export type DocKind = 'fleet' | 'tail';

/** A parsed document name, such as `fleet@g3`. */
export interface DocName {
  readonly kind: DocKind;
  /** Generation, from 1: changes after a restore, a schema break or a rotation. */
  readonly generation: number;
}

/** A parsed outbox name, such as `outbox:0199…@e2`: the one document that its owner writes. */
export interface OutboxName {
  readonly kind: 'outbox';
  /** Id of the device or API key that owns it. */
  readonly ownerId: string;
  /** Epoch, from 1: changes when the outbox is rotated, quarantined, or history was restored. */
  readonly epoch: number;
}

/** `{kind:"fleet", generation:3}` → `fleet@g3`. */
export function formatDocName(name: DocName): string {
  return `${name.kind}@g${name.generation}`;
}

/** `fleet@g3` → its parts, or null for anything that is not the name of a document of the collector. */
export function parseDocName(text: string): DocName | null {
  const match = /^(fleet|tail)@g([1-9][0-9]{0,8})$/.exec(text);
  if (!match) return null;
  return { kind: match[1] === 'fleet' ? 'fleet' : 'tail', generation: Number(match[2]) };
}

/** Owner and epoch → `outbox:<ownerId>@e<N>`. */
export function formatOutboxName(ownerId: string, epoch: number): string {
  return `outbox:${ownerId}@e${epoch}`;
}

/** `outbox:<ownerId>@e2` → its parts, or null for anything that is not the name of an outbox. */
export function parseOutboxName(text: string): OutboxName | null {
  const match = /^outbox:([A-Za-z0-9_-]{1,64})@e([1-9][0-9]{0,8})$/.exec(text);
  const ownerId = match?.[1];
  return ownerId === undefined ? null : { kind: 'outbox', ownerId, epoch: Number(match?.[2]) };
}
