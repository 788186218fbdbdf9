import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../testing/temporary-store.ts';
import { DataDirLockedError, lockDataDir } from './lock.ts';

async function holdInChild(path: string): Promise<{ pid: number | undefined; end: () => Promise<void> }> {
  const source = `import { lockDataDir } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
    lockDataDir(${JSON.stringify(path)}, 42);
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    pid: child.pid,
    end: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('a second process is refused with the name of the first, and gets in once that is killed', async () => {
  const path = join(temporaryDirectory(), 'drover.lock');
  const child = await holdInChild(path);
  const attempt = (): unknown => {
    try {
      return lockDataDir(path, 43);
    } catch (error) {
      return error;
    }
  };
  const refused = attempt();
  expect(refused).toBeInstanceOf(DataDirLockedError);
  expect(refused).toMatchObject({ holder: { pid: child.pid, host: hostname(), startedAt: 42 } });
  expect(attempt()).toBeInstanceOf(DataDirLockedError);
  await child.end();
  const lock = lockDataDir(path, 44);
  lock.release();
});

test('the same process cannot take it twice, and can again after release', () => {
  const path = join(temporaryDirectory(), 'drover.lock');
  const lock = lockDataDir(path, 1);
  expect(() => lockDataDir(path, 2)).toThrow(/in use by Drover process/);
  lock.release();
  lockDataDir(path, 3).release();
});
