// npm run docs:issues: writes the table of issues into docs/operations/monitoring.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps, root } from './launch/run.mjs';
import { issuesTable, withIssuesTable } from './docs/issues-table.mjs';

const PAGE = join(root, 'docs/operations/monitoring.md');
const KINDS = join(root, 'dist/apps/gateway/libs/domain/src/issue/issue-kinds.js');

endWithSteps();
await prepare();
const { ISSUE_KINDS } = await import(pathToFileURL(KINDS).href);
writeFileSync(PAGE, withIssuesTable(readFileSync(PAGE, 'utf8'), issuesTable(ISSUE_KINDS)));
