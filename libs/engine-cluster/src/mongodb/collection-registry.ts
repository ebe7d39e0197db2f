import { Waiter } from '@kit/waiter';
import type { Position } from '@ports/event-store.port';
import type { CollectionSchema } from '@ports/read-models.port';
import type { Collection, Document, Filter } from 'mongodb';
import { SharedReader } from '../shared-reader.js';
import { type Deadline, READ, type StoreClient } from './store-client.js';
import { isDuplicateKey } from './upserting.js';

export interface RebuildEntry {
  readonly generation: string;
  readonly checkpoint: Position;
  /** When its process was last seen alive (epoch milliseconds). */
  readonly seenAt: number;
}

/** The shared state of a collection in one version: one document, so that each change is atomic. */
export interface RegistryEntry {
  /** A name as of `storedSchema`; without a version in the entries of a program that kept rows of one version only. */
  readonly _id: string;
  readonly version: number;
  readonly fields: string;
  /** The live rows. A replaced generation never comes back. */
  readonly generation: string;
  readonly checkpoint: Position;
  /** The log's newest position when these rows were begun: before it they are incomplete. */
  readonly replaced: Position;
  /** The log that the rows come from. */
  readonly log: string | null;
  /** When a process last noted that it reads these rows (epoch milliseconds). Absent in entries without a version. */
  readonly usedAt?: number;
  readonly rebuild: RebuildEntry | null;
  /** Recently replaced generations, which readers may still use. */
  readonly retired: readonly { readonly generation: string; readonly at: number }[];
}

type Entries = ReadonlyMap<string, RegistryEntry>;

/** Raised when the storage layout changes; rows of an older one are projected again. */
const LAYOUT = 1;

export function fieldsText({ filterFields, dueFields, shared }: CollectionSchema): string {
  return JSON.stringify({ filterFields, dueFields, shared, layout: LAYOUT });
}

/** The collection under the name by which its rows of this version are stored, beside those of other versions. */
export function storedSchema({ name, shared, ...schema }: CollectionSchema): CollectionSchema {
  const stored = (of: string) => `${of}@${schema.version}`;
  return { ...schema, name: stored(name), ...(shared && { shared: { ...shared, name: stored(shared.name) } }) };
}

export function nameOf({ _id }: Pick<RegistryEntry, '_id'>): string {
  return _id.split('@', 1)[0] ?? _id;
}

export class CollectionRegistry {
  readonly changed = new Waiter();
  private readonly stored: Collection<RegistryEntry>;
  private readonly entries = new Map<string, RegistryEntry>();
  private readonly reader = new SharedReader(() => this.readAll());
  /** Orders readings and notes: a reading that began before a note may miss it. */
  private turn = 0;
  private readonly notedIn = new Map<string, number>();

  constructor(private readonly client: StoreClient) {
    this.stored = client.collection('read-models');
    client.lost = () => this.entries.clear();
  }

  /** As last seen, possibly outdated. */
  known(name: string): RegistryEntry | undefined {
    return this.entries.get(name);
  }

  /** As stored, read after the call. */
  async entry(name: string): Promise<RegistryEntry | null> {
    return (await this.refresh()).get(name) ?? null;
  }

  /** Reads every entry, once for all concurrent callers. */
  refresh(): Promise<Entries> {
    return this.reader.read();
  }

  /** Stores the entry of a new collection; resolves to whether it was new. */
  async add(entry: RegistryEntry): Promise<boolean> {
    const isNew = await this.client.ask((deadline) => this.inserted(entry, deadline));
    if (isNew) this.note(entry);
    return isNew;
  }

  /** Changes an entry that meets the condition; null if it does not. */
  async change(name: string, condition: Filter<RegistryEntry>, update: Document | Document[]): Promise<RegistryEntry | null> {
    const filter = { _id: name, ...condition } as Filter<RegistryEntry>;
    const entry = await this.client.ask((deadline) =>
      this.stored.findOneAndUpdate(filter, update, { returnDocument: 'after', ...deadline }),
    );
    if (entry) this.note(entry);
    return entry;
  }

  /** Notes that the rows of these names are read now. */
  async noteUse(names: readonly string[], now: number): Promise<void> {
    const used = { _id: { $in: [...names] } };
    await this.client.ask((deadline) => this.stored.updateMany(used, { $max: { usedAt: now } }, deadline));
  }

  /** Removes an entry that is used no more since it was read. */
  async remove({ _id, usedAt }: RegistryEntry): Promise<boolean> {
    const asSeen = { _id, usedAt } as Filter<RegistryEntry>;
    const { deletedCount } = await this.client.ask((deadline) => this.stored.deleteOne(asSeen, deadline));
    if (deletedCount > 0) this.entries.delete(_id);
    return deletedCount > 0;
  }

  private async inserted(entry: RegistryEntry, deadline: Deadline): Promise<boolean> {
    try {
      await this.stored.insertOne(entry, deadline);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private note(entry: RegistryEntry): void {
    this.entries.set(entry._id, entry);
    this.notedIn.set(entry._id, ++this.turn);
    this.changed.wake();
  }

  private async readAll(): Promise<Entries> {
    const begunIn = ++this.turn;
    const stored = await this.client.ask((deadline) => this.stored.find({}, { ...READ, ...deadline }).toArray());
    const found = new Map(stored.map((entry) => [entry._id, entry]));
    for (const name of new Set([...found.keys(), ...this.entries.keys()])) {
      if ((this.notedIn.get(name) ?? 0) > begunIn) continue;
      const entry = found.get(name);
      if (entry) this.entries.set(name, entry);
      else this.entries.delete(name);
    }
    this.changed.wake();
    return found;
  }
}
