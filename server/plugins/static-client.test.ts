import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildTestApp } from '../testing/build-test-app.ts';

const PAGE = '<!doctype html><title>Drover</title>';
const SCRIPT = 'export const answer = 42;\n'.repeat(200);

async function world() {
  // A folder above that is itself called `assets` must not make the page immutable.
  const root = join(mkdtempSync(join(tmpdir(), 'drover-client-')), 'assets');
  onTestFinished(() => rmSync(join(root, '..'), { recursive: true }));
  const clientDir = join(root, 'client');
  mkdirSync(join(clientDir, 'assets'), { recursive: true });
  writeFileSync(join(clientDir, 'index.html'), PAGE);
  writeFileSync(join(clientDir, 'sw.js'), SCRIPT);
  writeFileSync(join(clientDir, 'assets', 'app-Bx12.js'), SCRIPT);
  writeFileSync(join(clientDir, '.env'), 'SECRET=1');
  writeFileSync(join(root, 'outside.txt'), 'outside');
  const { app } = await buildTestApp({ clientDir });
  const open = (
    url: string,
    headers: Record<string, string> = { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
  ) => app.inject({ url, headers });
  return { app, clientDir, open };
}

describe('the client', () => {
  it('gives the page to a service worker that fetches it by name', async () => {
    const { app } = await world();
    const headers = { accept: '*/*', 'sec-fetch-mode': 'cors' };
    const { statusCode, body } = await app.inject({ url: '/index.html?__WB_REVISION__=1', headers });
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: PAGE });
  });

  it('answers every address a person opens with the page, asked for again each time', async () => {
    const { open } = await world();
    for (const url of ['/', '/index.html', '/activity?hostId=attic', '/hosts/attic']) {
      const { statusCode, body, headers } = await open(url);
      expect({
        url,
        statusCode,
        body,
        caching: headers['cache-control'],
        type: headers['content-type'],
      }).toEqual({
        url,
        statusCode: 200,
        body: PAGE,
        caching: 'no-cache',
        type: 'text/html; charset=utf-8',
      });
    }
  });

  it('keeps what is named by its content for ever, and nothing else', async () => {
    const { open } = await world();
    const asset = await open('/assets/app-Bx12.js', {});
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
    });
    expect((await open('/sw.js', {})).headers['cache-control']).toBe('no-cache');
  });

  it('is sent compressed to who takes it', async () => {
    const { open } = await world();
    const reply = await open('/assets/app-Bx12.js', { 'accept-encoding': 'gzip, br' });
    expect(reply.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(reply.rawPayload).toString()).toBe(SCRIPT);
  });

  it('is sent as the build compressed it, under the name and for the time of what it holds', async () => {
    const { clientDir, open } = await world();
    const packed = brotliCompressSync(SCRIPT);
    writeFileSync(join(clientDir, 'assets', 'app-Bx12.js.br'), packed);
    const reply = await open('/assets/app-Bx12.js', { 'accept-encoding': 'gzip, br' });
    expect(reply.rawPayload.equals(packed)).toBe(true);
    expect(reply.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect((await open('/assets/app-Bx12.js', {})).body).toBe(SCRIPT);
  });

  it('is no answer to a missing file, a script, an API call, or a way out of its folder', async () => {
    const { open } = await world();
    expect((await open('/assets/old-Ax11.js')).statusCode).toBe(404);
    expect((await open('/favicon.ico', { accept: 'image/*' })).statusCode).toBe(404);
    expect((await open('/hosts', { accept: 'text/html', 'sec-fetch-mode': 'cors' })).statusCode).toBe(404);
    expect((await open('/api/nothing')).json()).toMatchObject({ error: { code: 'not_found' } });
    for (const url of [
      '/../outside.txt',
      '/%2e%2e/outside.txt',
      '/..%2foutside.txt',
      '/.env',
      '/assets/..%5c.env',
    ]) {
      expect(`${url} ${(await open(url)).body}`).not.toMatch(/ .*(outside|SECRET)/);
    }
  });

  it('says what to do when it is not built', async () => {
    const { app } = await buildTestApp();
    const reply = await app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(reply.statusCode).toBe(503);
    expect(reply.body).toContain('npm run build');
  });

  it('runs under a policy without inline code, and over http without what breaks it there', async () => {
    const { open } = await world();
    const { headers } = await open('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|upgrade-insecure|\*|https?:/);
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('cross-origin-opener-policy');
    expect(headers).not.toHaveProperty('origin-agent-cluster');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });
});
