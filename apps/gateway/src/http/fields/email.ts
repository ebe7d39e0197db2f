import { domainToASCII } from 'node:url';

const BEYOND_ASCII = '\\u00a1-\\uffff';
const LABEL = `[A-Za-z0-9${BEYOND_ASCII}]([A-Za-z0-9${BEYOND_ASCII}-]{0,61}[A-Za-z0-9${BEYOND_ASCII}])?`;
export const EMAIL_PATTERN = `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~${BEYOND_ASCII}-]{1,64}@(${LABEL}\\.)+[A-Za-z${BEYOND_ASCII}]([A-Za-z0-9${BEYOND_ASCII}-]{0,61}[A-Za-z0-9${BEYOND_ASCII}])?$`;
export const MAX_EMAIL_CHARACTERS = 254;
const EMAIL = new RegExp(EMAIL_PATTERN);
const ASCII = /^[ -~]*$/;
const ASCII_HOST = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** White space and invisible characters, U+2800 included: addresses that look equal would be two customers. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The stored form: lower case, host in punycode. Null where it is invisible, too long or its host has fewer than two parts. */
export function keptEmail(text: string): string | null {
  if (text.length > MAX_EMAIL_CHARACTERS || !EMAIL.test(text) || UNSEEN.test(text)) return null;
  const at = text.lastIndexOf('@');
  const host = asciiHost(text.slice(at + 1));
  const kept = `${text.slice(0, at).normalize('NFC').toLowerCase()}@${host}`;
  return host !== null && kept.length <= MAX_EMAIL_CHARACTERS ? kept : null;
}

function asciiHost(host: string): string | null {
  const ascii = ASCII.test(host) ? host.toLowerCase() : domainToASCII(host);
  return ASCII_HOST.test(ascii) ? ascii : null;
}
