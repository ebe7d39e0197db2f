import { Logger as NestLogger } from '@nestjs/common';
import { MessageChannel } from 'node:worker_threads';
import { ignoreClosedOutput, print } from '@composition/startup/print';
import { configOfProcess } from '@platform/config/config-of-process';
import { type CommandLine, helpOf, readCommandLine } from './command-line.js';
import { Output } from './output/output.js';
import { usualAddress } from './service/usual-address.js';
import { type Places, Workbench } from './workbench.js';
import { WrongWords } from './wrong-words.js';

const FAILED = 1;
const WRONG_WORDS = 2;
const INTERRUPTED = 130;

/** Runs one command and exits. Ctrl-C leaves the folder as far as it is; a second one ends at once. */
export async function runWorkbench(args: readonly string[]): Promise<never> {
  ignoreClosedOutput();
  NestLogger.overrideLogger(false);
  const interrupted = new AbortController();
  // The clock's timers do not keep a process alive.
  new MessageChannel().port1.on('message', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  try {
    process.exit(await carryOut(readCommandLine(args), interrupted.signal));
  } catch (error) {
    if (interrupted.signal.aborted) process.exit(INTERRUPTED);
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (!(error instanceof WrongWords)) process.exit(FAILED);
    process.stderr.write('--help shows what there is.\n');
    process.exit(WRONG_WORDS);
  }
}

async function carryOut({ command, words }: CommandLine, signal: AbortSignal): Promise<number> {
  if (!command || words.isSet('help')) {
    await print(`${helpOf(command)}\n`);
    return 0;
  }
  const config = configOfProcess();
  const url = words.text('url') ?? usualAddress(config);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new WrongWords(`--url takes an address such as http://127.0.0.1:3000: not ${url}.`);
  const places: Places = {
    url,
    folder: words.text('folder') ?? './workbench',
    direct: words.isSet('direct') ? config : null,
    password: config.adminPassword,
  };
  const workbench = new Workbench(places, new Output(), signal);
  try {
    return await command.run(workbench, words);
  } finally {
    await workbench.close();
  }
}
