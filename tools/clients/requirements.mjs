import { spawnSync } from 'node:child_process';
import { javaGaps } from '../engines/kafka/requirements.mjs';

const PYTHON = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
const runs = (program, args) => spawnSync(program, args).status === 0;

/** What this machine lacks. Go is installed if missing, with Python. */
export function clientGaps() {
  const gaps = javaGaps({ withMaven: true });
  if (!runs('javac', ['-version'])) gaps.push('javac not found: install a Java development kit');
  if (!runs('python3', ['-c', PYTHON]))
    gaps.push('python3 not found, too old or without venv: install Python 3.10 or newer with venv');
  return gaps;
}
