/** A member in JSON text. Values are not parsed: parsing would reorder integer-like keys and round long numbers. */
export interface RawMember {
  readonly name: string;
  readonly text: string;
}

/** The members of the object `json`, in order, repeated names included. */
export function* membersOf(json: string): Generator<RawMember> {
  let at = skipSpace(json, json.indexOf('{') + 1);
  while (json[at] === '"') {
    const nameEnd = endOfString(json, at);
    const valueStart = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const valueEnd = endOfValue(json, valueStart);
    yield { name: JSON.parse(json.slice(at, nameEnd)) as string, text: json.slice(valueStart, valueEnd) };
    at = skipSpace(json, valueEnd);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
}

/** The brackets, strings (names too) and other literals of `json`, in order, without commas and colons. */
export function* tokensOf(json: string): Generator<string> {
  let at = skipSpace(json, 0);
  while (at < json.length) {
    const letter = json.charAt(at);
    const end = '{}[]:,'.includes(letter) ? at + 1 : endOfScalar(json, at);
    if (letter !== ':' && letter !== ',') yield json.slice(at, end);
    at = skipSpace(json, end);
  }
}

/** Of repeated names the last wins, as with `JSON.parse`. */
export function memberText(json: string, name: string): string | null {
  let found: string | null = null;
  for (const member of membersOf(json)) if (member.name === name) found = member.text;
  return found;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  for (;;) {
    const code = json.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

function endOfString(json: string, quote: number): number {
  let end = json.indexOf('"', quote + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}

function endOfValue(json: string, from: number): number {
  const first = json[from];
  return first === '{' || first === '[' ? endOfNesting(json, from) : endOfScalar(json, from);
}

function endOfScalar(json: string, from: number): number {
  if (json[from] === '"') return endOfString(json, from);
  let at = from;
  while (at < json.length && !',]} \n\r\t'.includes(json.charAt(at))) at++;
  return at;
}

function endOfNesting(json: string, from: number): number {
  let depth = 0;
  let at = from;
  do {
    const letter = json[at];
    if (letter === '"') at = endOfString(json, at) - 1;
    else if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    at++;
  } while (depth > 0);
  return at;
}
