import { join } from 'node:path';
import { callEnvironment, callsOf, checkCalls } from './calls.mjs';
import { pythonWithPackages } from './installed.mjs';
import { outputOf } from './program.mjs';

const IMPORT_ALL = `
import importlib, pkgutil, openapi_client
for module in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    importlib.import_module(module.name)
`;

const EXAMPLES = ['node_modules/jest/bin/jest.js', '--selectProjects', 'e2e', '--testPathPatterns', 'test/e2e/examples'];

/** As `npm test` runs docs/examples, but with those in Python. */
export async function checkPythonExamples(check) {
  const env = { ...process.env, EXAMPLES_PYTHON: 'python3' };
  await check('Python: the examples do what they say', () => outputOf(process.execPath, EXAMPLES, { env }));
}

export async function checkPythonClient(check, { folder, service }) {
  const env = { ...callEnvironment(service), PYTHONPATH: join(folder, 'python'), PYTHONDONTWRITEBYTECODE: '1' };
  const run = async (args) => outputOf(await pythonWithPackages(), args, { env });
  await check('Python: the client is imported', () => run(['-W', 'error', '-c', IMPORT_ALL]));
  await checkCalls(check, 'Python', () => run([callsOf('calls.py')]));
}
