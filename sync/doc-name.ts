/** Documents a server offers; the outbox and the notes come with intents and notes. */
export type DocKind = 'fleet' | 'tail';

/** A parsed document name, such as `fleet@g3`. */
export interface DocName {
  readonly kind: DocKind;
  /** Generation, from 1: changes after a restore, a schema break or a rotation. */
  readonly generation: number;
}

/** `{kind:"fleet", generation:3}` → `fleet@g3`. */
export function formatDocName(name: DocName): string {
  return `${name.kind}@g${name.generation}`;
}

/** `fleet@g3` → its parts, or null for anything that is not a document name. */
export function parseDocName(text: string): DocName | null {
  const match = /^(fleet|tail)@g([1-9][0-9]{0,8})$/.exec(text);
  if (!match) return null;
  return { kind: match[1] === 'fleet' ? 'fleet' : 'tail', generation: Number(match[2]) };
}
