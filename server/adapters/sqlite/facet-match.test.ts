import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FacetMatch } from './facet-match.ts';

test('holds exactly the ids that were added', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 })), (ids) => {
      const match = new FacetMatch();
      for (const id of ids) match.add(id);
      const unique = [...new Set(ids)].sort((a, b) => a - b);
      expect(match.ids()).toEqual(unique);
      expect(match.size).toBe(unique.length);
      expect(match.has(5001)).toBe(false);
    }),
  );
});
