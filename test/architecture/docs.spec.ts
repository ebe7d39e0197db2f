import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONVERSATION_TOOLS } from '@adapters/agent-openai/status-actions';
import { describedColumns } from '@application/projections/columns/columns-of';
import { PROJECTIONS } from '@application/projections/projections';
import { APPOINTMENT_TOOLS } from '@domain/appointment/agent-tools';
import { ISSUE_KINDS } from '@domain/issue/issue-kinds';
import { APPS, EnvDto, SETTINGS } from '@platform/config/env.dto';
import { columnsTables, withColumnsTables } from '../../tools/docs/columns-tables.mjs';
import { issuesTable, withIssuesTable } from '../../tools/docs/issues-table.mjs';
import { settingsTable, withTable } from '../../tools/docs/settings-table.mjs';
import { toolsTable, withToolsTable } from '../../tools/docs/tools-table.mjs';
import { deadLinks, rowsOf, type Pages } from './markdown.js';
import { root } from './planted-tree.js';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const isMarkdown = (path: string) => path.endsWith('.md');
const filesUnder = (folder: string) =>
  (readdirSync(join(root, folder), { recursive: true }) as string[]).map((name) => `${folder}/${name}`);

const paths = [...readdirSync(root), ...['docs', 'apps', 'libs', 'test', 'tools'].flatMap(filesUnder)].filter(isMarkdown);
const pages: Pages = Object.fromEntries(paths.map((path) => [path, read(path)]));
const page = (path: string) => pages[path] ?? '';
const scripts = (JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> }).scripts;

describe('a link in the documentation', () => {
  it('leads to a file, and to a heading where it names one', () => {
    expect(Object.keys(pages)).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/operations.md']));
    expect(deadLinks(pages, (path) => existsSync(join(root, path)))).toEqual([]);
  });

  it.each([
    ['a file that is not there', true, '[x](gone.md)'],
    ['a heading that is not there', true, '[x](b.md#no-such-heading)'],
    ['a heading of its own page that is not there', true, '[x](#gone)'],
    ['a comment in a code block', true, '[x](b.md#a-comment)'],
    ['a heading that is there', false, '[x](b.md#two-words-and-code)'],
    ['another site', false, '[x](https://example.com/gone.md)'],
    ['a missing file, where the link itself is code,', false, '`[x](gone.md)`'],
  ])('to %s is dead: %s', (_, isDead, text) => {
    const planted = { 'docs/a.md': text, 'docs/b.md': '# B\n\n## Two words, and `code`\n\n```sh\n# a comment\n```\n' };
    expect(deadLinks(planted, (path) => path in planted)).toHaveLength(isDead ? 1 : 0);
  });
});

describe('the README', () => {
  it('has at most 250 lines', () => expect(page('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(250));

  it('names npm start and npm test before any other command', () => {
    const commands = page('README.md').match(/\b(npm|npx|node|docker) +(run +)?[\w:-]+/g) ?? [];
    expect(commands.slice(0, 2)).toEqual(['npm start', 'npm test']);
  });
});

describe('the commands in the documentation', () => {
  it('are scripts of package.json', () => {
    const named = Object.values(pages).flatMap((text) => [...text.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)]);
    expect([...new Set(named.map(([, name = '']) => name))].filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('the page on columns', () => {
  const columns = Object.fromEntries(PROJECTIONS.map((projection) => [projection.schema.name, describedColumns(projection)]));
  const written = page('docs/columns.md');
  const tables = columnsTables(columns);

  it('is as `npm run docs:columns` writes it', () => expect(written).toBe(withColumnsTables(written, tables)));

  it('has every column of every projection', () => {
    for (const [name, each] of Object.entries(columns)) {
      const [, rest = ''] = written.split(`\n## ${name}\n`);
      const own = rest.split('\n## ')[0];
      for (const column of each) expect(own).toContain(`\n| \`${column.name}\` | ${column.type}`);
    }
  });

  it.each<[string, (written: string) => string]>([
    ['a column is missing', (text) => text.replace(/^\| `starts_at`.*\n/m, '')],
    ['a column is no personal data', (text) => text.replace('| `phone` | text | yes |', '| `phone` | text |  |')],
  ])('is not where %s', (_, change) => {
    const changed = change(written);
    expect(changed).not.toBe(written);
    expect(changed).not.toBe(withColumnsTables(changed, tables));
  });
});

describe('the table of tools in the page on agents', () => {
  const written = page('docs/agents.md');
  const tools = [...APPOINTMENT_TOOLS, ...CONVERSATION_TOOLS];
  const table = toolsTable(tools);

  it('is as `npm run docs:tools` writes it', () => expect(written).toBe(withToolsTable(written, table)));

  it('has every tool and every argument', () => {
    for (const { name, parameters } of tools) {
      const [, rows = ''] = written.split(`\n| \`${name}\` | | | `);
      const own = rows.split('\n| `')[0];
      for (const argument of Object.keys(parameters['properties'] as object)) expect(own).toContain(`\n| | \`${argument}\` | `);
    }
  });

  it.each<[string, (written: string) => string]>([
    ['a tool is missing', (text) => text.replace(/^\| `cancel_appointment`.*\n/m, '')],
    ['an argument is missing', (text) => text.replace(/^\| \| `duration_minutes`.*\n/m, '')],
    ['an argument is required', (text) => text.replace('| boolean |', '| boolean, required |')],
  ])('is not where %s', (_, change) => {
    const changed = change(written);
    expect(changed).not.toBe(written);
    expect(withToolsTable(changed, table)).not.toBe(changed);
  });
});

describe('the table of issues in the page on monitoring', () => {
  const written = page('docs/operations/monitoring.md');
  const table = issuesTable(ISSUE_KINDS);

  it('is as `npm run docs:issues` writes it', () => expect(written).toBe(withIssuesTable(written, table)));

  it('has every kind', () => {
    for (const kind of Object.keys(ISSUE_KINDS)) expect(written).toContain(`\n| \`${kind}\` | `);
  });

  it.each<[string, (written: string) => string]>([
    ['a kind is missing', (text) => text.replace(/^\| `disk_low`.*\n/m, '')],
    ['it opens otherwise', (text) => text.replace('three attempts in a row failed', 'two attempts in a row failed')],
  ])('is not where %s', (_, change) => {
    const changed = change(written);
    expect(changed).not.toBe(written);
    expect(withIssuesTable(changed, table)).not.toBe(changed);
  });
});

describe("the table of settings in the operator's page", () => {
  const written = page('docs/operations/settings.md');
  const table = settingsTable({ settings: SETTINGS, defaults: new EnvDto(), apps: APPS });

  it('is as `npm run docs:settings` writes it', () => expect(written).toBe(withTable(written, table)));

  it('has every setting', () => {
    expect([...SETTINGS.keys()].sort()).toEqual(Object.keys(new EnvDto()).sort());
    for (const name of SETTINGS.keys()) expect(written).toContain(`\n| \`${name}\` | `);
  });

  it.each<[string, (written: string) => string]>([
    ['a setting is missing', (text) => text.replace(/^\| `LOG_LEVEL`.*\n/m, '')],
    ['a default is another one', (text) => text.replace('| `PORT` | `3000` |', '| `PORT` | `3001` |')],
    ['an app is missing', (text) => text.replace('| projections, delivery |', '| projections |')],
    ['a secret is none', (text) => text.replace(/^(\| `ADMIN_PASSWORD` .*?) yes /m, '$1 no ')],
    ['a meaning is another one', (text) => text.replace('idle time after which', 'time after which')],
  ])('is not where %s', (_, change) => {
    const changed = change(written);
    expect(changed).not.toBe(written);
    expect(withTable(changed, table)).not.toBe(changed);
  });
});

describe('an example', () => {
  const examples = filesUnder('docs/examples').filter((path) => !isMarkdown(path));
  const specs = filesUnder('test').filter((path) => path.endsWith('-spec.ts'));

  it.each(examples)('%s is told of in the list of examples, and a test runs it', (path) => {
    const name = path.split('/').at(-1) ?? '';
    expect(page('docs/examples/README.md')).toContain(`[${name}](${name})`);
    expect(specs.filter((spec) => read(spec).includes(`'${name}'`))).not.toEqual([]);
  });
});

describe('the table of measured rows', () => {
  it('has every row of the bench, in its order, and no other', () => {
    const [, section = ''] = page('docs/performance.md').split(/^## Measured$/m);
    const documented = rowsOf(section.split(/^## /m)[0] ?? '')
      .slice(1)
      .map(([row]) => row);
    const measured = [...read('tools/bench/table.mjs').matchAll(/^ {2}row\(\s*'(\w+)'/gm)].map(([, row]) => row);
    expect(documented).toEqual(measured);
  });
});

describe('a decision record', () => {
  const records = paths.filter((path) => /^docs\/decisions\/\d/.test(path));

  it.each(records)('%s has its form', (path) => {
    const lines = page(path).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(15);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.startsWith('#'))).toEqual([
      expect.stringMatching(/^# [A-Z].*[^.]$/),
      '## Context',
      '## Decision',
      '## Consequences',
      '## Rejected alternatives',
    ]);
    expect(lines.slice(2, 4)).toEqual([expect.stringMatching(/^- Status: /), expect.stringMatching(/^- Date: \d{4}-\d\d-\d\d$/)]);
  });

  it('stands in the index under its number and title', () => {
    const index = page('docs/decisions/README.md');
    const entry = (path: string) => `[${path.slice(15, 19)} ${page(path).split('\n')[0]?.slice(2)}](${path.slice(15)})`;
    expect(records.map(entry).filter((line) => !index.includes(line))).toEqual([]);
    expect(records.map((path) => Number(path.slice(15, 19))).sort((a, b) => a - b)).toEqual(records.map((_, index) => index + 1));
  });
});
