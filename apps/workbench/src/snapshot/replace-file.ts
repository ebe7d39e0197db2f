import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes a file that is there whole or not at all: until the end, and where `write` rejects, what was there before stays. */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  // A rename is one step only within one folder.
  const written = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  try {
    const file = await open(written, 'w');
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(written, path);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}
