// npm run docs:settings: writes the table into docs/operations/settings.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps, root } from './launch/run.mjs';
import { settingsTable, withTable } from './docs/settings-table.mjs';

const PAGE = join(root, 'docs/operations/settings.md');
/** Missing before the first build. */
const DECLARATION = join(root, 'dist/apps/gateway/libs/platform/src/config/env.dto.js');

endWithSteps();
await prepare();
const { APPS, EnvDto, SETTINGS } = await import(pathToFileURL(DECLARATION).href);
const table = settingsTable({ settings: SETTINGS, defaults: new EnvDto(), apps: APPS });
writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), table));
