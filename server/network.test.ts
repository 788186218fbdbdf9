import { expect, it } from 'vitest';
import { isOwnAddress } from './domain/host-address.ts';
import { lanUrl, localUrl, ownAddresses } from './network.ts';

it('names the address a browser on this machine opens', () => {
  expect(localUrl('http', '127.0.0.1', 9503)).toBe('http://127.0.0.1:9503');
  expect(localUrl('https', '0.0.0.0', 1)).toBe('https://127.0.0.1:1');
  expect(localUrl('http', '::1', 1)).toBe('http://[::1]:1');
});

it('knows when no other machine can connect', () => {
  expect(lanUrl('http', '127.0.0.1', 1)).toBeNull();
  expect(lanUrl('http', 'localhost', 1)).toBeNull();
  expect(lanUrl('http', '::1', 1)).toBeNull();
  expect(lanUrl('http', '192.168.1.9', 1)).toBe('http://192.168.1.9:1');
});

it('recognises this server under all its names, at its port only', () => {
  const own = ownAddresses('0.0.0.0', 9503, 'https://drover.example.org');
  for (const url of [
    'http://localhost:9503',
    'http://LOCALHOST:9503/ui',
    'https://127.0.0.1:9503',
    'http://127.8.8.8:9503',
    'http://[::1]:9503',
    'https://drover.example.org/',
  ]) {
    expect(`${url} ${isOwnAddress(url, own)}`).toBe(`${url} true`);
  }
  for (const url of ['http://localhost:8080', 'http://attic.lan:9503', 'http://drover.example.org']) {
    expect(`${url} ${isOwnAddress(url, own)}`).toBe(`${url} false`);
  }
});
