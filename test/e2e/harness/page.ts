import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const MARK = '== the next block ==';
const folder = join(__dirname, '../../..');

/** Runs the `sh` blocks of a page in one shell, as a reader would paste them one by one; resolves to what each of them wrote. */
export async function runPage(path: string, filledIn: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const blocks = [...readFileSync(join(folder, path), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  );
  const place = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    writeFileSync(join(place, 'curl'), `#!/bin/sh\nexec '${process.execPath}' '${join(__dirname, 'curl.mjs')}' "$@"\n`, {
      mode: 0o755,
    });
    const script = blocks.join(`\nprintf '\\n${MARK}\\n'\n`);
    const text = Object.entries(filledIn).reduce((before, [shown, meant]) => before.replaceAll(shown, meant), script);
    const env = { PATH: `${place}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', text], { env });
    return stdout.split(`\n${MARK}\n`);
  } finally {
    rmSync(place, { recursive: true });
  }
}
