import { ignoreClosedOutput, print } from '@composition/startup/print';
import { backUp } from './back-up.js';
import { restore } from './restore.js';
import { resetPassword } from './reset-password.js';

const USAGE = 'Usage: npm run admin -- reset-password';

/** Runs one command and exits; if it fails, with 1 and one line of explanation. */
export async function runAdmin(args: readonly string[]): Promise<never> {
  ignoreClosedOutput();
  try {
    await print(await carryOut(args));
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** Resolves to the output. `tools/backup.mjs` calls `restore`, and `backup` when no service runs. */
async function carryOut([command, ...rest]: readonly string[]): Promise<string> {
  if (command === 'reset-password' && rest.length === 0) return resetPassword();
  const [folder, withKey] = rest;
  if (command === 'backup' && folder !== undefined) return String(await backUp(folder, withKey === '--with-key'));
  if (command === 'restore' && folder !== undefined) return restore(folder);
  throw new Error(USAGE);
}
