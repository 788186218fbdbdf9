import type { Host } from '#shared/schemas/host.ts';

/** Which log tells of a model: its own where the host has one (v218+), else what all models of the host write. */
export function logAddress(
  { id, features }: Pick<Host, 'id' | 'features'>,
  modelId: string,
): { readonly host: string; readonly model?: string; readonly source?: string } {
  return features.includes('model-logs') ? { host: id, model: modelId } : { host: id, source: 'upstream' };
}
