import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('one value has one text, whatever the order of its names', () => {
  const text = '{"a":[1,{"c":null,"d":"ü"}],"b":true}';
  expect(canonicalJson({ b: true, a: [1, { d: 'ü', c: null }] })).toBe(text);
  expect(canonicalJson({ a: [1, { c: null, d: 'ü' }], b: true, e: undefined })).toBe(text);
  expect(JSON.parse(text)).toEqual({ a: [1, { c: null, d: 'ü' }], b: true });
});

test('what JSON cannot say is refused', () => {
  expect(() => canonicalJson({ a: Number.NaN })).toThrow(TypeError);
  expect(() => canonicalJson(Infinity)).toThrow(TypeError);
});
