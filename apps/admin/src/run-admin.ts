import { ignoreClosedOutput, print } from '@composition/startup/print';
import { resetPassword } from './reset-password.js';

const USAGE = 'Usage: npm run admin -- reset-password';

/** Runs one command of `npm run admin` and exits the process: with 1 and one line that tells why when it cannot be done. */
export async function runAdmin(args: readonly string[]): Promise<never> {
  ignoreClosedOutput();
  try {
    if (args.join(' ') !== 'reset-password') throw new Error(USAGE);
    await print(await resetPassword());
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
