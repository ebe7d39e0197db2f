import { ownFrames } from './own-frames.js';

const thrown = (message: string, ...lines: readonly string[]) =>
  Object.assign(new TypeError(message), { stack: [`TypeError: ${message}`, ...lines].join('\n') });

describe('the frames of an error', () => {
  it('are those of this program, below its build', () => {
    const error = thrown(
      'no',
      '    at project (file:///srv/app/dist/apps/gateway/libs/application/src/customers/customers.projection.js:12:3)',
      '    at async Object.run [as work] (file:///srv/app/dist/apps/gateway/bundle/main-A_b1.js:7:1)',
      '    at file:///srv/app/dist/apps/gateway/bundle/main.js:9:1',
      '    at get (/srv/app/node_modules/lru-cache/libs/index.js:1:1)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
    );
    expect(ownFrames(error)).toEqual([
      'project (libs/application/src/customers/customers.projection.js:12:3)',
      'Object.run (bundle/main-A_b1.js:7:1)',
      'bundle/main.js:9:1',
    ]);
  });

  it('have nothing of its message, whatever it looks like', () => {
    expect(ownFrames(thrown('Kim said:\n    at home (/srv/libs/kim.js:1:1)', '    at put (/srv/libs/a.js:1:2)'))).toEqual([
      'put (libs/a.js:1:2)',
    ]);
  });

  it('are ten at most, and none of what is no error', () => {
    expect(ownFrames(thrown('', ...Array.from({ length: 20 }, () => '    at /srv/libs/a.js:1:2')))).toHaveLength(10);
    expect([ownFrames('no'), ownFrames(undefined)]).toEqual([[], []]);
    expect(ownFrames(new Error('here'))[0]).toMatch(/libs\/application\/src\/skipped-events\/own-frames\.spec\.ts:\d+:\d+/);
  });
});
