import * as z from 'zod/mini';

/** One value or several: `?host=a&host=b`. Read as a list. */
export function oneOrMany<Schema extends z.ZodMiniType<string>>(schema: Schema) {
  return z.pipe(
    z.union([schema, z.array(schema).check(z.minLength(1), z.maxLength(50))]),
    z.transform((value): string[] => (Array.isArray(value) ? value : [value])),
  );
}

/** A switch as it stands in an address. */
export const flag = z.pipe(
  z.union([z.boolean(), z.literal(['true', 'false'])]),
  z.transform((value) => value === true || value === 'true'),
);

/** A whole number as it stands in an address. Not coerced: `from=` is a mistake, not the year 1970. */
export const wholeNumber = z.pipe(
  z.union([z.number(), z.pipe(z.string().check(z.regex(/^-?[0-9]{1,16}$/)), z.transform(Number))], {
    error: 'must be a whole number',
  }),
  z.int(),
);
