import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig, settingsHelp, type Config } from './config.ts';

function workingDirectory(droverYaml?: string): string {
  const cwd = mkdtempSync(join(tmpdir(), 'drover-config-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  if (droverYaml !== undefined) writeFileSync(join(cwd, 'drover.yaml'), droverYaml);
  return cwd;
}

function load(argv: string[], env: Record<string, string> = {}, cwd = workingDirectory()) {
  return loadConfig({ argv, env, cwd });
}

function config(argv: string[], env: Record<string, string> = {}, cwd?: string): Config {
  const result = load(argv, env, cwd);
  if (result.kind !== 'config') throw new Error(JSON.stringify(result));
  return result.config;
}

function problems(argv: string[], env: Record<string, string> = {}, cwd?: string): string {
  const result = load(argv, env, cwd);
  return result.kind === 'invalid' ? result.problems.join('\n') : `not invalid: ${result.kind}`;
}

describe('settings', () => {
  it('have defaults that need nothing', () => {
    const cwd = workingDirectory();
    expect(config([], {}, cwd)).toEqual({
      dataDir: join(cwd, 'data'),
      host: '127.0.0.1',
      port: 9503,
      publicUrl: null,
      trustProxy: false,
      tls: null,
      pairingCode: null,
      demo: false,
      configFile: null,
      fileHosts: [],
      retention: { activityDays: 365, perfRawHours: 48, perfRollupDays: 90, modelEventDays: 365 },
      captures: { maxCaptureKb: 256, maxTotalMb: 50, redact: [] },
      logs: { keepMb: 0 },
    });
  });

  it('come from the flag, else the environment, else the file', () => {
    const cwd = workingDirectory('server: { port: 1, host: "::1", publicUrl: "https://drover.lan/" }');
    const read = config(['--port', '3'], { DROVER_PORT: '2', DROVER_HOST: '0.0.0.0' }, cwd);
    expect(read).toMatchObject({ port: 3, host: '0.0.0.0', publicUrl: 'https://drover.lan' });
    expect(config([], { DROVER_PORT: '' }, cwd).port).toBe(1);
  });

  it('look for drover.yaml in the data directory first, and nowhere else when one is named', () => {
    const cwd = workingDirectory('server: { port: 1 }');
    const dataDir = workingDirectory('server: { port: 2 }');
    expect(config(['--data-dir', dataDir], {}, cwd).port).toBe(2);
    expect(config(['--data-dir', dataDir, '--config', 'drover.yaml'], {}, cwd).port).toBe(1);
    expect(problems([], { DROVER_CONFIG: 'missing.yaml' }, cwd)).toContain('missing.yaml: cannot be read');
  });

  it('refuse what does not fit instead of falling back', () => {
    expect(problems(['--colour', 'red'])).toContain('--colour');
    expect(problems(['serve'])).toContain('serve');
    expect(problems(['--port', '65536'])).toContain('--port');
    expect(problems([], { DROVER_PORT: 'http' })).toBe('DROVER_PORT: a port is a number');
    expect(problems([], { DROVER_PAIRING_CODE: 'short' })).toContain('6 to 64');
    expect(problems([], { DROVER_PUBLIC_URL: 'https://a.lan/drover' })).toContain('origin');
    expect(problems([], { DROVER_TRUST_PROXY: 'maybe' })).toContain('DROVER_TRUST_PROXY');
    expect(problems(['--tls-cert', 'cert.pem'])).toContain('both');
  });

  it('read proxies as yes, no, or addresses', () => {
    const trust = (text: string) => config([], { DROVER_TRUST_PROXY: text }).trustProxy;
    expect(trust('1')).toBe(true);
    expect(trust('false')).toBe(false);
    expect(trust('loopback, 10.0.0.0/8,fd00::/8')).toEqual(['loopback', '10.0.0.0/8', 'fd00::/8']);
    expect(problems([], { DROVER_TRUST_PROXY: '10.0.0.0/99' })).toContain('DROVER_TRUST_PROXY');
  });

  it('say what they are', () => {
    expect(load(['--help']).kind).toBe('help');
    expect(settingsHelp()).toContain('DROVER_PUBLIC_URL');
  });
});

describe('drover.yaml', () => {
  it('keeps as many log lines as it says', () => {
    expect(config([], {}, workingDirectory('logs: { keepMb: 200 }')).logs).toEqual({ keepMb: 200 });
  });

  it('takes limits of captures and patterns of what is secret in them', () => {
    const read = config([], {}, workingDirectory('captures: { redact: ["acme-[0-9]+"], maxTotalMb: 5 }'));
    expect(read.captures).toEqual({ maxCaptureKb: 256, maxTotalMb: 5, redact: ['acme-[0-9]+'] });
  });

  it('lists hosts and retention', () => {
    const cwd = workingDirectory(
      'hosts:\n  - { id: attic, label: Attic, url: "http://attic.lan:8080", keyRef: "env:ATTIC_KEY" }\nretention: { activityDays: 30 }\n',
    );
    const read = config([], {}, cwd);
    expect(read.fileHosts).toEqual([
      { id: 'attic', label: 'Attic', url: 'http://attic.lan:8080', keyRef: 'env:ATTIC_KEY' },
    ]);
    expect(read.retention).toMatchObject({ activityDays: 30, modelEventDays: 365 });
  });

  it.each([
    ['a misspelt key', 'server:\n  port: 1\n  prot: 2\n', 'line 3: unknown key "server.prot"'],
    ['a misspelt section', '\n\nhost: []\n', 'line 3: unknown key "host"'],
    [
      'a wrong value',
      'hosts:\n  - id: a\n    url: http://a.lan\n  - id: B\n    url: http://b.lan\n',
      'line 4: hosts.1.id',
    ],
    ['a missing value', 'hosts:\n  - id: a\n', 'line 2: hosts.0.url'],
    [
      'a host listed twice',
      'hosts:\n  - { id: a, url: "http://a.lan" }\n  - { id: a, url: "http://b.lan" }\n',
      'line 3: hosts.1.id: "a" is listed twice',
    ],
    [
      'no pattern',
      'captures:\n  redact:\n    - "("\n',
      'line 3: captures.redact.0: is no regular expression',
    ],
    [
      'room for less than one capture',
      'captures:\n  maxCaptureKb: 4096\n  maxTotalMb: 3\n',
      'line 3: captures.maxTotalMb: is less than one capture of maxCaptureKb takes: give it 4 or more',
    ],
    ['broken syntax', 'server:\n  port: [1\n', 'line '],
    ['a key given twice', 'server: {}\nserver: {}\n', 'line 2:'],
    [
      'a key in the clear',
      'hosts:\n  - { id: a, url: "http://a.lan", key: hunter2 }\n',
      'line 2: unknown key "hosts.0.key"',
    ],
  ])('refuses %s and names its line', (_what, text, problem) => {
    expect(problems([], {}, workingDirectory(text))).toContain(problem);
  });

  it('may be empty', () => {
    expect(config([], {}, workingDirectory('# nothing yet\n')).port).toBe(9503);
  });
});
