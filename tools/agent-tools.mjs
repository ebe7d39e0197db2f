// npm run docs:tools: writes the table of tools into docs/agents.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './launch/prepare.mjs';
import { endWithSteps, root } from './launch/run.mjs';
import { toolsTable, withToolsTable } from './docs/tools-table.mjs';

const PAGE = join(root, 'docs/agents.md');
const built = (path) => pathToFileURL(join(root, 'dist/apps/gateway/libs', path)).href;

endWithSteps();
await prepare();
const { APPOINTMENT_TOOLS } = await import(built('domain/src/appointment/agent-tools.js'));
const { CONVERSATION_TOOLS } = await import(built('adapters/src/agent-openai/status-actions.js'));
const table = toolsTable([...APPOINTMENT_TOOLS, ...CONVERSATION_TOOLS]);
writeFileSync(PAGE, withToolsTable(readFileSync(PAGE, 'utf8'), table));
