import type { EnvDto, Setting, Variable } from '../../libs/platform/src/config/env.dto.js';

export function settingsTable(of: {
  readonly settings: ReadonlyMap<Variable, Setting>;
  readonly defaults: EnvDto;
  readonly apps: readonly string[];
}): string;

export function withTable(page: string, table: string): string;
