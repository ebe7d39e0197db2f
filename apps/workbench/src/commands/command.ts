import type { Workbench } from '../workbench.js';

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly multiple?: true;
  /** The placeholder of the value in the help, such as `<category>`. */
  readonly value?: string;
  readonly about: string;
}

export interface Words {
  readonly names: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  isSet(option: string): boolean;
}

/** A command of the workbench. */
export interface Command {
  readonly name: string;
  /** The names that it takes, as its help shows them. */
  readonly takes: string;
  readonly about: string;
  readonly least: number;
  readonly most: number;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Resolves to the exit code. Rejects with `WrongWords` for names that are not known. */
  run(workbench: Workbench, words: Words): Promise<number>;
}

export const NO_NAMES = { takes: '', least: 0, most: 0 } as const;
export const SOME_NAMES = { takes: '[name …]', least: 0, most: Infinity } as const;
