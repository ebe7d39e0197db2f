import { DomainError } from '../kernel/domain-error.js';

/** Headers that the service sets itself, or that belong to the connection. */
const RESERVED = [
  'accept-encoding',
  'host',
  'content-.*',
  'service-.*',
  'webhook-.*',
  'proxy-.*',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'user-agent',
]
  .map((name) => name.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`))
  .join('|');

const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 1_024;
export const HEADER_NAME_PATTERN = `^(?!(${RESERVED})$)[A-Za-z0-9!#$%&'*+.^_\`|~-]{1,${MAX_NAME_LENGTH}}$`;
export const HEADER_VALUE_PATTERN = `^[ -~]{0,${MAX_VALUE_LENGTH}}$`;
export const MAX_HEADERS = 20;
/** Shown instead of a value; a change that sends it back keeps the value. */
export const MASKED_VALUE = '********';

const IS_RESERVED = new RegExp(`^(${RESERVED})$`);
const NAME = new RegExp(HEADER_NAME_PATTERN);
const VALUE = new RegExp(HEADER_VALUE_PATTERN);

/** Why these headers are refused, as the end of a sentence; null if accepted. */
export function headersObjection(headers: Readonly<Record<string, string>>): string | null {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `must be at most ${MAX_HEADERS} in number`;
  if (entries.some(([name]) => IS_RESERVED.test(name))) return 'must not have reserved names';
  if (new Set(entries.map(([name]) => name.toLowerCase())).size < entries.length) return 'must each be given once';
  const arePlain = entries.every(([name, value]) => NAME.test(name) && VALUE.test(value));
  return arePlain
    ? null
    : `must have plain names of at most ${MAX_NAME_LENGTH} characters, and values of at most ${MAX_VALUE_LENGTH.toLocaleString('en')} printable ASCII characters`;
}

export function refuseBadHeaders(headers: Readonly<Record<string, string>>): void {
  const objection = headersObjection(headers);
  if (objection !== null) throw new DomainError('parameter_invalid', `headers ${objection}.`, { param: 'headers' });
}

/** Refuses the mask where there is no value to keep. */
export function refuseMaskedHeaders(headers: Readonly<Record<string, string>>): void {
  const masked = Object.keys(headers).find((name) => headers[name] === MASKED_VALUE);
  if (masked !== undefined) throw nothingBehindMask(masked);
}

export function nothingBehindMask(name: string): DomainError {
  return new DomainError(
    'parameter_invalid',
    `headers must give the value of ${name}: none is kept that ${MASKED_VALUE} stands for.`,
    {
      param: 'headers',
    },
  );
}

/** All headers, with masked values for those of these names. */
export function withMaskedValues(
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const masked = new Set(names.map((name) => name.toLowerCase()));
  const shown = ([name, value]: [string, string]) => [name, masked.has(name.toLowerCase()) ? MASKED_VALUE : value];
  return Object.fromEntries(Object.entries(headers).map(shown));
}
