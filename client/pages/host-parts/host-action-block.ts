import type { Host } from '#shared/schemas/host.ts';

interface HostActionContext {
  readonly host: Pick<Host, 'managedByFile' | 'demo'>;
  readonly isAdmin: boolean;
  readonly isLive: boolean;
}

/** Why a host cannot be changed from this device now, in words; null when it can. */
export function hostActionBlock({ host, isAdmin, isLive }: HostActionContext): string | null {
  if (host.managedByFile) return 'Set in drover.yaml';
  if (!isAdmin) return 'Admins only';
  if (!isLive) return 'This needs the collector';
  if (host.demo) return 'Part of the demo fleet';
  return null;
}
