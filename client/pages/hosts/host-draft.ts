import type { HostCreate, HostPatch } from '#shared/schemas/host-input.ts';
import { hostCreate, hostPatch } from '#shared/schemas/host-input.ts';
import type { ApiError } from '../../data/types.ts';

/** How the key of a draft is given. `keep` and `none` exist only for a host that is there already. */
export type KeyMode = 'keep' | 'typed' | 'env' | 'none';

/** What stands in the fields of the host form. */
export interface HostDraft {
  readonly url: string;
  readonly label: string;
  readonly keyMode: KeyMode;
  readonly key: string;
  readonly envName: string;
}

/** Fields that can be wrong, and `form` for everything that belongs to none. */
export type DraftProblems = Readonly<Partial<Record<'url' | 'label' | 'key' | 'form', string>>>;

/** A body that may be sent, or what is wrong with the draft. */
export type Checked<T> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly problems: DraftProblems };

/** The key of a draft as the API takes it. */
export function keyFields(draft: HostDraft): { readonly key?: string; readonly keyRef?: string } {
  if (draft.keyMode === 'typed' && draft.key !== '') return { key: draft.key };
  if (draft.keyMode === 'env' && draft.envName !== '') return { keyRef: `env:${draft.envName}` };
  return {};
}

/** Checks a draft of a new host with the rules the collector has. */
export function checkCreate(draft: HostDraft): Checked<HostCreate> {
  const parsed = hostCreate.safeParse({ label: draft.label, url: draft.url.trim(), ...keyFields(draft) });
  return parsed.success
    ? { ok: true, body: parsed.data }
    : { ok: false, problems: problemsOf(parsed.error.issues) };
}

/** Checks a draft of a known host; a key that was not touched is left out. */
export function checkPatch(draft: HostDraft): Checked<HostPatch> {
  const key = draft.keyMode === 'none' ? { key: null } : keyFields(draft);
  const parsed = hostPatch.safeParse({ label: draft.label, url: draft.url.trim(), ...key });
  return parsed.success
    ? { ok: true, body: parsed.data }
    : { ok: false, problems: problemsOf(parsed.error.issues) };
}

/** What the collector refused, at the fields it names. */
export function refusedFields(error: ApiError): DraftProblems {
  const problems = problemsOf(
    error.details.map((detail) => ({ path: detail.path.split(/[./]/), message: detail.message })),
  );
  return Object.keys(problems).length > 0 ? problems : { form: error.message };
}

function problemsOf(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): DraftProblems {
  const problems: { url?: string; label?: string; key?: string; form?: string } = {};
  for (const { path, message } of issues) {
    const field = fieldOf(path);
    problems[field] ??= message;
  }
  return problems;
}

function fieldOf(path: readonly PropertyKey[]): 'url' | 'label' | 'key' | 'form' {
  const name = path.at(-1);
  if (name === 'url' || name === 'label') return name;
  if (name === 'id') return 'label';
  return name === 'key' || name === 'keyRef' ? 'key' : 'form';
}
