/**
 * The version of llama-swap as people write it: `250` and `v250` are both "v250"; anything else (`0`, `local_1a2b`,
 * `v250-3-gabc123`, `devel`, `main`) is shown as it is. Features are probed, never concluded from it.
 */
export function displayVersion(text: string): string {
  return /^\d{2,5}$/.test(text) ? `v${text}` : text;
}
