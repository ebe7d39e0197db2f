import type { MembersTaken } from './members-taken.js';
import { tokensOf } from './raw-members.js';

/** An open object or array. Only concatenates strings, whose cost does not depend on their length. */
interface Nesting {
  take(token: string): void;
  readonly inner: MembersTaken | null;
  put(canonical: string): void;
  closed(): string;
}

/**
 * Normalises member order and white space of valid JSON. Not recursive and one pass, so that no body blocks the event loop.
 * @param taken which members count; all of them when null
 */
export function canonicalJson(json: string, taken: MembersTaken | null = null): string {
  let whole = '';
  const open: Nesting[] = [];
  for (const token of tokensOf(json)) {
    if (token === '{') open.push(new Members(open.length === 0 ? taken : (open.at(-1)?.inner ?? null)));
    else if (token === '[') open.push(new Items());
    else if (token === '}' || token === ']') {
      whole = open.pop()?.closed() ?? whole;
      open.at(-1)?.put(whole);
    } else open.at(-1)?.take(token);
  }
  return whole;
}

class Items implements Nesting {
  readonly inner = null;
  private text = '';

  take(token: string): void {
    this.put(canonicalToken(token));
  }

  put(canonical: string): void {
    this.text += (this.text === '' ? '[' : ',') + canonical;
  }

  closed(): string {
    return this.text === '' ? '[]' : `${this.text}]`;
  }
}

interface Member {
  readonly name: string;
  readonly nameText: string;
  readonly value: string;
}

class Members implements Nesting {
  private readonly members: Member[] = [];
  private nameToken: string | null = null;

  constructor(private readonly taken: MembersTaken | null) {}

  get inner(): MembersTaken | null {
    return this.taken?.within(nameOf(this.nameToken ?? '""')) ?? null;
  }

  take(token: string): void {
    if (this.nameToken === null) this.nameToken = canonicalToken(token);
    else this.put(canonicalToken(token));
  }

  put(canonical: string): void {
    const nameText = this.nameToken ?? '""';
    this.members.push({ name: nameOf(nameText), nameText, value: canonical });
    this.nameToken = null;
  }

  closed(): string {
    let text = '';
    this.members.sort(byName);
    for (const [index, { name, nameText, value }] of this.members.entries()) {
      // Of members with one name the last wins, as with `JSON.parse`.
      if (name === this.members[index + 1]?.name || this.taken?.takes(name, value) === false) continue;
      text += `${text === '' ? '{' : ','}${nameText}:${value}`;
    }
    return text === '' ? '{}' : `${text}}`;
  }
}

function byName({ name: one }: Member, { name: other }: Member): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function nameOf(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function canonicalToken(token: string): string {
  if (!token.startsWith('"')) return canonicalLiteral(token);
  return token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
}

const ALREADY_CANONICAL = /^(?:[a-z]+|0|-?[1-9]\d{0,14})$/;

/** Numbers of up to 15 digits survive re-serialisation by any client; others are compared as sent. */
function canonicalLiteral(text: string): string {
  if (ALREADY_CANONICAL.test(text)) return text;
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  return digits.length <= 15 && isHeldByDouble(text, digits) ? JSON.stringify(Number(text)) : text;
}

const SMALLEST_OF_FULL_PRECISION = 2 ** -1022;

function isHeldByDouble(text: string, digits: string): boolean {
  const size = Math.abs(Number(text));
  return digits === '' || (size >= SMALLEST_OF_FULL_PRECISION && size < Infinity);
}
