/** Whether nothing listens on this port. */
export function isFree(port: number): Promise<boolean>;
/** A port of this machine that nothing listens on. An engine keeps it over its restarts. */
export function freePort(): Promise<number>;
