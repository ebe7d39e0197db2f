import { print } from '@composition/startup/print';
import type { Clock } from '@ports/clock.port';
import type { Progress } from './progress.js';
import { ProgressBar } from './progress-bar.js';
import { ProgressLines } from './progress-lines.js';

/** Results on standard output: text where somebody reads it, else a line of JSON each. Progress on standard error. */
export class Output {
  readonly isTerminal = process.stdout.isTTY === true;

  async tell(result: object, text?: string): Promise<void> {
    await print(`${this.isTerminal && text !== undefined ? text : JSON.stringify(result)}\n`);
  }

  progress(clock: Clock): Progress {
    return process.stderr.isTTY ? new ProgressBar(clock) : new ProgressLines((line) => process.stderr.write(`${line}\n`), clock);
  }
}
