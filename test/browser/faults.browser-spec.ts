import { axeFaults } from './harness/axe.js';
import { consoleTests } from './harness/console-tests.js';
import { eventually } from '../e2e/harness/eventually.js';

const here = consoleTests();

/** What a page could do wrong, and what the test of it is told. */
const planted: readonly { readonly what: string; readonly plant: () => void; readonly told: RegExp }[] = [
  {
    what: 'an error',
    plant: () => void setTimeout(() => void (null as unknown as { x: { y: 1 } }).x.y),
    told: /error in the page/,
  },
  // oxlint-disable-next-line eslint/no-console
  { what: 'a line of an error', plant: () => console.error('planted'), told: /^planted$/ },
  {
    what: 'a script within the page',
    plant: () => void document.body.append(Object.assign(document.createElement('script'), { src: 'data:text/javascript,1' })),
    told: /policy violated|Trusted/,
  },
  {
    what: 'an image of another host',
    plant: () => void document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/x.png' })),
    told: /policy violated: img-src/,
  },
  {
    what: 'markup made of text',
    plant: () => void (document.body.innerHTML = '<b>planted</b>'),
    told: /policy violated|Trusted/,
  },
  { what: 'a refused request', plant: () => void fetch('/admin/v1/projects/none'), told: /^404 \/admin\/v1\/projects\/none$/ },
];

describe('a page that does something wrong', () => {
  it.each(planted)('fails its test: $what', async ({ plant, told }) => {
    await here.visit.goTo('/admin/projects');
    await here.page.evaluate(plant).catch(() => undefined);
    await eventually(() => expect(here.visit.faults).toContainEqual(expect.stringMatching(told)));
    here.visit.expects(/./);
  });

  it('fails its test: a request to another host', async () => {
    await here.page.goto('http://127.0.0.1:9/').catch(() => undefined);
    expect(here.visit.faults).toEqual(['request to 127.0.0.1:9']);
    here.visit.expects(/./);
  });

  it('fails its test: a field without a label', async () => {
    await here.visit.goTo('/admin/projects');
    await here.page.evaluate(() => document.querySelector('main')?.append(document.createElement('input')));
    expect(await axeFaults(here.page)).toEqual(['label: #content > input']);
  });
});
