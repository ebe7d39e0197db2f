import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './planted-tree.js';

const roles = [
  ...[
    'events',
    'commands',
    'query',
    'queries',
    'decider',
    'port',
    'contract',
    'handler',
    'handlers',
    'projection',
    'reactor',
    'worker',
  ],
  ...[
    'sweeper',
    'module',
    'controller',
    'dto',
    'resource',
    'consumer',
    'guard',
    'interceptor',
    'filter',
    'spec',
    'e2e-spec',
    'policy',
    'hooks',
    'step',
  ],
];
const emptyWords = ['manager', 'helper', 'helpers', 'util', 'utils', 'base', 'common', 'index'];

const folders = ['apps', 'libs', 'test', 'tools'];
const technologyFolders = /^libs\/(adapters|engine-[^/]+|testing)\//;
const source = /\.(ts|mjs)$/;

const sources = folders.flatMap(function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(`${folder}/${entry.name}`) : source.test(entry.name) ? [`${folder}/${entry.name}`] : [],
  );
});

const isPort = (name: string) => existsSync(join(root, `libs/ports/src/${name}.port.ts`));

function faultOfWords(parts: readonly string[]): string | null {
  const words = parts.map((part) => part.split('-'));
  const banned =
    words.flat().find((word) => emptyWords.includes(word)) ?? words.find((part) => part.at(-1) === 'service')?.at(-1);
  return banned === undefined ? null : `"${banned}" says nothing`;
}

/** What is wrong with a file's name, if anything. An adapter puts its technology, or the port it stands on, before its role. */
function faultOf(path: string): string | null {
  const [concept = '', ...parts] = basename(path).replace(source, '').split('.');
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(concept)) return 'a concept is written in lower case, with dashes';
  const fault = faultOfWords([concept, ...parts]);
  if (fault !== null || path.startsWith('tools/')) return fault;
  const [strange, ...more] = parts.filter((part) => !roles.includes(part));
  const isTechnology = strange === undefined || technologyFolders.test(path) || isPort(strange);
  return isTechnology && more.length === 0 ? null : `"${strange}" is no role`;
}

describe('the name of a file', () => {
  it('is <concept>.<role> everywhere', () => {
    const faults = sources.map((path) => [path, faultOf(path)] as const).filter(([, fault]) => fault !== null);
    expect(Object.fromEntries(faults)).toEqual({});
  });

  it.each([
    ['libs/domain/src/delivery/retry-policy.ts', null],
    ['libs/adapters/src/agent.openai.ts', null],
    ['libs/application/src/projects/api-keys.event-store.ts', null],
    ['libs/engine-embedded/src/event-store.embedded.spec.ts', null],
    ['libs/domain/src/delivery/delivery.rules.ts', '"rules" is no role'],
    ['apps/gateway/src/v1/messages.service.ts', '"service" says nothing'],
    ['libs/application/src/date-utils.ts', '"utils" says nothing'],
    ['libs/domain/src/index.ts', '"index" says nothing'],
    ['libs/domain/src/RetryPolicy.ts', 'a concept is written in lower case, with dashes'],
  ])('%s: %s', (path, fault) => expect(faultOf(path)).toBe(fault));
});
