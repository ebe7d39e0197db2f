import { readableLine } from './readable-lines.js';

const line = (fields: object) => readableLine(`${JSON.stringify({ level: 30, time: 1_767_225_601_234, ...fields })}\n`);

describe('a log line on a terminal', () => {
  it('is its time, its level in colour, its sentence and its fields', () => {
    expect(line({ msg: 'request', route: '/v1/messages', status: 200 })).toBe(
      '00:00:01.234 \u001b[32mINFO\u001b[0m request route=/v1/messages status=200\n',
    );
    expect(line({ level: 25, msg: 'between' })).toBe('00:00:01.234 25\u001b[0m between\n');
  });

  it('has what failed, and where, beneath', () => {
    const error = { name: 'TypeError', code: 'E_ODD', at: ['at one (a.js:1:2)', 'at two (b.js:3:4)'] };
    expect(line({ level: 50, msg: 'request failed', error }).split('\n').slice(1)).toEqual([
      '  TypeError (E_ODD)',
      '    at one (a.js:1:2)',
      '    at two (b.js:3:4)',
      '',
    ]);
    expect(line({ level: 50, msg: 'failed', error: { name: 'Error', at: [] } }).split('\n')[1]).toBe('  Error');
    const refused = { name: 'Error', code: 'ERR_SQLITE_ERROR', reason: 'database disk image is malformed', at: [] };
    expect(line({ level: 50, msg: 'failed', error: refused }).split('\n')[1]).toBe(
      '  Error (ERR_SQLITE_ERROR): database disk image is malformed',
    );
  });
});
