import { withMade } from './made-part.mjs';

const BEGINNING = '<!-- Made by npm run docs:settings from libs/platform/src/config/env.dto.ts. -->\n';

const HEAD = ['| Variable | Default | Read by | Secret | Meaning |', '|---|---|---|---|---|'];

function rowOf(name, usual, { about, apps, isSecret, onlyIf }, allApps) {
  const meaning = onlyIf === null ? about : `\`${onlyIf.variable}=${onlyIf.value}\`: ${about}`;
  const readBy = allApps.every((app) => apps.includes(app)) ? 'all' : apps.join(', ');
  return `| \`${name}\` | ${usual === '' ? 'empty' : `\`${usual}\``} | ${readBy} | ${isSecret ? 'yes' : 'no'} | ${meaning} |`;
}

export function settingsTable({ settings, defaults, apps }) {
  return [...HEAD, ...[...settings].map(([name, setting]) => rowOf(name, defaults[name], setting, apps)), ''].join('\n');
}

export function withTable(page, table) {
  return withMade(page, table, BEGINNING);
}
