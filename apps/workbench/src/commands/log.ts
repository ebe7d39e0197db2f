import { UlidIds } from '@adapters/ids.ulid';
import { maskedData } from '@application/projections/personal/masked-data';
import { START } from '@ports/event-store.port';
import { toLogLine } from '../log/log-line.js';
import { KEY_BYTES, keyedMask } from '../masks/keyed-mask.js';
import { type Command, NO_NAMES } from './command.js';

export const log: Command = {
  name: 'log',
  ...NO_NAMES,
  about: 'shows the events of the log, without personal data.',
  options: {
    category: {
      type: 'string',
      multiple: true,
      value: '<category>',
      about: 'only events of streams of this category; may be given several times.',
    },
    type: { type: 'string', multiple: true, value: '<type>', about: 'only events of this type; may be given several times.' },
    follow: { type: 'boolean', about: 'goes on with new events.' },
    'personal-data': { type: 'boolean', about: 'shows personal data too.' },
  },
  async run(workbench, words) {
    const { signal, output } = workbench;
    const [categories, types] = [words.texts('category'), words.texts('type')];
    const options = { signal, ...(categories.length > 0 && { categories }), ...(types.length > 0 && { types }) };
    const { log } = await workbench.source();
    const mask = words.isSet('personal-data') ? null : keyedMask(new UlidIds(workbench.clock).bytes(KEY_BYTES));
    const feed = words.isSet('follow') ? log.follow(START, options) : log.subscribe(START, options);
    for await (const { events } of feed) {
      for (const event of events) {
        const line = toLogLine(event);
        const shown = mask ? { ...line, data: maskedData(line.data, line.category, mask) } : line;
        await output.tell(shown, `${line.at}  ${line.position}  ${line.stream}  ${line.type}  ${JSON.stringify(shown.data)}`);
      }
    }
    signal.throwIfAborted();
    return 0;
  },
};
