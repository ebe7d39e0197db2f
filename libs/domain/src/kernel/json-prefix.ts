/** The most bytes that one unit of a text has in JSON, as an escape. */
const ESCAPE_BYTES = 6;
const SHORT_ESCAPES = new Set('"\\\b\f\n\r\t');

/** The size of the text within a JSON string, as UTF-8. */
export function jsonBytes(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character);
  return bytes;
}

/** The beginning of the text that has at most so many bytes within a JSON string, without half a character at its end. */
export function jsonPrefix(text: string, mostBytes: number): string {
  if (text.length * ESCAPE_BYTES <= mostBytes) return text;
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > mostBytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function bytesOf(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (SHORT_ESCAPES.has(character)) return 2;
  if (codePoint < 0x20 || isSurrogate(codePoint)) return ESCAPE_BYTES;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Whether it is half of a character, alone. */
function isSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff;
}
