import type { LlamaSwapClient } from './ports.ts';

/** What a test of an address asks of a host, beyond what a connector does. */
export interface HostTestClient extends LlamaSwapClient {
  /** [] when the host does not say. */
  gpuNames(signal: AbortSignal): Promise<readonly string[]>;
  /** The instance header of a Drover's `/api/info`, asked without the key; null when no Drover answers. */
  droverInstance(signal: AbortSignal): Promise<string | null>;
  /** Cuts every connection. */
  close(): Promise<void>;
}
