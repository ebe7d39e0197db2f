import { remembering, type CommandIds } from './command-ids.js';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `command ${index + 1}`);

test('a command is remembered until ten others have followed it', () => {
  const commandIds = numbered(10).reduce<CommandIds>(remembering, []);
  expect(commandIds).toEqual(numbered(10));
  expect(remembering(commandIds, 'command 11')).toEqual(numbered(11).slice(1));
});
