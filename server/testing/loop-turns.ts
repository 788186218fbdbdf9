/**
 * Counts the turns of this process's event loop until `work` is done: how many others could have been served meanwhile.
 * A time would say more about the machine than about the loop.
 */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  const state = { isDone: false };
  const ended = work.finally(() => (state.isDone = true));
  let turns = 0;
  while (!state.isDone) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    turns += 1;
  }
  await ended;
  return turns;
}
