import { parseArgs } from 'node:util';
import type { Command, CommandOption, Words } from './commands/command.js';
import { COMMANDS } from './commands/commands.js';
import { WrongWords } from './wrong-words.js';

const PROGRAM = 'npm run projections --';

const OF_EVERY_COMMAND: Readonly<Record<string, CommandOption>> = {
  url: { type: 'string', value: '<address>', about: 'the running service, instead of the local one.' },
  folder: { type: 'string', value: '<folder>', about: 'where the rows of the workbench are, instead of ./workbench.' },
  direct: { type: 'boolean', about: 'reads the log and the rows of a cluster from EVENTSTORE_URL and MONGODB_URL.' },
  help: { type: 'boolean', about: 'shows this.' },
};

export interface CommandLine {
  /** Null for the help of all. */
  readonly command: Command | null;
  readonly words: Words;
}

/** Throws `WrongWords`. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const [first, ...rest] = args;
  if (first === '--help') return { command: null, words: wordsOf(['--help'], {}) };
  const command = COMMANDS.find(({ name }) => name === first);
  // As before there were commands with options of their own, options may come first.
  if (!command && first?.startsWith('--')) return readCommandLine(withCommandFirst(args));
  if (!command) throw new WrongWords(first === undefined ? 'Name a command.' : `No such command: ${first}.`);
  const words = wordsOf(rest, command.options);
  const isWhole = words.names.length >= command.least && words.names.length <= command.most;
  if (!isWhole && !words.isSet('help')) throw new WrongWords(`Usage: ${usageOf(command)}`);
  return { command, words };
}

/** The text that `--help` prints. */
export function helpOf(command: Command | null): string {
  if (command) return [`Usage: ${usageOf(command)}`, `It ${command.about}`, '', ...optionLines(command.options)].join('\n');
  const widest = Math.max(...COMMANDS.map((each) => nameOf(each).length));
  const commands = COMMANDS.map((each) => `  ${nameOf(each).padEnd(widest)}  ${each.about}`);
  const environment =
    'ADMIN_PASSWORD has the admin password. It ends with 1 on a failure or a difference, with 2 for wrong words.';
  return [`Usage: ${PROGRAM} <command>`, '', ...commands, '', ...optionLines({}), '', environment].join('\n');
}

function usageOf(command: Command): string {
  return `${PROGRAM} ${nameOf(command)} [options]`;
}

function nameOf({ name, takes }: Command): string {
  return [name, takes].filter(Boolean).join(' ');
}

function optionLines(options: Command['options']): readonly string[] {
  const all = Object.entries({ ...options, ...OF_EVERY_COMMAND });
  const shown = all.map(([name, { value, about }]) => [`--${name}${value ? ` ${value}` : ''}`, about] as const);
  const widest = Math.max(...shown.map(([option]) => option.length));
  return shown.map(([option, about]) => `  ${option.padEnd(widest)}  ${about}`);
}

function wordsOf(args: readonly string[], own: Command['options']): Words {
  const all = { ...own, ...OF_EVERY_COMMAND };
  const options = Object.fromEntries(Object.entries(all).map(([name, { type, multiple = false }]) => [name, { type, multiple }]));
  const { values, positionals } = parsed(args, options);
  return {
    names: positionals,
    text: (option) => (typeof values[option] === 'string' ? values[option] : undefined),
    texts: (option) => [values[option] ?? []].flat().map(String),
    isSet: (option) => values[option] === true,
  };
}

function parsed(args: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] & object) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new WrongWords((error as Error).message);
  }
}

function withCommandFirst(args: readonly string[]): readonly string[] {
  const index = args.findIndex((word) => COMMANDS.some(({ name }) => name === word));
  if (index === -1) throw new WrongWords('Name a command.');
  return [args[index] ?? '', ...args.slice(0, index), ...args.slice(index + 1)];
}
