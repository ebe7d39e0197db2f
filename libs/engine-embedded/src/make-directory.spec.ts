import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { makeDirectory } from './make-directory.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'directories-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const isThere = (path: string) => statSync(path).isDirectory();

describe('a directory', () => {
  it('is made with those above it, wherever it is counted from', () => {
    const [absolute, further] = [join(folder, 'made', 'anew'), join(folder, 'made', 'and', 'more')];
    makeDirectory(absolute);
    makeDirectory(relative(process.cwd(), further));
    expect([absolute, further].map(isThere)).toEqual([true, true]);
  });

  it('that is made is for its owner only: what customers said is in it', () => {
    const path = join(folder, 'made', 'data');
    makeDirectory(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('that is there already, behind a link too, stays as it is', () => {
    const link = join(folder, 'link');
    symlinkSync(folder, link);
    makeDirectory(link);
    makeDirectory('.');
    makeDirectory('/');
    expect(isThere(link)).toBe(true);
  });

  it('that cannot be made is refused, whatever stands in its way', () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    for (const path of ['file', 'file/below', 'dangling', 'dangling/below']) {
      expect(() => makeDirectory(join(folder, path))).toThrow(/^E/);
    }
  });
});
