import { readFileSync } from 'node:fs';

const numbers = (version) => version.split('.').map(Number);

function atLeast(have, wanted) {
  const differing = wanted.findIndex((number, place) => number !== (have[place] ?? 0));
  return differing === -1 || (have[differing] ?? 0) > wanted[differing];
}

/** Supports only the forms in package.json: `^20.19.0` and `>=24`, joined by `||`. */
export function admits(ranges, version) {
  const have = numbers(version);
  return ranges.split('||').some((range) => {
    const [, operator, minimum] = /^(\^|>=)(\d+(?:\.\d+)*)$/.exec(range.trim()) ?? [];
    if (!minimum) throw new Error(`cannot read the Node range "${range.trim()}" of package.json`);
    const wanted = numbers(minimum);
    return atLeast(have, wanted) && (operator === '>=' || have[0] === wanted[0]);
  });
}

export function requireSupportedNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (admits(engines.node, process.versions.node)) return;
  process.stderr.write(`This needs Node ${engines.node}, but this is ${process.versions.node}. Node 24 is recommended.\n`);
  process.exit(1);
}
