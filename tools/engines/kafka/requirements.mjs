import { spawnSync } from 'node:child_process';

const OLDEST_JAVA = 17;

const outputOf = (program, args) => {
  const { error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return error ? undefined : `${stdout}${stderr}`;
};

/** Such as `17.0.15`; undefined without java on the path. */
const javaVersion = () => /version "([^"]+)"/.exec(outputOf('java', ['-version']) ?? '')?.[1];

export function javaGaps({ withMaven }) {
  const java = javaVersion();
  const gaps = [];
  if (java === undefined) gaps.push(`java not found: install Java ${OLDEST_JAVA} or newer`);
  else if (Number.parseInt(java, 10) < OLDEST_JAVA) gaps.push(`java ${java} is too old: install Java ${OLDEST_JAVA} or newer`);
  if (withMaven && outputOf('mvn', ['-version']) === undefined) gaps.push('mvn not found: install Maven');
  return gaps;
}

export function kafkaGaps(isInstalled) {
  const gaps = javaGaps({ withMaven: !isInstalled });
  if (outputOf('setpriv', ['--version']) === undefined) gaps.push('setpriv not found: install util-linux');
  return gaps;
}
