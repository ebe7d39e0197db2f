// npm run docs:columns: writes the columns of each projection into docs/columns.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps, root } from './launch/run.mjs';
import { columnsTables, withColumnsTables } from './docs/columns-tables.mjs';

const PAGE = join(root, 'docs/columns.md');
const PROJECTIONS_FOLDER = join(root, 'dist/apps/gateway/libs/application/src/projections');
const load = (file) => import(pathToFileURL(join(PROJECTIONS_FOLDER, file)).href);

endWithSteps();
await prepare();
const { PROJECTIONS } = await load('projections.js');
const { describedColumns } = await load('columns/columns-of.js');
const columns = Object.fromEntries(PROJECTIONS.map((projection) => [projection.schema.name, describedColumns(projection)]));
writeFileSync(PAGE, withColumnsTables(readFileSync(PAGE, 'utf8'), columnsTables(columns)));
