const BEGINNING = '<!-- Made by npm run docs:settings from libs/platform/src/config/env.dto.ts. -->\n';
const END = '<!-- The end of what it made. -->\n';

const HEAD = ['| Variable | Default | Read by | Secret | Meaning |', '|---|---|---|---|---|'];

function rowOf(name, usual, { about, apps, isSecret, onlyIf }, allApps) {
  const meaning = onlyIf === null ? about : `\`${onlyIf.variable}=${onlyIf.value}\`: ${about}`;
  const readBy = allApps.every((app) => apps.includes(app)) ? 'all' : apps.join(', ');
  return `| \`${name}\` | ${usual === '' ? 'empty' : `\`${usual}\``} | ${readBy} | ${isSecret ? 'yes' : 'no'} | ${meaning} |`;
}

/** The table of all settings in markdown, in their order. */
export function settingsTable({ settings, defaults, apps }) {
  return [...HEAD, ...[...settings].map(([name, setting]) => rowOf(name, defaults[name], setting, apps)), ''].join('\n');
}

/** The page with this table in the place of the one that it has. */
export function withTable(page, table) {
  const [start, end] = [page.indexOf(BEGINNING), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error('The page does not say where the table of settings begins and ends.');
  return `${page.slice(0, start)}${BEGINNING}\n${table}\n${page.slice(end)}`;
}
