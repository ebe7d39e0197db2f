const RESET = '\u001b[0m';
const COLOURS: Readonly<Record<number, string>> = { 60: '\u001b[41m', 50: '\u001b[31m', 40: '\u001b[33m', 30: '\u001b[32m' };
const NAMES: Readonly<Record<number, string>> = { 60: 'FATAL', 50: 'ERROR', 40: 'WARN', 30: 'INFO', 20: 'DEBUG', 10: 'TRACE' };

export function readableLine(json: string): string {
  const { level, time, msg, error, ...rest } = JSON.parse(json) as Record<string, unknown> & { level: number; time: number };
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const clock = new Date(time).toISOString().slice(11, 23);
  const head = `${clock} ${COLOURS[level] ?? ''}${NAMES[level] ?? level}${RESET} ${String(msg)}`;
  return [[head, ...fields].join(' '), ...errorLines(error)].join('\n') + '\n';
}

function errorLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { name, code, reason, at } = error as { name: string; code?: string; reason?: string; at: string[] };
  const what = `${name}${code === undefined ? '' : ` (${code})`}${reason === undefined ? '' : `: ${reason}`}`;
  return [`  ${what}`, ...at.map((site) => `    ${site}`)];
}
