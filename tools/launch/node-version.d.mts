export function admits(ranges: string, version: string): boolean;
