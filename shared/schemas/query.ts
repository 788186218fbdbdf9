import * as z from 'zod/mini';

/** A whole number as it stands in an address. Not coerced: `from=` is a mistake, not the year 1970. */
export const wholeNumber = z.pipe(
  z.union([z.number(), z.pipe(z.string().check(z.regex(/^-?[0-9]{1,16}$/)), z.transform(Number))], {
    error: 'must be a whole number',
  }),
  z.int(),
);
