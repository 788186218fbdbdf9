import { z } from 'zod';
import { answerParent } from './child.ts';
import { ProcessMeter } from './process-meter.ts';

/** Loaded into the real server by `--import`: it answers over IPC how the process fares, and changes nothing else. */
const question = z.object({ type: z.enum(['reset', 'read']) });
const meter = new ProcessMeter();

answerParent((message) => {
  if (question.parse(message).type === 'read') return meter.read();
  meter.reset();
  return null;
});
// The channel alone would keep the process alive, and its end must not end a server that is stopping.
process.channel?.unref();
