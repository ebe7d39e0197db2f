import { nextSlot, change } from '../e2e/harness/ledger.js';
import { Backend } from '../e2e/harness/receiver.js';
import { RecordingModel } from '../e2e/harness/recording-model.js';
import { consoleTests } from './harness/console-tests.js';
import { addressOf, PLACES } from './harness/places.js';
import { made, planted, type Planted } from './harness/planted.js';
import { widthBeyondWindow } from './harness/width-beyond-window.js';

const MARKUP = `<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>`;
const LONG_BYTES = 102_400;
/** Markup, an override to right-to-left, letters of that direction, characters of no width, and one word without an end. */
const HOSTILE = `${MARKUP}\u202e\u2067שלום مرحبا\u200b\u200d\ufeff\u0301${'W'.repeat(LONG_BYTES)}`;
const hostile = (max: number) => HOSTILE.slice(0, max);
/** As a header's value carries it: its bytes. */
const IN_HEADER = Buffer.from(hostile(4_000)).toString('latin1');
/** A phone's, one at 200 % zoom, and a whole one. */
const WIDTHS = [390, 640, 1280];

let model: RecordingModel;
const here = consoleTests(async () => {
  model = await RecordingModel.start();
  model.answering = ({ last }) => (last === HOSTILE.slice(0, 8_000) ? { calls: [HAND_OFF], content: HOSTILE } : HOSTILE);
  return model.variables;
});
/** What the model says that it does. */
const HAND_OFF = { name: 'hand_off_to_human', args: JSON.stringify({ reason: hostile(255), summary: hostile(1_000) }) };

let backend: Backend;
let some: Planted;
let failed: string;
beforeAll(async () => {
  backend = await Backend.start();
  const hook = backend.hook((_, response) => {
    response.writeHead(500, { 'content-type': 'text/html', 'x-text': IN_HEADER });
    response.end(HOSTILE);
  });
  some = await planted(here.app, hook, hostile);
  const { client } = some;
  failed = await made(client.post('/v1/appointments', { service: hostile(255), starts_at: nextSlot() }));
  await made(change(client, failed, 'fail', { code: hostile(100), message: hostile(1_000) }));
});
afterAll(async () => {
  await backend?.close();
  await model?.stop();
});

/** Whether any of it became an element or ran. */
function becameMarkup(): Promise<boolean> {
  return here.page.evaluate(
    () => 'ran' in globalThis || document.querySelector('#console img, #console script, #console [onerror]') !== null,
  );
}

async function expectOnlyText(address: string): Promise<void> {
  await here.page.setViewportSize({ width: 390, height: 900 });
  await here.visit.goTo(address);
  for (const width of WIDTHS) {
    await here.page.setViewportSize({ width, height: 900 });
    expect([width, await becameMarkup(), await widthBeyondWindow(here.page)]).toEqual([width, false, 0]);
  }
}

const project = () => `/admin/${some.project}`;
const elsewhere: readonly (readonly [where: string, address: () => string])[] = [
  ['an appointment that failed', () => `${project()}/appointments/${failed}`],
  ['the whole of a delivery', () => `${project()}/deliveries/${some.ids['deliveries']}?view=whole`],
  ['the playground', () => `${project()}/playground?thread=${encodeURIComponent(hostile(255))}`],
  ['what was searched for', () => `${project()}/found?q=${encodeURIComponent(hostile(255))}`],
  ['a filter', () => `${project()}/conversations?external_id=${encodeURIComponent(hostile(255))}`],
  ['an id that nothing has', () => `${project()}/conversations/${encodeURIComponent(hostile(255))}`],
  ['an address that no place has', () => `/admin/none/${encodeURIComponent(hostile(1_000))}`],
];

describe('what somebody outside wrote', () => {
  it.each(PLACES)('is text in %s: it runs nothing, and breaks no page', async (place) => {
    await expect(expectOnlyText(addressOf(place, some.project, some.ids))).resolves.toBeUndefined();
  });

  it.each(elsewhere)('is text in %s: it runs nothing, and breaks no page', async (_, address) => {
    here.visit.expects(/^404 .*\/conversations\//);
    await expect(expectOnlyText(address())).resolves.toBeUndefined();
  });

  it.each(['projects', ':project/api-keys'])('is shown as it is in %s', async (place) => {
    await here.visit.goTo(addressOf(place, some.project, some.ids));
    await expect(here.page.locator('bdi').getByText('<img src=x').first().waitFor()).resolves.toBeUndefined();
  });

  it('is cut at a length, and all of it is shown on a click', async () => {
    const text = `${'long '.repeat(1_000)}end`;
    await here.visit.goTo(`${project()}/found?q=${encodeURIComponent(text)}`);
    const about = here.page.locator('main header bdi');
    expect(await about.innerText()).toMatch(/long …$/);
    await here.page.locator('main header').getByRole('button', { name: 'Show all' }).click();
    expect(await about.innerText()).toContain(text);
    await here.page.locator('main header').getByRole('button', { name: 'Show less' }).click();
    expect(await about.innerText()).toMatch(/long …$/);
  });
});
