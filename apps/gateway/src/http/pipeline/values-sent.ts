import type { IncomingMessage } from 'node:http';

/**
 * Every value that a header was sent with, in order. Node's `headers` has the first one of some headers, and joins those of
 * others with commas.
 */
export function valuesSent(name: string, { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && isNamed(rawHeaders[at - 1], name));
}

function isNamed(sent: string | undefined, name: string): boolean {
  return sent?.length === name.length && sent.toLowerCase() === name;
}
