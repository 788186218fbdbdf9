import { describe, expect, test } from 'vitest';
import type { HostDraft } from './host-draft.ts';
import { checkCreate, checkPatch, refusedFields } from './host-draft.ts';

const draft: HostDraft = {
  url: ' http://tern.lan:8080 ',
  label: 'tern',
  keyMode: 'typed',
  key: '',
  envName: '',
};

describe('a draft of a host', () => {
  test('without a key sends none', () => {
    expect(checkCreate(draft)).toEqual({ ok: true, body: { label: 'tern', url: 'http://tern.lan:8080' } });
  });

  test('with the name of a variable sends the reference', () => {
    const checked = checkCreate({ ...draft, keyMode: 'env', envName: 'TERN_KEY' });
    expect(checked).toMatchObject({ ok: true, body: { keyRef: 'env:TERN_KEY' } });
  });

  test('that is wrong says so at the field', () => {
    expect(checkCreate({ ...draft, url: 'tern', label: '' })).toMatchObject({
      ok: false,
      problems: { url: 'an address looks like http://box.lan:8080', label: 'a name is needed' },
    });
    expect(checkCreate({ ...draft, key: 'a b' })).toMatchObject({
      ok: false,
      problems: { key: expect.any(String) },
    });
  });

  test('of a known host leaves an untouched key out and removes it on demand', () => {
    expect(checkPatch({ ...draft, keyMode: 'keep' })).toEqual({
      ok: true,
      body: { label: 'tern', url: 'http://tern.lan:8080' },
    });
    expect(checkPatch({ ...draft, keyMode: 'none' })).toMatchObject({ ok: true, body: { key: null } });
  });
});

test('what the collector refused stands at its field, the rest at the form', () => {
  const refused = {
    ok: false,
    status: 400,
    code: 'bad_request',
    message: 'No.',
    retryAfterMs: null,
  } as const;
  expect(refusedFields({ ...refused, details: [{ path: 'body.url', message: 'bad' }] })).toEqual({
    url: 'bad',
  });
  expect(refusedFields({ ...refused, details: [] })).toEqual({ form: 'No.' });
});
