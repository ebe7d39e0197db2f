import { withMade } from './made-part.mjs';

const BEGINNING = '<!-- Made by npm run docs:tools from agent-tools.ts and status-actions.ts. -->\n';

const HEAD = ['| Tool | Argument | Form | Meaning |', '|---|---|---|---|'];

function formOf({ type, minLength, maxLength, minimum, maximum }, isRequired) {
  const bounds = maxLength === undefined ? null : `${minLength ?? 0} to ${maxLength} characters`;
  const range = maximum === undefined ? null : `${minimum ?? 0} to ${maximum}`;
  return [type, bounds, range, isRequired ? 'required' : null].filter((part) => part !== null).join(', ');
}

function rowsOf({ name, description, parameters: { properties, required = [] } }) {
  const rows = Object.entries(properties).map(
    ([argument, schema]) =>
      `| | \`${argument}\` | ${formOf(schema, required.includes(argument))} | ${schema.description ?? ''} |`,
  );
  return [`| \`${name}\` | | | ${description} |`, ...rows];
}

export function toolsTable(tools) {
  return [...HEAD, ...tools.flatMap(rowsOf), ''].join('\n');
}

export function withToolsTable(page, table) {
  return withMade(page, table, BEGINNING);
}
