/**
 * The lines of a log's tail that were not in it when it was read before: a tail loses lines at its beginning and gets
 * others at its end. All of them where the two do not meet.
 */
export function unseenLines(before: readonly string[], lines: readonly string[]): readonly string[] {
  for (let lost = 0; lost < before.length; lost += 1) {
    const kept = before.length - lost;
    if (kept > lines.length) continue;
    if (lines[0] === before[lost] && before.slice(lost).every((line, index) => line === lines[index])) {
      return lines.slice(kept);
    }
  }
  return lines;
}
