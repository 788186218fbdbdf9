import { describe, expect, it } from 'vitest';
import { LogRing, type LogLine } from './log-ring.ts';
import { exitedModel, judgeStart, type StartEvidence } from './start-failure.ts';

function lines(source: string, ...texts: string[]): LogLine[] {
  return texts.map((text) => ({ at: 1, source, text }));
}

function judge(evidence: Partial<StartEvidence>) {
  return judgeStart({
    modelId: 'oom',
    startedMs: 400,
    hostLines: [],
    modelLines: null,
    proxyLogSeen: true,
    secrets: [],
    hostEnded: false,
    ...evidence,
  });
}

describe('a start that ended', () => {
  it('failed for what the model said, before v218 and after', () => {
    const hostLines = [
      ...lines('upstream', 'ggml_cuda_init: found 1 CUDA devices:', 'CUDA error: out of memory'),
      ...lines('proxy', '[WARN] <oom> ExitError >> exit status 1, exit code: 1'),
    ];
    expect(judge({ hostLines })).toMatchObject({ failed: true, reason: 'CUDA error: out of memory' });
    expect(judge({ modelLines: ['\u001B[31mCUDA error: out of memory\u001B[0m'] })).toEqual({
      failed: true,
      reason: 'CUDA error: out of memory',
      lines: ['CUDA error: out of memory'],
    });
  });

  it('does not show twice what the model wrote, and keeps what llama-swap said', () => {
    const hostLines = [
      ...lines('upstream', 'CUDA error: out of memory'),
      ...lines('proxy', '[WARN] group: starting oom failed: upstream command exited prematurely'),
    ];
    expect(judge({ hostLines, modelLines: ['CUDA error: out of memory'] })).toMatchObject({
      lines: [
        'CUDA error: out of memory',
        '[WARN] group: starting oom failed: upstream command exited prematurely',
      ],
    });
  });

  it('keeps no key of ours among its lines, in whatever words the host repeats it', () => {
    const hostLines = lines('proxy', '[WARN] <oom> fetching with swordfish', '[WARN] <oom> out of memory');
    const verdict = judge({ hostLines, modelLines: ['swordfish it is'], secrets: ['swordfish'] });
    expect(JSON.stringify(verdict)).not.toContain('swordfish');
    expect(verdict).toMatchObject({
      lines: ['[REDACTED] it is', '[WARN] <oom> fetching with [REDACTED]', '[WARN] <oom> out of memory'],
    });
  });

  it('leaves no half of a key where a long line is cut', () => {
    for (let length = 380; length <= 520; length += 1) {
      const ring = new LogRing();
      ring.append('proxy', `<oom> out of memory ${'x'.repeat(length - 20)}swordfish-and-more\n`, 1);
      const verdict = judge({ hostLines: ring.after(0), secrets: ['swordfish-and-more'] });
      expect(verdict).toMatchObject({ failed: true, lines: [expect.not.stringContaining('xs')] });
    }
  });

  it('keeps no secret of a command line among its lines', () => {
    const hostLines = lines('proxy', '[ERROR] <oom> failed to start command: llama-server --api-key abc');
    const verdict = judge({ hostLines, modelLines: ['Authorization: Bearer abcdefgh'] });
    expect(verdict).toMatchObject({
      failed: true,
      lines: [
        'Authorization: [REDACTED]',
        '[ERROR] <oom> failed to start command: llama-server --api-key [REDACTED]',
      ],
    });
    expect(JSON.stringify(verdict)).not.toContain('abc');
  });

  it.each([
    ['Error: listen EADDRINUSE: address already in use 127.0.0.1:5801', /^Its port is in use/],
    [
      'llama_model_load: failed to open GGUF file /m/x.gguf: No such file or directory',
      /^A file is missing: /,
    ],
    ['error: unknown argument: --ctx', /unknown argument: --ctx$/],
    ['health check timed out after 15s', /^The health check timed out after 15s\.$/],
    ['llama_model_load: error loading model: bad magic', /error loading model: bad magic$/],
  ])('failed because of %s', (line, reason) => {
    const verdict = judge({ modelLines: [line] });
    expect(verdict).toMatchObject({ failed: true, reason: expect.stringMatching(reason) });
  });

  it('failed with its exit code when nothing else is said, or for a reason not known', () => {
    expect(
      judge({ hostLines: lines('proxy', '[WARN] <oom> ExitError >> exit status 3, exit code: 3') }),
    ).toMatchObject({
      reason: 'Its command ended before it was ready, with exit code 3.',
    });
    expect(
      judge({
        hostLines: lines('proxy', '[WARN] group: starting oom failed: upstream command exited prematurely'),
      }),
    ).toMatchObject({ reason: 'Its command ended before it was ready.' });
    expect(judge({})).toMatchObject({ failed: true, reason: expect.stringContaining('do not say why') });
  });

  it.each([
    ['proxy', '[WARN] group: starting oom failed: aborted'],
    ['proxy', '[WARN] group: running oom exited: aborted'],
    ['proxy', '[INFO] Request 127.0.0.1 "POST /api/models/unload/oom HTTP/1.1" 200 2 "" 155ms'],
    ['http', '[INFO] Request 127.0.0.1 "GET /unload HTTP/1.1" 200 2 "" 155ms'],
  ])('was called off when the log has %s %s', (source, text) => {
    expect(judge({ hostLines: lines(source, text) })).toEqual({ failed: false });
  });

  it('is not called off by the unload of another model, nor by what a model or a client writes', () => {
    const hostLines = [
      ...lines('proxy', '[INFO] Request 127.0.0.1 "POST /api/models/unload/other HTTP/1.1" 200 2 "" 1ms'),
      ...lines('proxy', '[WARN] group: starting other failed: aborted'),
      ...lines('upstream', '[INFO] Request 127.0.0.1 "GET /unload HTTP/1.1" 200 2 "" 1ms'),
    ];
    expect(judge({ hostLines })).toMatchObject({ failed: true });
  });

  it('takes a name for no cause', () => {
    const hostLines = lines('proxy', '[INFO] Request 127.0.0.1 "GET /x?out of memory HTTP/1.1" 404 2 "" 1ms');
    expect(judge({ hostLines })).toMatchObject({ reason: expect.stringContaining('do not say why') });
  });

  it('timed out when llama-swap ended it after 15 s; ended with its host when the host closed the stream', () => {
    const hostLines = lines('upstream', 'Received SIGTERM, cleaning up');
    expect(judge({ hostLines, startedMs: 15_204 })).toMatchObject({
      reason: 'The health check timed out after 15 s.',
    });
    expect(judge({ hostLines, startedMs: 15_204, hostEnded: true })).toEqual({ failed: false });
    // Before that nobody but an unload ends it; where the proxy's log is not seen, later nobody can tell.
    expect(judge({ hostLines, startedMs: 9_000 })).toEqual({ failed: false });
    expect(judge({ modelLines: ['Received SIGTERM'], startedMs: 60_000, proxyLogSeen: false })).toMatchObject(
      {
        reason: 'It was ended after 60 s, not ready yet: unloaded, or its health check timed out.',
      },
    );
  });
});

describe('an exit that only the log tells (before v218)', () => {
  it('names the model and its state', () => {
    const [line] = lines(
      'proxy',
      '[INFO] <org/chat-q4> process exited but not StateStopping, current state: ready',
    );
    expect(line && exitedModel(line)).toEqual({ modelId: 'org/chat-q4', state: 'ready' });
  });

  it.each([
    ['upstream', '[INFO] <a> process exited but not StateStopping, current state: ready'],
    ['proxy', '[INFO] Request 1.2.3.4 "GET /<a> process exited but not StateStopping, current state: ready'],
    ['proxy', '[INFO] <a> Health check passed'],
  ])('is not believed of %s: %s', (source, text) => {
    const [line] = lines(source, text);
    expect(line && exitedModel(line)).toBeNull();
  });
});

describe('the ring of log lines', () => {
  it('joins chunks that end anywhere, without escape sequences', () => {
    const ring = new LogRing();
    expect(ring.append('upstream', '\u001B[36mbui', 1)).toEqual([]);
    expect(ring.append('upstream', 'ld\u001B[0m: 1\nnext', 2).map((line) => line.text)).toEqual(['build: 1']);
    expect(ring.append('proxy', 'other\n', 3).map((line) => line.text)).toEqual(['other']);
    expect(ring.append('upstream', '\n', 4).map((line) => line.text)).toEqual(['next']);
    expect(ring.after(1).map((line) => line.text)).toEqual(['other', 'next']);
    expect(ring.after(ring.count)).toEqual([]);
  });

  it('gives the beginning of a line, never a piece from its middle, however it was cut', () => {
    const line = `begins ${'x'.repeat(40_000)} middle`;
    const begin = expect.stringMatching(/^begins x+$/);
    const texts = (...chunks: readonly string[]): readonly string[] => {
      const ring = new LogRing();
      for (const chunk of chunks) ring.append('upstream', chunk, 1);
      return ring.after(0).map(({ text }) => text);
    };
    expect(texts(line, '\n')).toEqual([begin]);
    expect(texts(line.slice(0, 5_000), line.slice(5_000, 9_000), `${line.slice(9_000)}\n`)).toEqual([begin]);
    expect(texts(`of before\n${line}`, '\n')).toEqual([begin]);
    expect(texts(`${line}\nafter\n`)).toEqual(['after']);
  });

  it('is bounded whatever comes', () => {
    const ring = new LogRing();
    ring.append('upstream', 'x'.repeat(5_000_000), 1);
    ring.append('upstream', 'y\n'.repeat(100_000), 1);
    const kept = ring.after(0);
    expect(kept.length).toBeLessThanOrEqual(400);
    expect(Math.max(...kept.map((line) => line.text.length))).toBeLessThanOrEqual(1_600);
  });
});
