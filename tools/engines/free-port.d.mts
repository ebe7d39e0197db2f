export function isFree(port: number): Promise<boolean>;
/** A port that nothing listens on, so an engine can keep it over restarts. */
export function freePort(): Promise<number>;
