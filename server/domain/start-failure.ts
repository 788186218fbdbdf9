import { cleanLogLine } from '#shared/lib/clean-log-line.ts';
import { MAX_FAILURE_LINES } from '#shared/schemas/model.ts';
import type { LogLine } from './log-ring.ts';

/** What is known when a start ended without `ready`. */
export interface StartEvidence {
  readonly modelId: string;
  /** How long it was starting; null when its begin was not seen. */
  readonly startedMs: number | null;
  /** Lines of the host's log since the start, as they came. */
  readonly hostLines: readonly LogLine[];
  /** The model's own log (v218+), newest last; null when it could not be read. */
  readonly modelLines: readonly string[] | null;
  /** From v259 the stream carries no logs, so that nothing said who ended the start. */
  readonly proxyLogSeen: boolean;
  /** Keys of ours that a line may repeat. */
  readonly secrets: readonly string[];
  /** The host closed the stream right after: it was stopped or reloaded, and its models with it. */
  readonly hostEnded: boolean;
}

/** Whether the start failed or was called off, with the reason and the lines that say so. */
export type StartVerdict =
  | { readonly failed: false }
  | { readonly failed: true; readonly reason: string; readonly lines: string[] };

const CAUSES: readonly { readonly pattern: RegExp; readonly say: (line: string) => string }[] = [
  {
    pattern: /EADDRINUSE|address already in use|couldn't bind|failed to bind|bind: Only one usage/i,
    say: () => 'Its port is in use: a process of an earlier run may still hold it and its memory.',
  },
  { pattern: /out of memory/i, say: (line) => line },
  {
    pattern: /unable to allocate|failed to allocate|cannot allocate memory|ErrorOutOfDeviceMemory/i,
    say: (line) => `Out of memory: ${line}`,
  },
  {
    pattern:
      /no such file or directory|executable file not found|failed to open (gguf|file)|cannot find the (file|path)/i,
    say: (line) => `A file is missing: ${line}`,
  },
  {
    pattern: /health check timed out/i,
    say: (line) => healthTimeout(/after ([\d.]+\s*m?s)/.exec(line)?.[1]),
  },
  {
    pattern: /failed to start command|unknown argument|invalid argument|unrecognized arg/i,
    say: (line) => line,
  },
  { pattern: /error loading model|failed to load model/i, say: (line) => line },
];

/** Judges a start that ended in `stopped`, by what the logs say; without logs it failed, for a reason not known. */
export function judgeStart(evidence: StartEvidence): StartVerdict {
  const { modelId, hostLines } = evidence;
  const own = hostLines.filter((line) => belongsTo(line, modelId));
  // These lines are kept and shown: a command line among them may hold a key.
  const modelLines = (evidence.modelLines ?? [])
    .map((line) => cleanLogLine(line, evidence.secrets))
    .filter((line) => line !== '');
  // What the model wrote stands in the host's log, too.
  const others = modelLines.length === 0 ? own : own.filter(({ source }) => source !== 'upstream');
  const hostTexts = others.map((line) => cleanLogLine(line.text, evidence.secrets));
  const causes = [causeOf(modelLines), causeOf(hostTexts)] as const;
  const lines = [...linesAround(modelLines, causes[0]), ...linesAround(hostTexts, causes[1])];
  const explained = causes[0] ?? causes[1];
  if (explained) return { failed: true, reason: explained.reason, lines };
  if (own.some((line) => isAbort(line, modelId)) || hostLines.some((line) => isUnload(line, modelId))) {
    return { failed: false };
  }
  const terminated = lines.some((line) => /\breceived SIG(TERM|INT)\b/i.test(line));
  if (evidence.hostEnded) return { failed: false };
  if (terminated && evidence.startedMs !== null) {
    // llama-swap ends a start by itself only when its health check timed out, which is never before 15 s.
    if (evidence.startedMs < 15_000) return { failed: false };
    const after = `${Math.round(evidence.startedMs / 1_000)} s`;
    const reason = evidence.proxyLogSeen
      ? healthTimeout(after)
      : `It was ended after ${after}, not ready yet: unloaded, or its health check timed out.`;
    return { failed: true, reason, lines };
  }
  return { failed: true, reason: exitReason(lines), lines };
}

/** The model whose process ended by itself, as hosts before v218 say it in their log only; null for any other line. */
export function exitedModel(line: LogLine): { readonly modelId: string; readonly state: string } | null {
  if (line.source !== 'proxy') return null;
  const match = /^[^<"]*<(.+)> process exited but not StateStopping, current state: (\w+)$/.exec(line.text);
  return match?.[1] !== undefined && match[2] !== undefined ? { modelId: match[1], state: match[2] } : null;
}

interface Cause {
  readonly reason: string;
  readonly index: number;
}

/** Half of what is shown: up to a few lines past the one that says why, else the last ones. */
function linesAround(lines: readonly string[], cause: Cause | null): readonly string[] {
  const end = cause ? Math.min(lines.length, cause.index + 6) : lines.length;
  return lines.slice(Math.max(0, end - MAX_FAILURE_LINES / 2), end);
}

function causeOf(lines: readonly string[]): Cause | null {
  for (const { pattern, say } of CAUSES) {
    const index = lines.findLastIndex((text) => pattern.test(text));
    const line = lines[index];
    if (line !== undefined) return { reason: clip(say(line.trim())), index };
  }
  return null;
}

function exitReason(lines: readonly string[]): string {
  const code = lines
    .map((line) => /exit (?:status|code:?) (-?\d+)/.exec(line)?.[1])
    .findLast((found) => found !== undefined);
  if (code !== undefined) return `Its command ended before it was ready, with exit code ${code}.`;
  if (lines.some((line) => line.includes('exited prematurely')))
    return 'Its command ended before it was ready.';
  return 'It stopped before it was ready; the logs do not say why.';
}

function healthTimeout(after: string | undefined): string {
  return after === undefined ? 'The health check timed out.' : `The health check timed out after ${after}.`;
}

/** Lines of models name no model; a line of the proxy that names another one is not ours, nor is an access line. */
function belongsTo(line: LogLine, modelId: string): boolean {
  if (line.source === 'http' || isAccess(line.text)) return false;
  if (line.source !== 'proxy') return true;
  return line.text.includes(`<${modelId}>`) || line.text.includes(` ${modelId} `);
}

function isAbort(line: LogLine, modelId: string): boolean {
  if (line.source !== 'proxy') return false;
  // v218+: `group: starting m failed: aborted`, `matrix: running m exited: aborted`.
  return [`starting ${modelId} failed: aborted`, `running ${modelId} exited: aborted`].some((end) =>
    line.text.endsWith(end),
  );
}

function isUnload(line: LogLine, modelId: string): boolean {
  if (line.source === 'upstream' || !isAccess(line.text)) return false;
  // One that was refused (404 for an unknown model) unloaded nothing.
  const path = /"(?:POST|GET) (\S+) HTTP\/[\d.]+" 2\d\d /.exec(line.text)?.[1]?.split('?')[0];
  if (path === '/unload' || path === '/api/models/unload') return true;
  return path !== undefined && decoded(path) === `/api/models/unload/${modelId}`;
}

function isAccess(text: string): boolean {
  return /^[^"]*\bRequest \S+ "[A-Z]+ /.test(text);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function clip(reason: string): string {
  return reason.length > 200 ? `${reason.slice(0, 199)}…` : reason;
}
