/** Returns `value`, or throws when it is null or undefined; `what` names it in the message. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`missing: ${what}`);
  return value;
}

/** Ends an exhaustive switch: a case that is missing does not compile, and one that arrives anyway throws. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
