import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './planted-tree.js';
import { namesIn, wordsOf, type SourceNames } from './source-names.js';

const roles = [
  'events commands query queries decider port contract handler handlers projection reactor worker',
  'sweeper module controller dto resource consumer guard interceptor filter spec e2e-spec browser-spec cluster-spec soak-spec policy hooks step',
].flatMap((line) => line.split(' '));
const emptyWords = ['helper', 'helpers', 'util', 'utils', 'base', 'common', 'index'];

const folders = ['apps', 'libs', 'test', 'tools'];
const technologyFolders = /^libs\/(adapters|agent-[^/]+|engine-[^/]+|testing)\//;
/** Declarations in `*.d.ts` are made by a program. */
const source = /(?<!\.d)\.(ts|mjs)$/;

const sources = folders.flatMap(function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(`${folder}/${entry.name}`) : source.test(entry.name) ? [`${folder}/${entry.name}`] : [],
  );
});

const isPort = (name: string) => existsSync(join(root, `libs/ports/src/${name}.port.ts`));

function faultOfWords(parts: readonly string[]): string | null {
  const banned = parts.flatMap((part) => part.split('-')).find((word) => emptyWords.includes(word));
  return banned === undefined ? null : `"${banned}" says nothing`;
}

/** What is wrong with a file's name, if anything. An adapter's technology, or its port, stands before the role. */
function faultOf(path: string): string | null {
  const [concept = '', ...parts] = basename(path).replace(source, '').split('.');
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(concept)) return 'a concept is written in lower case, with dashes';
  const fault = faultOfWords([concept, ...parts]);
  if (fault !== null || path.startsWith('tools/')) return fault;
  const [strange, ...more] = parts.filter((part) => !roles.includes(part));
  const isTechnology = strange === undefined || technologyFolders.test(path) || isPort(strange);
  return isTechnology && more.length === 0 ? null : `"${strange}" is no role`;
}

/** Files with these roles hold several things of one concept, or name what they do by verbs. */
const pluralRoles = ['events', 'commands', 'queries', 'handlers', 'dto', 'resource', 'hooks', 'step'];
const leftOut = /(\.(e2e-|cluster-)?spec|\.contract)\.ts$|^libs\/testing\/|^libs\/ports\/src\/contracts\//;

/** Words that were replaced by the field's own: as identifiers, and in kebab case as names of files. */
const replaced = [
  'Departure Arrival Admission surround AnswerShare AnswerShares BodyShare BodyShares Visit',
  'HeldClaim Begun Origin KeyedOrigin MessageJob foundIn MessagePlaces Place ConversationLines',
  'OpenWindows TurnAttachment learn meet presumeNew Following Wanted hurry ReactorLanes laneOf',
  'EndpointShares heldBack LostDeliveries StrayRows GoneEndpointsReactor WayIn CustomerNotReached',
  'InFlight InTurns ReadingTurn EnteredKeys PossibleKeys StreamEnds GatheredEvents LongWalks',
  'RepeatedTrouble isStoreTrouble say again',
].flatMap((line) => line.split(' '));

const replacedFiles = ['ending', 'announcement', 'origins', 'house-rules'];

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '');
const joined = (words: readonly string[]) => words.join('');

/** Whether every word of the file's name is in the name of the export, be it in the plural. `shutDown` is in `shutdown.ts`. */
function isNamedFor(fileWords: readonly string[], name: string): boolean {
  const words = wordsOf(name).map(singular);
  const inOrder = [fileWords, fileWords.toReversed()].some((order) => joined(order) === joined(wordsOf(name)));
  return inOrder || fileWords.every((word) => words.includes(singular(word)));
}

/** A plural noun names a file with several exports of that noun, and one of constants. */
function isNamedForAll(fileWords: readonly string[], { exports, constants, types }: SourceNames): boolean {
  const noun = fileWords.at(-1) ?? '';
  if (!noun.endsWith('s')) return false;
  const isConstant = (name: string) => types.has(name) || (constants.has(name) && name === name.toUpperCase());
  const sharing = exports.filter((name) => wordsOf(name).map(singular).includes(singular(noun)));
  return (
    sharing.length > 1 ||
    (exports.some((name) => constants.has(name) && name === name.toUpperCase()) &&
      exports.every((name) => isConstant(name) || /^[a-z]/.test(name)))
  );
}

/** What is wrong with the name of a production file for what it exports, if anything. */
function faultOfExports(path: string, names: SourceNames): string | null {
  const [concept = '', ...parts] = basename(path).replace(source, '').split('.');
  const role = parts.find((part) => roles.includes(part));
  const fileWords = [concept, ...parts.filter((part) => part !== role)].flatMap((part) => part.split('-'));
  const isExempt = names.exports.length === 0 || (role && pluralRoles.includes(role)) || concept.endsWith('-policy');
  if (isExempt || names.exports.some((name) => isNamedFor(fileWords, name)) || isNamedForAll(fileWords, names)) return null;
  return 'is named for none of its exports';
}

function replacedWords(path: string, { identifiers }: SourceNames): readonly string[] {
  const concept = basename(path).split('.')[0];
  const found = replaced.filter((word) => identifiers.has(word) || wordsOf(word).join('-') === concept);
  return [...found, ...replacedFiles.filter((file) => file === concept)].map((word) => `"${word}" was replaced`);
}

function faultsOf(path: string, text: string): readonly string[] {
  const names = namesIn(path, text);
  const fault = faultOfExports(path, names);
  return [...(fault ? [fault] : []), ...replacedWords(path, names)];
}

describe('the names in production code', () => {
  const production = sources.filter((path) => /^(apps|libs)\/.*\.ts$/.test(path) && !leftOut.test(path));
  const files = production.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

  it('are those of what the files export, and of the field', () => {
    const faults = files.map(([path, text]) => [path, faultsOf(path, text)] as const).filter(([, found]) => found.length > 0);
    expect(Object.fromEntries(faults)).toEqual({});
  });

  it.each([
    ['libs/application/src/streams/stream-runner.ts', 'export class StreamRunner {}', []],
    ['libs/application/src/streams/cache.ts', 'export class StreamRunner {}', ['is named for none of its exports']],
    ['libs/domain/src/kernel/ids.ts', 'export function timeOf(id: string) { return id; }', ['is named for none of its exports']],
    ['libs/domain/src/kernel/text-bounds.ts', 'export const MAX_TEXT_LENGTH = 1;', []],
    ['libs/kit/src/slot.ts', 'interface Place {}\nexport interface Slot extends Place {}', ['"Place" was replaced']],
    ['apps/gateway/src/startup/ending.ts', 'export const ending = 1;', ['"ending" was replaced']],
    ['libs/application/src/runtime/repeated-trouble.ts', 'export const repeatedTrouble = 1;', ['"RepeatedTrouble" was replaced']],
    ['libs/kit/src/slot.ts', '/** Origin */\nexport const slot = "Origin";', []],
  ])('%s with %j: %j', (path, text, faults) => expect(faultsOf(path, text)).toEqual(faults));

  it.each(replaced)('do not use "%s" any more', (word) =>
    expect(faultsOf('libs/kit/src/slot.ts', `export const slot = (${word}: number) => ${word};`)).toEqual([
      `"${word}" was replaced`,
    ]),
  );
});

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
    ['libs/application/src/claims/claim-repository.ts', null],
    ['libs/application/src/date-utils.ts', '"utils" says nothing'],
    ['libs/domain/src/index.ts', '"index" says nothing'],
    ['libs/domain/src/RetryPolicy.ts', 'a concept is written in lower case, with dashes'],
  ])('%s: %s', (path, fault) => expect(faultOf(path)).toBe(fault));
});
