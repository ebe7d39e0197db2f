/** The beginning of the text that has at most so many bytes as UTF-8, without half a character at its end. */
export function utf8Prefix(text: string, mostBytes: number): string {
  if (text.length * 3 <= mostBytes) return text;
  let [bytes, end] = [0, 0];
  for (const character of text) {
    bytes += bytesOf(character.codePointAt(0) ?? 0);
    if (bytes > mostBytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
