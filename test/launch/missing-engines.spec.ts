import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../deployment/compose-file.js';

/** What a machine without any program, with these versions of Kafka installed, lacks to run the tests of the cluster. */
function missingForTests(
  installed: readonly string[],
  servers: Record<string, string> = {},
  name = 'engines-',
): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), name));
  for (const version of installed) mkdirSync(join(folder, `kafka-${version}`));
  const script = `import { missingForTests } from './tools/engines/engines.mjs'; console.log(JSON.stringify(missingForTests()));`;
  const env = { ...servers, PATH: folder, ENGINES_CACHE: folder };
  const args = ['--input-type=module', '--eval', script];
  try {
    return JSON.parse(execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })) as string[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('what a machine lacks to run the tests of the cluster', () => {
  const ofKafka = (lines: readonly string[]) => lines.filter((line) => line.includes('kafka')).join('\n');

  it('is told in full, where a server of the caller’s is named too, for some tests kill engines of their own', () => {
    const without = missingForTests([]);
    for (const program of ['java', 'mvn', 'setpriv']) expect(ofKafka(without)).toContain(`${program} not found`);
    expect(missingForTests([], { KAFKA_BROKERS: '127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1' })).toEqual(without);
  });

  it('is told for each version of Kafka that they run', () => {
    expect(ofKafka(missingForTests(['4.3.1']))).toContain('mvn not found');
    expect(ofKafka(missingForTests(['4.3.1', '3.9.2']))).not.toContain('mvn not found');
  });

  it('is a path without a colon, where programs take a list of paths', () => {
    expect(ofKafka(missingForTests(['4.3.1', '3.9.2'], {}, 'engines:'))).toMatch(
      /kafka: the path \S*engines:\S+ has a colon, which separates paths: set ENGINES_CACHE to a folder without one/,
    );
    expect(ofKafka(missingForTests(['4.3.1', '3.9.2']))).not.toContain('colon');
  });
});
