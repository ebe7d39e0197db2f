// The least a rebuild can cost on the cluster: the rows of a collection are written anew, guarded by their positions, beside the
// same indexes. To read the log in pages costs less.
import { bareDatabase } from './cluster-drivers.mjs';

const BULK = 1_000;

const guarded = (document) => {
  const isNewer = { $lt: [{ $ifNull: ['$position', ''] }, document.position] };
  const update = [{ $replaceWith: { $cond: [isNewer, { $literal: document }, '$$ROOT'] } }];
  return { updateOne: { filter: { _id: document._id }, update, upsert: true } };
};

export async function measure({ servers, rowsOf }) {
  const database = bareDatabase(servers);
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const source = database.collection(names.findLast((name) => name.startsWith(`${servers.prefix}${rowsOf}@`)));
  const documents = await source.find().toArray();
  const target = database.collection(`${servers.prefix}bench_rows`);
  const indexes = (await source.indexes()).filter(({ name }) => name !== '_id_').map(({ v: _, ...index }) => index);
  await target.drop().catch(() => undefined);
  await target.createIndexes(indexes);
  const from = performance.now();
  for (let first = 0; first < documents.length; first += BULK) {
    await target.bulkWrite(documents.slice(first, first + BULK).map(guarded), { ordered: false });
  }
  return { perSecond: (documents.length * 1_000) / (performance.now() - from) };
}
