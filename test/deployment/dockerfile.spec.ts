import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stagesOf } from '../../tools/compose/dockerfile.mjs';
import { IMAGES } from '../../tools/engines/versions.mjs';
import { admits } from '../../tools/launch/node-version.mjs';
import { root } from './compose-file.js';

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const stages = stagesOf(text('Dockerfile'));
const instructions = stages.flatMap((stage) => stage.instructions);
const ran = instructions.filter(({ keyword }) => keyword === 'RUN').map(({ argument }) => argument);

describe('the Dockerfile', () => {
  it('stands on the Node of the table of versions in every stage', () =>
    expect(stages.map(({ image }) => image)).toEqual(stages.map(() => IMAGES.node)));

  it('stands on a Node that package.json admits and .nvmrc recommends', () => {
    const [, version = ''] = /^node:(\d+\.\d+\.\d+)-\w+-slim$/.exec(IMAGES.node) ?? [];
    const { engines } = JSON.parse(text('package.json')) as { engines: { node: string } };
    expect(admits(engines.node, version)).toBe(true);
    expect(version.split('.')[0]).toBe(text('.nvmrc').trim());
  });

  it('runs npm alone', () => expect(ran).toEqual(['npm ci', 'npm run build', 'npm ci --omit=dev']));

  it('ends as a user that owns nothing of the image', () => {
    const { keyword, argument } = stages.at(-1)?.instructions.at(-1) ?? {};
    expect([keyword, argument]).toEqual(['USER', 'node']);
    expect(instructions.filter((one) => one.argument.includes('--chown'))).toEqual([]);
  });

  it('puts packages without those of development and the bundle into the image, and nothing else', () => {
    const copied = stages.at(-1)?.instructions.filter(({ keyword }) => keyword === 'COPY');
    expect(copied?.map(({ argument }) => argument)).toEqual([
      '--from=packages /app ./',
      '--from=build /app/dist/apps/gateway/bundle dist/apps/gateway/bundle',
    ]);
  });
});

describe('a Dockerfile as the check reads it', () => {
  it('has stages with names, comments aside and continued lines joined', () => {
    const planted = '# a comment\nFROM one AS first\nRUN a \\\n  b\n\nFROM two\nUSER me\n';
    expect(stagesOf(planted)).toEqual([
      { image: 'one', name: 'first', instructions: [{ keyword: 'RUN', argument: 'a b' }] },
      { image: 'two', name: '1', instructions: [{ keyword: 'USER', argument: 'me' }] },
    ]);
  });

  it('is refused where a line is no instruction', () => expect(() => stagesOf('FROM one\nrun it\n')).toThrow('"run it"'));
});
