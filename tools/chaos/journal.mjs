import { openSync, readFileSync, writeSync } from 'node:fs';

/** Appends JSON lines, each written synchronously. */
export class Journal {
  constructor(path) {
    this.path = path;
    this.file = openSync(path, 'a');
  }

  write(entry) {
    writeSync(this.file, `${JSON.stringify({ at: Date.now(), ...entry })}\n`);
  }
}

export function readJournal(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
