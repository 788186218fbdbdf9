/**
 * Stands in for `lib0/logging` in the built app: what Yjs says of its misuse goes to the console as it is, without the
 * colours, for which the original brings a DOM library.
 */
export const print = (...parts: readonly unknown[]): void => {
  console.log(...parts.filter((part) => typeof part !== 'symbol'));
};

/** See {@link print}. */
export const warn = (...parts: readonly unknown[]): void => {
  console.warn(...parts);
};

/** Colours, which {@link print} leaves out. */
export const ORANGE = Symbol('orange');
/** See {@link ORANGE}. */
export const RED = Symbol('red');
/** See {@link ORANGE}. */
export const BOLD = Symbol('bold');
/** See {@link ORANGE}. */
export const UNBOLD = Symbol('unbold');
