// The least a rebuild can cost on the cluster: the log is read in pages and its events parsed; or the rows of a collection are
// written anew, guarded by their positions, beside the same indexes.
import { FORWARDS, START } from '@eventstore/db-client';
import { bareDatabase, BareLog, calling, tell } from './cluster-drivers.mjs';

const { servers, rowsOf } = JSON.parse(process.argv[2]);
const PAGE = 512;
const BULK = 1_000;

async function read() {
  const { client } = new BareLog(servers);
  const from = performance.now();
  let events = 0;
  for (let fromPosition = START, length = PAGE; length === PAGE;) {
    length = 0;
    for await (const { event } of client.readAll({ ...calling, direction: FORWARDS, fromPosition, maxCount: PAGE })) {
      length += 1;
      fromPosition = event.position;
      if (!event.type.startsWith('$')) events += 1;
    }
  }
  return { events, perSecond: (events * 1_000) / (performance.now() - from) };
}

const guarded = (document) => {
  const isNewer = { $lt: [{ $ifNull: ['$position', ''] }, document.position] };
  const update = [{ $replaceWith: { $cond: [isNewer, { $literal: document }, '$$ROOT'] } }];
  return { updateOne: { filter: { _id: document._id }, update, upsert: true } };
};

async function write() {
  const database = bareDatabase(servers);
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const source = database.collection(names.findLast((name) => name.startsWith(`${servers.prefix}${rowsOf}_`)));
  const documents = await source.find().toArray();
  const target = database.collection(`${servers.prefix}bench_rows`);
  const indexes = (await source.indexes()).filter(({ name }) => name !== '_id_').map(({ v: _, ...index }) => index);
  await target.drop().catch(() => undefined);
  await target.createIndexes(indexes);
  const from = performance.now();
  for (let first = 0; first < documents.length; first += BULK) {
    await target.bulkWrite(documents.slice(first, first + BULK).map(guarded), { ordered: false });
  }
  const perSecond = (documents.length * 1_000) / (performance.now() - from);
  await target.drop();
  return { rows: documents.length, perSecond };
}

tell({ read: await read(), write: await write() });
