import type { PlainText } from '@ports/plain-text.port';

const READ = 800;
const SHOWN = 200;

/** The beginning of a text, at a word's end where one is near; never half a character. */
export function cut(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  const points = [...text];
  if (points.length <= codePoints) return text;
  const head = points.slice(0, codePoints - 1).join('');
  const space = head.lastIndexOf(' ');
  return `${(space > head.length / 2 ? head.slice(0, space) : head).trimEnd()}…`;
}

/**
 * The beginning of what somebody wrote, fit to be quoted within a line: no markup, no control or direction characters.
 * Code is stripped twice, since what it held is markup once it is quoted.
 */
export async function excerptOf(content: string, plainText: PlainText, codePoints = SHOWN): Promise<string> {
  const start = beginningOf(content);
  const once = await plainText.strip(start);
  return lineOf(once === start ? once : await plainText.strip(once), codePoints);
}

function beginningOf(content: string): string {
  return cut(content.slice(0, READ), READ).replace(/\p{Surrogate}/gu, '');
}

/** Most texts are a line already, which one look tells. */
const LINE = /^[!-~]+(?: [!-~]+)*$/;

function lineOf(plain: string, codePoints: number): string {
  if (LINE.test(plain)) return cut(plain, codePoints);
  const line = plain.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
  return cut(line.trim(), codePoints);
}
