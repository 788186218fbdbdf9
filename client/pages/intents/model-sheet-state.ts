import { createCell, useReadable } from '../../data/cell.ts';

/** The model whose sheet is open. */
export interface OpenModel {
  readonly hostId: string;
  readonly modelId: string;
}

const openModel = createCell<OpenModel | null>(null);

/** Opens the sheet of a model, from wherever its row stands. */
export function openModelSheet(hostId: string, modelId: string): void {
  openModel.set({ hostId, modelId });
}

/** Closes it. */
export function closeModelSheet(): void {
  openModel.set(null);
}

/** Whose sheet is open; null: none is. */
export function useOpenModel(): OpenModel | null {
  return useReadable(openModel);
}
