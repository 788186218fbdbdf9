import type { LogStreamClient, LogStreamListener } from '../domain/log-ports.ts';
import type { EventStreamListener, UpstreamFailure } from '../domain/ports.ts';
import { openEventStream } from './event-stream.ts';
import { encodeModelId } from './llama-swap-logs.ts';
import { failureOfError, failureOfStatus } from './upstream-failure.ts';
import { UpstreamHttp, type UpstreamHttpOptions } from './upstream-http.ts';

const HOST_LOGS = '/api/events/logs?stream=proxy&stream=upstream&stream=http';

/** A client for log streams, over connections of its own until `close`. */
export function createLogStreamClient(options: UpstreamHttpOptions): LogStreamClient {
  const http = new UpstreamHttp(options);
  return {
    openHostLogs(listener, signal) {
      const refused: UpstreamFailure = { kind: 'http', status: 404, detail: 'no log stream here' };
      openEventStream(
        {
          http,
          after: options.clock.after.bind(options.clock),
          identify: async () => refused,
          path: HOST_LOGS,
          headersTimeoutMs: null,
        },
        eventListener(listener),
        signal,
      );
    },
    openModelLog: (modelId, listener, signal) => void readText({ http, modelId, listener, signal }),
    close: () => http.close(),
  };
}

function eventListener(listener: LogStreamListener): EventStreamListener {
  return {
    onOpen: () => undefined,
    onBytes: () => undefined,
    onEvent: (event) => {
      if (event.type === 'log') listener.onText(event.source, event.text);
    },
    onLogsDropped: (count) => listener.onDropped(count),
    onClosed: (end) => listener.onClosed(end.why === 'failed' ? end.failure : null),
  };
}

interface TextStream {
  readonly http: UpstreamHttp;
  readonly modelId: string;
  readonly listener: LogStreamListener;
  readonly signal: AbortSignal;
}

/** Plain text without end. Taking a chunk costs its decoding and its cutting into lines: it is never behind. */
async function readText({ http, modelId, listener, signal }: TextStream): Promise<void> {
  let end: UpstreamFailure | null = null;
  try {
    if (http.keyCannotBeSent()) return listener.onClosed({ kind: 'unauthorized' });
    const response = await http.request(`/logs/stream/${encodeModelId(modelId)}`, {
      accept: 'text/plain',
      signal,
      withoutKey: false,
    });
    if (response.statusCode !== 200) {
      // What it says is not read: an endless answer with an error's status would hold this up.
      await response.body.dump({ limit: 16_384 });
      end = failureOfStatus({ status: response.statusCode, location: null, body: '' }, http.secrets());
    } else {
      const decoder = new TextDecoder();
      for await (const chunk of response.body) {
        if (chunk instanceof Uint8Array) listener.onText(modelId, decoder.decode(chunk, { stream: true }));
      }
    }
  } catch (error) {
    end = signal.aborted ? null : failureOfError(error, http.secrets());
  }
  listener.onClosed(end);
}
