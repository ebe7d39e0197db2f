import { isAbsolute } from 'node:path';
import { field, FlagField } from '../http/fields/fields.js';
import { rule } from '../http/fields/rules.js';

const isPath = (value: unknown): boolean => typeof value === 'string' && isAbsolute(value) && !value.includes('\0');

export class BackupDto {
  @field({ type: 'string', minLength: 1 }, true, [
    rule('parameter_invalid', isPath, "must be an absolute path of the service's machine"),
  ])
  folder!: string;

  @FlagField({ description: 'Whether the copy contains `secrets.key`; false when left out.' })
  with_key?: boolean | null;
}
