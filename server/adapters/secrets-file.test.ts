import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SecretsFile } from './secrets-file.ts';

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'drover-secrets-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe('secrets.json', () => {
  it('keeps keys over a restart, for its owner alone, and leaves nothing beside it', () => {
    const directory = emptyDirectory();
    const path = join(directory, 'secrets.json');
    const secrets = new SecretsFile(path);
    expect(secrets.hostKey('attic')).toBeNull();
    expect(existsSync(path)).toBe(false);
    secrets.setHostKey('attic', 'k1');
    secrets.setHostKey('cellar', 'k2');
    secrets.setHostKey('attic', null);
    expect(modeOf(path)).toBe('600');
    expect(readdirSync(directory)).toEqual(['secrets.json']);
    const again = new SecretsFile(path);
    expect(again.hostKey('attic')).toBeNull();
    expect(again.hostKey('cellar')).toBe('k2');
  });

  it('closes a file that was copied in open', () => {
    const path = join(emptyDirectory(), 'secrets.json');
    writeFileSync(path, '{"hostKeys":{"attic":"k1"}}');
    chmodSync(path, 0o644);
    expect(new SecretsFile(path).hostKey('attic')).toBe('k1');
    expect(modeOf(path)).toBe('600');
  });

  it('never overwrites what it cannot read, nor repeats it', () => {
    const path = join(emptyDirectory(), 'secrets.json');
    const text = '{"hostKeys":{"attic": hunter2';
    writeFileSync(path, text);
    expect(() => new SecretsFile(path)).toThrow(/repair it/);
    expect(() => new SecretsFile(path)).not.toThrow(/hunter2/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('takes a host called like a built-in property for what it is', () => {
    const path = join(emptyDirectory(), 'secrets.json');
    const secrets = new SecretsFile(path);
    expect(secrets.hostKey('constructor')).toBeNull();
    secrets.setHostKey('constructor', 'k1');
    expect(new SecretsFile(path).hostKey('constructor')).toBe('k1');
  });
});
