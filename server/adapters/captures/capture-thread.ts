import { workerData } from 'node:worker_threads';
import { z } from 'zod';
import { readCapture, type ReadCapture } from '../../domain/captures/read-capture.ts';
import { serveThread } from '../thread/thread-serve.ts';

const settings = z.object({ maxBytes: z.number(), patterns: z.array(z.string()) }).parse(workerData);
const patterns = settings.patterns.map((pattern) => new RegExp(pattern, 'gu'));
const request = z.object({ text: z.string(), secrets: z.array(z.string()) });

serveThread((input): ReadCapture | null => {
  const { text, secrets } = request.parse(input);
  return readCapture(text, { maxBytes: settings.maxBytes, secrets, patterns });
});
