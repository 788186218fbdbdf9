import { execFileSync } from 'node:child_process';

/** CPU time that a process has used, all threads. */
export function cpuSeconds(pid: number): number {
  const text = execFileSync('ps', ['-o', 'cputimes=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(text);
}
