import type { FileHandle } from 'node:fs/promises';

const CHARACTERS_AT_ONCE = 256 * 1_024;

/** Writes texts one after another, some of them at a time. */
export async function writeTexts(texts: AsyncIterable<string>, file: FileHandle): Promise<void> {
  let text = '';
  for await (const each of texts) {
    text += each;
    if (text.length < CHARACTERS_AT_ONCE) continue;
    await file.writeFile(text);
    text = '';
  }
  await file.writeFile(text);
}
