/** The largest escape of one UTF-16 code unit. */
const ESCAPE_BYTES = 6;
const SHORT_ESCAPES = new Set('"\\\b\f\n\r\t');

export function jsonBytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character);
  return bytes;
}

/** The longest beginning of the text with at most `mostInJson` bytes in a JSON string and `mostAlone` as UTF-8, in whole characters. */
export function jsonPrefix(text: string, mostInJson: number, mostAlone = mostInJson): string {
  if (text.length * ESCAPE_BYTES <= Math.min(mostInJson, mostAlone)) return text;
  let [inJson, alone, end] = [0, 0, 0];
  for (const character of text) {
    inJson += bytesOf(character);
    alone += utf8Bytes(character.codePointAt(0) ?? 0);
    if (inJson > mostInJson || alone > mostAlone) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function bytesOf(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (SHORT_ESCAPES.has(character)) return 2;
  return codePoint < 0x20 || isSurrogate(codePoint) ? ESCAPE_BYTES : utf8Bytes(codePoint);
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

function isSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff;
}
