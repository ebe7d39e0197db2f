import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmTools } from './installed.mjs';
import { outputOf } from './program.mjs';

const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

export async function lint(document) {
  const program = join(await npmTools(), 'node_modules/@redocly/cli/bin/cli.js');
  await outputOf(process.execPath, [program, 'lint', '--config', config, '--format', 'stylish', document], { env });
}
