import type { HostConfig } from '../domain/ports.ts';

/** A host's configuration with the given id. */
export function hostConfig(id: string, changes: Partial<HostConfig> = {}): HostConfig {
  return {
    id,
    label: id,
    url: `http://${id}.lan:8080`,
    paused: false,
    managedByFile: false,
    demo: false,
    keySource: null,
    ...changes,
  };
}
