import { searchLines, type SearchAnswer, type SearchJob } from './logs/search-lines.ts';

declare const self: DedicatedWorkerGlobalScope;

self.addEventListener('message', ({ data }: MessageEvent<SearchJob>) => {
  const answer: SearchAnswer = { id: data.id, ranges: searchLines(data.pattern, data.lines) };
  self.postMessage(answer, []);
});
