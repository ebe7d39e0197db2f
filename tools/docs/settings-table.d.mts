import type { EnvDto, Setting, Variable } from '../../libs/platform/src/config/env.dto.js';

/** The table of all settings in markdown, in their order. */
export function settingsTable(of: {
  readonly settings: ReadonlyMap<Variable, Setting>;
  readonly defaults: EnvDto;
  readonly apps: readonly string[];
}): string;

/** The page with this table in the place of the one that it has. */
export function withTable(page: string, table: string): string;
