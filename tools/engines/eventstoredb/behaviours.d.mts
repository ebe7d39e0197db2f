export const BEHAVIOURS: readonly string[];
