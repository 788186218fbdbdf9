import { QueryClient } from '@tanstack/react-query';
import { onCopyForgotten } from './replica/forget-copy.ts';

/** Only for what is no document: calls tell of failure themselves, and a page says when its answer is from. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false } },
});
onCopyForgotten(() => queryClient.clear());
