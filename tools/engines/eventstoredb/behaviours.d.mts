/** What the double does as a server does, by the names of its switches. */
export const BEHAVIOURS: readonly string[];
