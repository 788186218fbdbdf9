/** The smallest sample that `share` (0 to 1) of all samples do not exceed; NaN without samples. */
export function percentile(samples: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(samples).sort();
  const index = Math.max(0, Math.ceil(sorted.length * share) - 1);
  return sorted[index] ?? Number.NaN;
}

/** The largest sample; NaN without samples. */
export function largest(samples: readonly number[]): number {
  return samples.reduce((a, b) => Math.max(a, b), samples[0] ?? Number.NaN);
}
