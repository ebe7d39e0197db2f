// A named import of `styleText` would fail on an old Node before its version is refused.
import * as util from 'node:util';

const styled = (style, text) => (process.stdout.isTTY ? util.styleText(style, text) : text);
const say = (line = '') => process.stdout.write(`${line}\n`);
const json = (value) => JSON.stringify(value);

let steps = 0;

export const title = (text) => say(`\n${styled('bold', `${++steps}. ${text}`)}`);

export const sent = (line, body) => say(`  ${styled('cyan', '→')} ${line}${body === undefined ? '' : ` ${json(body)}`}`);

export const came = (status, body) => say(`  ${styled('cyan', '←')} ${status} ${json(body)}`);

export const note = (text) => say(`    ${text}`);

export const done = (text) => say(`\n${styled('green', text)}`);

export function hold(claim, isTrue) {
  if (!isTrue) throw new Error(`This did not hold: ${claim}.`);
  say(`  ${styled('green', '✓')} ${claim}`);
}
