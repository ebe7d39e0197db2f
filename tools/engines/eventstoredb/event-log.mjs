import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ANY, judge, judgeDeletion } from './append-rules.mjs';
import { Journal, packed, unpacked } from './journal.mjs';
import { ALL_BEFORE, describedBy, isSoftDeleted, shown } from './stream-metadata.mjs';
import { NO_POSITION } from './wire.mjs';

/** Of a tombstone. */
const LAST_REVISION = 2n ** 63n - 1n;
const TICKS_PER_MS = 10_000n;
const RECORD_BYTES = 137;
const RECOVERED_LATE_MS = 300;

const systemEvent = (stream, type, contentType, data) => ({
  stream,
  type,
  id: randomUUID(),
  contentType,
  data: Buffer.from(data),
  metadata: Buffer.alloc(0),
});
const jsonEvent = (stream, type, data) => systemEvent(stream, type, 'application/json', JSON.stringify(data));

export function placeOf(records, position) {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle].position < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The streams and their common order. An event is readable once it is durable. */
export class EventLog {
  all = [];
  grown = new EventEmitter().setMaxListeners(0);
  /** The delay between durable and indexed. */
  indexedAfterMs = 0;
  #streams = new Map();
  #end = 0n;
  #journal;
  #behaviours;

  constructor(journal, behaviours) {
    this.#journal = journal;
    this.#behaviours = behaviours;
  }

  static async open(directory, behaviours) {
    const { journal, entries } = Journal.open(directory, {
      cutsTornLine: behaviours.has('a torn line is cut'),
      endsOnFailure: behaviours.has('a full disk ends the server'),
    });
    const log = new EventLog(journal, behaviours);
    for (const entry of entries) log.#index(log.#accept(unpacked(entry)));
    if (entries.length === 0) await log.#writeSystem(['$users', '$settings', '$user-admin']);
    await log.#writeSystem(['$epoch-information']);
    return log;
  }

  /** Events visible to readers; undefined if there never was one. */
  read(name) {
    const stream = this.#streams.get(name);
    if (!stream) return undefined;
    const indexed = stream.records.filter((record) => record.indexed);
    const isBounded = this.#behaviours.has('a stream keeps as many events as its metadata says');
    return isBounded ? shown(indexed, this.#metadata(name)) : indexed;
  }

  /** Whether the stream, or the one it describes, is tombstoned. */
  isDeleted(name) {
    return [name, describedBy(name)].some((each) => this.#streams.get(each)?.deleted);
  }

  lastRevision(name) {
    return (this.#streams.get(name)?.records.length ?? 0) - 1;
  }

  /** Resolves to `appended` with the last revision and position, or to the verdict of `judge`. */
  async append(name, expected, proposed) {
    const stream = this.#judged(name);
    const ids = proposed.map(({ id }) => id);
    const verdict = judge(stream, expected, ids, this.#behaviours);
    if (verdict.kind === 'again') return this.#answered(name, stream, verdict.revision);
    if (verdict.kind !== 'write') return verdict;
    const records = this.#accept({ stream: name, events: proposed.map((event) => ({ ...event, stream: name })) });
    const stored = this.#store(records, { stream: name, events: records.map(packed) });
    if (stream.isSoftDeleted) await this.#describe(name, { $tb: Number(records[0].revision) });
    return stored;
  }

  /** Later events continue its revisions. Resolves as `append`. */
  async delete(name, expected) {
    const stream = this.#judged(name);
    const { kind } = judgeDeletion(stream, expected);
    if (kind === 'write' && stream.records.length === 0) return { kind: 'wrong' };
    return kind === 'write' ? this.#describe(name, { $tb: ALL_BEFORE }) : { kind };
  }

  /** For good. Resolves as `append`. */
  async tombstone(name, expected) {
    const { kind } = judgeDeletion(this.#judged(name), expected);
    if (kind !== 'write') return { kind };
    const event = systemEvent(name, '$streamDeleted', 'application/octet-stream', '');
    const records = this.#accept({ stream: name, events: [event], tombstone: true });
    return this.#store(records, { stream: name, events: records.map(packed), tombstone: true });
  }

  #judged(name) {
    const { records } = this.#streams.get(name) ?? { records: [] };
    return { records, deleted: this.isDeleted(name), isSoftDeleted: isSoftDeleted(this.#metadata(name)) };
  }

  #describe(name, changed) {
    const stream = `$$${name}`;
    return this.append(stream, ANY, [jsonEvent(stream, '$metadata', { ...this.#metadata(name), ...changed })]);
  }

  /** Leaves so many bytes on the disk until the next start. */
  fillDisk(room) {
    this.#journal.room = room;
  }

  async #writeSystem(names) {
    for (const name of names) await this.append(name, ANY, [jsonEvent(name, name, { at: Date.now() })]);
  }

  async statistics(count) {
    for (let index = 0; index < count; index += 1) {
      const name = '$stats-127.0.0.1:2113';
      await this.append(name, ANY, [jsonEvent(name, '$statsCollected', { index })]);
    }
  }

  async #store(records, entry) {
    if (this.#behaviours.has('an append is durable before its answer')) await this.#journal.write(entry);
    else void sleep(RECOVERED_LATE_MS).then(() => this.#journal.write(entry));
    if (this.indexedAfterMs > 0) await sleep(this.indexedAfterMs);
    this.#index(records);
    const { revision, position } = records.at(-1);
    return { kind: 'appended', revision, position };
  }

  #accept({ stream: name, events, tombstone = false }) {
    const stream = this.#streams.get(name) ?? { records: [], deleted: false };
    this.#streams.set(name, stream);
    const created = BigInt(Date.now()) * TICKS_PER_MS;
    const records = events.map((event, index) => {
      const revision = tombstone ? this.#tombstoneRevision(stream) : BigInt(stream.records.length + index);
      return { created, ...event, stream: name, revision, position: this.#take(event), indexed: false };
    });
    if (tombstone) stream.deleted = true;
    else stream.records.push(...records);
    return records;
  }

  #tombstoneRevision(stream) {
    const isHighest = this.#behaviours.has('a deleted stream leaves an event with the highest revision');
    return isHighest ? LAST_REVISION : BigInt(stream.records.length);
  }

  #take({ position, stream, type, data }) {
    const hasGaps = this.#behaviours.has('positions have gaps of many sizes');
    const length = hasGaps ? BigInt(RECORD_BYTES + stream.length + type.length + data.length) : 1n;
    const taken = position ?? this.#end + 1n;
    this.#end = taken + length - 1n;
    return taken;
  }

  #index(records) {
    for (const record of records) {
      record.indexed = true;
      this.all.push(record);
    }
    this.grown.emit('grown');
  }

  #metadata(name) {
    const newest = this.#streams.get(`$$${name}`)?.records.at(-1);
    return newest ? JSON.parse(newest.data.toString('utf8')) : {};
  }

  #answered(name, { records }, revision) {
    const isOwn = this.#behaviours.has('a repeated batch is answered with its own position');
    const { position } = records[isOwn ? revision : records.length - 1];
    const isShown = this.read(name).some((record) => record.revision === BigInt(revision));
    return { kind: 'appended', revision: BigInt(revision), position: isShown ? position : NO_POSITION };
  }
}
