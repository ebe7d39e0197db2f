import { accessSync, constants, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const FOLDER = '/dev/shm';
/** Several times what a run stores. */
const NEEDED_BYTES = 2 * 1024 ** 3;

function hasRoom(folder) {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/**
 * A folder for temporary files whose loss with the machine does not matter, in memory if there is room: engines on a slow disk make calls
 * miss their deadlines. The usual folder otherwise, and where TMPDIR names one.
 */
export function folderInMemory(folder = FOLDER) {
  return process.env.TMPDIR === undefined && hasRoom(folder) ? folder : tmpdir();
}
