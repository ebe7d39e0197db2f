import { withMade } from './made-part.mjs';

const BEGINNING = '<!-- Made by npm run docs:columns from the columns of the projections. -->\n';

const HEAD = ['| Column | Type | Personal | Meaning |', '|---|---|---|---|'];

function rowOf({ name, type, unit, meaning, personal }) {
  return `| \`${name}\` | ${unit === null ? type : `${type}, ${unit}`} | ${personal ? 'yes' : ''} | ${meaning} |`;
}

export function columnsTables(projections) {
  return Object.entries(projections)
    .map(([name, columns]) => [`## ${name}`, '', ...HEAD, ...columns.map(rowOf), ''].join('\n'))
    .join('\n');
}

export function withColumnsTables(page, tables) {
  return withMade(page, tables, BEGINNING);
}
