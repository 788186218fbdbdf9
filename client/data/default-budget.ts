/** How much history a device keeps when nobody says otherwise. */
export const DEFAULT_BUDGET_BYTES = 50_000_000;
