import { withMade } from './made-part.mjs';

const BEGINNING = '<!-- Made by npm run docs:issues from libs/domain/src/issue/issue-kinds.ts. -->\n';

const HEAD = ['| Kind | About | Opens when | Closes a minute after | What to do |', '|---|---|---|---|---|'];

const NOUNS = {
  webhook_endpoint: 'an endpoint',
  project: 'a project',
  read_model: 'a read model',
  component: 'a projection or a reactor',
  server: 'MongoDB, Kafka or EventStoreDB',
  data_directory: 'the data directory',
};

export function issuesTable(kinds) {
  const rows = Object.entries(kinds).map(
    ([kind, { subject, opens, closes, whatToDo }]) => `| \`${kind}\` | ${NOUNS[subject]} | ${opens} | ${closes} | ${whatToDo} |`,
  );
  return [...HEAD, ...rows, ''].join('\n');
}

export function withIssuesTable(page, table) {
  return withMade(page, table, BEGINNING);
}
