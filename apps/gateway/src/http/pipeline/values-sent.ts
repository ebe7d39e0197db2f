import type { IncomingMessage } from 'node:http';

/** All values of a header, in order: Node's `headers` keeps only the first of some headers, and joins others by commas. */
export function valuesSent(name: string, { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && isNamed(rawHeaders[at - 1], name));
}

function isNamed(sent: string | undefined, name: string): boolean {
  return sent?.length === name.length && sent.toLowerCase() === name;
}
